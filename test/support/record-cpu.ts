// A setup file of Vitest: appends the CPU time of each test file to the log that LACEWING_TIMES names (test/run.mjs).
// It includes the imports, all threads, and the child processes that have ended.
import { appendFileSync } from "node:fs"
import { relative } from "node:path"
import { afterAll, expect } from "vitest"
import { usedCpu } from "./cpu.mjs"

const { LACEWING_TIMES: log } = process.env
if (log !== undefined) {
  const before = usedCpu()
  // Hooks that are registered first end last, so this one sees what the hooks of the file used.
  afterAll(() => {
    const file = relative(process.cwd(), expect.getState().testPath ?? "").replaceAll("\\", "/")
    appendFileSync(log, `${JSON.stringify({ file, ms: usedCpu() - before })}\n`)
  })
}
