export interface Fragment {
  readonly file: string
  readonly text: string
}
export function isAbove(a: string, b: string): boolean
export function withFragments(log: string, fragments: readonly Fragment[], version: string, date: string): string
export function changesOf(root: string, next: string, date: string): Record<string, string | null>
