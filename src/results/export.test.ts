import { expect, test } from "vitest"
import { csvOf } from "./export.ts"

test("headings and text cells of a CSV file are no formulas, and negative numbers stay numbers", () => {
  const columns = [
    { name: "latency.mean.=1+1", type: "number" as const, cells: [-0.5] },
    { name: "=HYPERLINK(0)", type: "number" as const, cells: [2] },
    { name: "variant", type: "text" as const, cells: ["@SUM(A1:A9)"] },
  ]
  expect(csvOf({ name: "runs", columns })).toBe("latency.mean.=1+1,'=HYPERLINK(0),variant\r\n-0.5,2,'@SUM(A1:A9)\r\n")
})
