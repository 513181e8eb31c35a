// A drawn figure as others get it, in types that need no package of drawing.
import type { Fact } from "./figure.ts"

/** Where a value can be read under the pointer: a spot, or a box when it has a size. In units of the view box. */
export type Hit = {
  readonly x: number
  readonly y: number
  readonly w?: number
  readonly h?: number
  readonly title: string
  readonly facts: readonly Fact[]
}
export type Drawing = {
  readonly svg: string
  readonly width: number
  readonly height: number
  readonly hits: readonly Hit[]
}
