// From recorded curves to the pictures of the paper: the lines of a figure by name, and marks for the numbers that its
// text gives.
import type { Figure, Line, LinesFigure, Mark } from "../../draw/figure/figure.ts"

export function figureOf(figures: readonly Figure[], id: string): LinesFigure | undefined {
  return figures.find((f): f is LinesFigure => f.kind === "lines" && f.id === id)
}

export function linesOf(figures: readonly Figure[], id: string): Readonly<Record<string, Line>> {
  return Object.fromEntries((figureOf(figures, id)?.lines ?? []).map((l) => [l.name, l]))
}

/** The figures with marks in the one of this id. */
export function marked(figures: readonly Figure[], id: string, marks: readonly Mark[]): Figure[] {
  return figures.map((f) => (f.kind === "lines" && f.id === id ? { ...f, marks } : f))
}
