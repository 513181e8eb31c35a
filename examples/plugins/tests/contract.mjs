// The test that `lacewing init` writes next to a module as NAME.test.mjs: the contract of NAME.mjs, and the experiment
// next to it. Run with: node --test
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { basename } from "node:path"
import { test } from "node:test"

const module = basename(import.meta.filename).replace(".test.mjs", ".mjs")

const lacewing = (...args) => {
  const { status, stdout, stderr } = spawnSync("npx", ["lacewing", ...args], {
    cwd: import.meta.dirname,
    encoding: "utf8",
    shell: process.platform === "win32",
  })
  return { status, text: stdout + stderr }
}

test("fulfils the contracts of its kind", () => {
  const { status, text } = lacewing("contract", module, "--quick")
  assert.equal(status, 0, text)
})

test("the experiment can be run", () => {
  const { status, text } = lacewing("check", "experiment.yaml", "--quick")
  assert.equal(status, 0, text)
})
