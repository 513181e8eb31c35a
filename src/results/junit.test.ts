import { parseHTML } from "linkedom"
import { expect, test } from "vitest"
import { junitOf } from "./junit.ts"

test("a case for each verdict, with counts and escaped texts", () => {
  const text = junitOf(
    "first-curve",
    [
      { group: "expect", name: "latency.mean < 60" },
      { group: "expect", name: "accepted > 0.5", failed: 'accepted is "0.4"\nat load=0.6' },
      { group: "expect", name: "hops < 3", skipped: "no point\u0007" },
    ],
    1.5,
  )
  expect(text.split("\n")[2]).toBe(
    '<testsuite name="first-curve" tests="3" failures="1" skipped="1" errors="0" time="1.500">',
  )
  expect(text).toContain('<testcase name="latency.mean &lt; 60" classname="expect"/>')
  expect(text).toContain('<failure message="accepted is &quot;0.4&quot;">')
  expect(text).toContain('<skipped message="no point"/>')
  const { document } = parseHTML(text)
  expect(document.querySelectorAll("testcase")).toHaveLength(3)
})
