// A part of a matrix for the second tier. The parts of successive rows rotate, so that all columns occur. With
// LACEWING_WHOLE=1, as `npm run test:long` sets it, each row has all columns.

/** Returns every `nth` of the columns, from another one on for each row. */
export function sampled<T>(columns: readonly T[], nth: number, row: number): readonly T[] {
  return process.env["LACEWING_WHOLE"] === "1" ? columns : columns.filter((_, i) => i % nth === row % nth)
}
