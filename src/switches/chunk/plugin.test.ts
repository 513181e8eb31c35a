import { expect, test } from "vitest"
import chunk from "./plugin.ts"

test.each(["fifo", "round-robin"])("an early commit where chunks leave in order %s is refused", (order) => {
  const parsed = chunk.params.parse({ order, commit: "early" }, "")
  if ("bad" in parsed) throw new Error("parse")
  expect(chunk.check(parsed.ok)).toEqual([
    expect.objectContaining({ path: "commit", fix: "set order: strict-high or strict-low, or commit: free" }),
  ])
})
