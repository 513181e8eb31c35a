// A setup file of Vitest: appends the CPU time of each test file to the log that LACEWING_TIMES names (test/run.mjs).
// It includes all threads and the child processes that have ended, but not the imports: the files of a process share
// them, so they would count for whichever file comes first.
import { appendFileSync } from "node:fs"
import { relative } from "node:path"
import { afterAll, beforeAll, expect } from "vitest"
import { usedCpu } from "./cpu.mjs"

const { LACEWING_TIMES: log } = process.env
if (log !== undefined) {
  let before: number | undefined
  beforeAll(() => {
    before = usedCpu()
  })
  // Hooks that are registered first end last, so this one sees what the hooks of the file used.
  afterAll(() => {
    if (before === undefined) return
    const file = relative(process.cwd(), expect.getState().testPath ?? "").replaceAll("\\", "/")
    appendFileSync(log, `${JSON.stringify({ file, ms: usedCpu() - before })}\n`)
  })
}
