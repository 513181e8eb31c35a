// Every experiment of the tree, run small, ends in the state that its expected.json names. Found by glob: a new folder
// is a new test.
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, expect, test } from "vitest"
import { built, root } from "./support/build.ts"
import { experiments } from "./support/experiments.ts"

const names = experiments

interface Ended {
  readonly status: number | null
  readonly text: string
}
/** All experiments in one process: each process would load and compile the program again. */
let all: Ended
beforeAll(async () => {
  built()
  all = await expected(...names)
})

function expected(...args: string[]): Promise<Ended> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [join(root, "scripts/expected.mjs"), "--check", ...args], { cwd: root })
    let text = ""
    child.stdout.on("data", (data) => (text += data))
    child.stderr.on("data", (data) => (text += data))
    child.on("close", (status) => done({ status, text }))
  })
}

test("there are experiments, each with a README that asks a question", () => {
  expect(names).toContain("first-curve")
  expect(names.filter((name) => !existsSync(join(root, "experiments", name, "README.md")))).toEqual([])
})

test.each(names)("%s: fingerprints and headline values", (name) => {
  const lines = all.text.split("\n").filter((line) => line.startsWith(`${name}: `))
  expect(lines, all.text).toEqual([expect.stringMatching(/: \d+ runs as expected$/)])
})

test("the check of all of them succeeds", () => expect(all.status, all.text).toBe(0))

test("an experiment that is not there is refused", async () => {
  const { status, text } = await expected("no-such-thing")
  expect(status).toBe(2)
  expect(text).toContain("there is no experiment no-such-thing")
})
