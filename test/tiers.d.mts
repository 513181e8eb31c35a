export type Tier = "first" | "rest" | "all"
export const second: readonly string[]
export const third: readonly string[]
export const long: readonly (readonly [string, readonly string[], Readonly<Record<string, string>>?])[]
export function tierOf(path: string): 1 | 2 | 3
export function globsOf(tier: Tier): { include: string[]; exclude: string[] }
