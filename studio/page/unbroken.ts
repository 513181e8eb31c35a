// Line breaks of labels.
import { h } from "preact"

/** Writes the arrows of labels as signs, which do not break. */
export const unbroken = (words: string): string => words.replaceAll("->", "→")

/** Lets a name of the library break after its dots and hyphens. */
export const breakable = (words: string) =>
  words.split(/(?<=[a-z][.:;-])(?=\S)/).flatMap((part, i) => (i === 0 ? [part] : [h("wbr", { key: i }), part]))
