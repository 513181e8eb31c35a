/** Prevents a line break inside an arrow. */
export const unbroken = (words: string): string => words.replaceAll("->", "-\u2060>")
