export interface Finding {
  readonly file: string
  readonly line: number
  readonly message: string
}
export function kindOf(file: string): "page" | "source" | undefined
export function texts(root: string): string[]
export function findings(file: string, text: string): Finding[]
export function sentencesOf(text: string): string[]
export function countsOf(text: string): { words: number; sentences: number; mean: number; longest: number }
export function literals(source: string): { line: number; text: string; kind: "message" | "comment" }[]
