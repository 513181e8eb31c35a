import { expect, test } from "vitest"
import { csvCell } from "./csv.ts"

test.each([
  ["=1+2", "'=1+2"],
  ["+HYPERLINK(1)", "'+HYPERLINK(1)"],
  ["-2+3", "'-2+3"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", "'\t=1"],
  ['=cmd|"/c calc"!A1, x', `"'=cmd|""/c calc""!A1, x"`],
])("a text that a spreadsheet would compute gets an apostrophe: %s", (text, cell) => {
  expect(csvCell(text)).toBe(cell)
})

test.each([
  [-0.5, "-0.5"],
  [1e-7, "1e-7"],
  [Number.NEGATIVE_INFINITY, "-Infinity"],
  ["-0.5", "-0.5"],
  ["+3e-7", "+3e-7"],
  ["a=b", "a=b"],
  ["a,b", '"a,b"'],
  [null, ""],
])("numbers and other texts stay as they are: %s", (value, cell) => {
  expect(csvCell(value)).toBe(cell)
})
