// Two standard fonts of PDF, which every viewer has: their names, the widths of their letters (Adobe font metrics, in
// thousandths of the font size), and the encoding of texts (WinAnsiEncoding).
export type PrintFont = "sans" | "serif"
export const printFonts: readonly PrintFont[] = ["sans", "serif"]

/** Names of the font, plain and bold. */
export const fontNames: Readonly<Record<PrintFont, readonly [plain: string, bold: string]>> = {
  sans: ["Helvetica", "Helvetica-Bold"],
  serif: ["Times-Roman", "Times-Bold"],
}

/** Widths of the characters 32 to 126. */
// biome-ignore format: a table
const widths: Readonly<Record<PrintFont, readonly number[]>> = {
  sans: [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
    556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
    500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469,
    556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
    278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
  ],
  serif: [
    250, 333, 408, 500, 500, 833, 778, 180, 333, 333, 500, 564, 250, 333, 250, 278, 500, 500, 500, 500, 500,
    500, 500, 500, 500, 500, 278, 278, 564, 564, 564, 444, 921, 722, 667, 667, 722, 611, 556, 722, 722, 333,
    389, 722, 611, 889, 722, 722, 556, 722, 667, 556, 611, 722, 722, 944, 722, 722, 611, 333, 278, 333, 469,
    500, 333, 444, 500, 444, 500, 444, 333, 500, 500, 278, 278, 500, 278, 778, 500, 500, 500, 500, 333, 389,
    278, 500, 500, 722, 500, 500, 444, 480, 200, 480, 541,
  ],
}

/** Characters beyond Latin-1: their code in WinAnsiEncoding, and their widths in both fonts. */
const others: Readonly<Record<string, readonly [code: number, sans: number, serif: number]>> = {
  "…": [0x85, 1000, 1000],
  "‘": [0x91, 222, 333],
  "’": [0x92, 222, 333],
  "“": [0x93, 333, 444],
  "”": [0x94, 333, 444],
  "•": [0x95, 350, 350],
  "–": [0x96, 556, 500],
  "—": [0x97, 1000, 1000],
  // The minus sign has the form of an en dash. Thin spaces become spaces.
  "−": [0x96, 556, 500],
  "\u202f": [0x20, 278, 250],
  "\u2009": [0x20, 278, 250],
}
const latin: Readonly<Record<string, readonly [sans: number, serif: number]>> = {
  "±": [584, 564],
  "×": [584, 564],
  "·": [278, 250],
  "°": [400, 400],
  µ: [556, 500],
}
/** Spelled out, because the fonts do not have them. */
const spelled: Readonly<Record<string, string>> = { "≥": ">=", "≤": "<=", "≈": "~", "→": "->", "∞": "inf", μ: "µ" }

/** Returns the codes of a text and its width in thousandths of the font size. */
export function encoded(text: string, font: PrintFont): { readonly codes: readonly number[]; readonly width: number } {
  const codes: number[] = []
  let width = 0
  for (const letter of [...text].flatMap((l) => [...(spelled[l] ?? l)])) {
    const code = letter.codePointAt(0) ?? 32
    const other = others[letter]
    if (other !== undefined) {
      codes.push(other[0])
      width += other[font === "sans" ? 1 : 2]
    } else if (code >= 32 && code < 127) {
      codes.push(code)
      width += widths[font][code - 32]
    } else {
      codes.push(code >= 160 && code < 256 ? code : 63)
      width += latin[letter]?.[font === "sans" ? 0 : 1] ?? 500
    }
  }
  return { codes, width }
}
