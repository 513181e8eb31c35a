// Every experiment in the tree, by glob: it has a README, it passes the check, and the first run of each of its networks ends in the recorded
// state. A fingerprint proves sameness, never truth. After a change that is meant, RECORD=1 npx vitest run test/experiments.test.ts writes
// expected.json anew; the change needs a sentence in changes/ and the next number in src/lab/identity.ts.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import type { PlannedRun } from "../src/lab/experiment.ts"
import { placeOf } from "../src/lab/frame.ts"
import { loadPlan } from "../src/lab/load.ts"
import { shapes } from "../src/lab/sense.ts"
import { hostAt, loadSimulator } from "../src/lab/simulator.ts"

const folder = join(dirname(fileURLToPath(import.meta.url)), "../experiments")
const names = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
const record = process.env["RECORD"] === "1"

interface Expected {
  readonly point: PlannedRun["point"]
  readonly seed: number
  readonly why: string
  readonly fingerprint: string
}

async function planOf(name: string) {
  const got = await loadPlan(join(folder, name))
  if ("bad" in got) throw new Error(got.bad.map((c) => `${placeOf(c)} ${c.path}: ${c.says}`).join("\n"))
  return got.ok
}

/** The first run of each kind of network. */
function examples(runs: readonly PlannedRun[]): PlannedRun[] {
  return shapes([...runs].reverse()).reverse()
}

test("there are experiments", () => expect(names).toContain("first-curve"))

describe.each(names)("experiments/%s", (name) => {
  test("has a README and a title", async () => {
    expect(readFileSync(join(folder, name, "README.md"), "utf8")).toMatch(/^# /)
    expect((await planOf(name)).title).not.toBe(name)
  })
  test("its networks end in the recorded state", async () => {
    const plan = await planOf(name)
    const { prepare, simulate } = await loadSimulator()
    const found: Expected[] = []
    for (const run of examples(plan.runs)) {
      const prepared = prepare(run.spec, hostAt(plan.folder))
      if ("bad" in prepared) throw new Error(prepared.bad.map((c) => `${placeOf(run.place(c))} ${c.says}`).join("\n"))
      const { why, fingerprint } = await simulate(prepared.ok, {})
      found.push({ point: run.point, seed: run.seed, why, fingerprint })
    }
    const file = join(folder, name, "expected.json")
    if (record) writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`)
    expect(existsSync(file)).toBe(true)
    expect(found).toEqual(JSON.parse(readFileSync(file, "utf8")))
  })
})
