// Cells of CSV files (RFC 4180). A spreadsheet takes a text that begins with = + - @ or a tab for a formula, and names
// in a results folder may come from a stranger: such a text gets an apostrophe in front. Numbers stay numbers, negative
// ones too.

const formula = /^[=+\-@\t\r]/
const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** Returns the cell as it stands in a file. A null is an empty cell. */
export function csvCell(value: string | number | null): string {
  if (value === null) return ""
  if (typeof value === "number") return String(value)
  const text = formula.test(value) && !number.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
