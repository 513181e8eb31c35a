import { spawnSync } from "node:child_process"
import { expect, test } from "vitest"
import { compileHere } from "./compile-here.ts"

const script = `
const v8 = require("node:v8"), { Worker } = require("node:worker_threads")
for (const o of ${JSON.stringify(compileHere)}) v8.setFlagsFromString(o)
const hot = "let s = 0; for (let i = 0; i < 3e6; i++) s = (s * 31 + i) | 0; process.stdout.write(String(s))"
new Worker(hot, { eval: true })
`

test("this version of Node takes the options, on the command line and for threads, without a word", () => {
  const plain = spawnSync(process.execPath, [...compileHere, "-e", "console.log(1)"], { encoding: "utf8" })
  expect([plain.status, plain.stdout, plain.stderr]).toEqual([0, "1\n", ""])
  const thread = spawnSync(process.execPath, ["-e", script], { encoding: "utf8" })
  expect([thread.status, thread.stderr]).toEqual([0, ""])
  expect(Number(thread.stdout)).toBe(sum(3e6))
})

function sum(n: number): number {
  let s = 0
  for (let i = 0; i < n; i++) s = (s * 31 + i) | 0
  return s
}
