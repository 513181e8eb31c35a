export function newest(folder: string): number
export function isStale(): boolean
export function build(stdio?: "inherit" | "pipe"): string | undefined
