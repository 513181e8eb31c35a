// Every experiment and template of the package is proved free of deadlock, that of experiments/deadlock excepted; so is
// every routing with the switch that an experiment gets that names no more than the VCs.
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { hostAt } from "../src/experiment/disk/host.ts"
import { loadPlan } from "../src/experiment/load.ts"
import { type Plan, plan } from "../src/experiment/plan.ts"
import { plainSource } from "../src/experiment/source.ts"
import { starters } from "../src/experiment/starters/index.ts"
import { checkPlan } from "../src/inspect/check-plan.ts"
import { routings } from "../src/library.ts"
import { root } from "./support/build.ts"
import { experiments, smallerNetwork } from "./support/experiments.ts"

const dir = mkdtempSync(join(tmpdir(), "lacewing-safe-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** How each network of a plan is known to be free, or that it is not. */
function known(p: { ok: Plan } | { bad: readonly { path: string; says: string }[] }): string[] {
  if ("bad" in p) throw new Error(p.bad.map((c) => `${c.path}: ${c.says}`).join("\n"))
  const checks = checkPlan(p.ok, (spec) => hostAt(p.ok.folder, spec.plugins), { brief: true })
  return checks.map((c) => (c.check.deadlock.free ? "free" : `${c.network}: ${c.check.words[0]}`))
}

/** In the form that its expected.json gives it: the same network, but for the largest ones. */
async function ofExperiment(name: string): Promise<string[]> {
  const { set } = JSON.parse(readFileSync(join(root, "experiments", name, "expected.json"), "utf8")) as {
    set: string[]
  }
  return known(await loadPlan(join(root, "experiments", name), { set: [...set, ...(smallerNetwork[name] ?? [])] }))
}

describe("experiments of the package", () => {
  test.each(experiments.filter((name) => name !== "deadlock"))("%s is free of deadlock", async (name) => {
    const found = await ofExperiment(name)
    expect(found.length).toBeGreaterThan(0)
    expect(found.filter((f) => f !== "free")).toEqual([])
  })

  // Larger sets have the same topologies and routings, and a run proves its networks with the VCs of the participants.
  const quick = readdirSync(join(root, "experiments/arena/quick"))
  test.each(quick)("arena/quick/%s is free of deadlock", async (file) => {
    expect(known(await loadPlan(join(root, "experiments/arena/quick", file)))).toEqual(["free"])
  })

  test("deadlock is not, and says that it is to be watched", async () => {
    expect(await ofExperiment("deadlock")).toEqual([
      expect.stringMatching(/not free of deadlock: \d+ packets can wait/),
    ])
    const got = await loadPlan(join(root, "experiments/deadlock"))
    expect("ok" in got && got.ok.runs.map((r) => r.spec.measure.deadlock)).toEqual(["watch"])
  })
})

describe("templates of init", () => {
  test.each(Object.keys(starters))("%s is free of deadlock", async (name) => {
    const { text, files, gallery } = starters[name]!
    writeFileSync(join(dir, `${name}.yaml`), text)
    for (const [file, content] of Object.entries(files ?? {})) writeFileSync(join(dir, file), content)
    for (const [file, of] of Object.entries(gallery ?? {}))
      copyFileSync(join(root, "examples/plugins", of), join(dir, file))
    const found = known(await loadPlan(join(dir, `${name}.yaml`)))
    expect(found.length).toBeGreaterThan(0)
    expect(found.filter((f) => f !== "free")).toEqual([])
  })

  test("torus with torus.adaptive is free of deadlock, because the switch gets what the routing needs", async () => {
    writeFileSync(join(dir, "adaptive.yaml"), starters["torus"]!.text)
    const got = await loadPlan(join(dir, "adaptive.yaml"), { set: ["network.routing=torus.adaptive"] })
    expect(known(got)).toEqual(["free"])
  })
})

/** A small network of every topology that a routing names. */
const small: Readonly<Record<string, object>> = {
  mesh: { sides: "4x4" },
  torus: { sides: "4x4" },
}

test(
  "a routing that needs escape VCs or bubbles is free of deadlock with a " +
    "switch that an experiment does not describe",
  () => {
    const asking = routings.filter((r) => r.needs !== undefined && r.needs({} as never).length > 0)
    expect(asking.map((r) => r.name).sort()).toEqual(["mesh.adaptive", "torus.adaptive", "torus.bubble"])
    for (const { name, topologies } of asking) {
      const [topology] = topologies!
      const network = { topology: { name: topology, ...small[topology!] }, routing: name }
      const tree = { lacewing: 1, network, traffic: { pattern: "uniform", load: 0.1, packet: "1flit" } }
      expect(known(plan({ source: plainSource("experiment", tree), host: hostAt(dir), name: "experiment" }))).toEqual([
        "free",
      ])
    }
  },
)
