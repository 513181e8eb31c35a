// `run --watch` notices a change of the experiment and of its modules, wherever they are.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { changed } from "./watch.ts"

const dir = mkdtempSync(join(tmpdir(), "lacewing-watch-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
for (const folder of ["experiments", "modules"]) mkdirSync(join(dir, folder))
const experiment = join(dir, "experiments/e.yaml")
writeFileSync(experiment, "lacewing: 1\nplugins: [../modules/mine.mts]\n")

test.each(["experiments/e.yaml", "experiments/base.yaml", "modules/mine.mts"])("a change of %s", async (file) => {
  const stop = new AbortController()
  let resolved = false
  const waited = changed(experiment, stop.signal).then(() => {
    resolved = true
  })
  // The change is repeated, because the watcher starts some time after the call.
  const text = "lacewing: 1\nplugins: [../modules/mine.mts]\n"
  const write = setInterval(() => writeFileSync(join(dir, file), text), 400)
  await waited
  clearInterval(write)
  expect(resolved).toBe(true)
})

test("nothing but an abort ends it if nothing changes", async () => {
  const stop = new AbortController()
  const waited = changed(experiment, stop.signal)
  stop.abort()
  await waited
})
