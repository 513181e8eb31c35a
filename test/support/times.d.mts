export type Seconds = Record<string, number>
export interface Compared {
  readonly factor: number | undefined
  readonly slow: readonly string[]
  readonly unknown: readonly string[]
}
export function readLog(path: string): Seconds
export function readTimes(): { readonly calibration?: number; readonly files: Seconds }
export function compare(used: Seconds, files: Seconds): Compared
export function writeTimes(used: Seconds, partial?: boolean): void
