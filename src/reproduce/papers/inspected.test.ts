// Figures that read a built model, and run no experiment, agree today as they did when they were recorded.
import { expect, test } from "vitest"
import { papers } from "./index.ts"
import { audited, readerOf, wordOf } from "./paper.ts"

const inspected = papers.filter((figure) => figure.inspect !== undefined).map((figure) => [figure.id, figure] as const)

test.each(inspected)("%s: each row has a value, and none fails", (_, figure) => {
  const rows = audited(figure, "full", figure.rows({}, "full", readerOf(figure.inspect?.() ?? {})))
  expect(rows.filter((r) => wordOf(r) === "fails").map((r) => r.claim)).toEqual([])
  expect(rows.filter((r) => r.pass !== "unchecked" && !Number.isFinite(r.value)).map((r) => r.claim)).toEqual([])
})
