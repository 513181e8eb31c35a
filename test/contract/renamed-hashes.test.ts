// Renamed keys do not rename runs: the hashes of experiments and templates as they were before.
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { sha256 } from "../../src/core/sha256.ts"
import { hostAt } from "../../src/experiment/disk/host.ts"
import { hashOf } from "../../src/experiment/identity/identity.ts"
import { type Plan, plan } from "../../src/experiment/plan.ts"
import { plainSource } from "../../src/experiment/source.ts"
import { starters } from "../../src/experiment/starters/index.ts"
import { readText } from "../../src/experiment/text.ts"
import { host } from "../effects/plugin-scenes.ts"
import { renamedKeys } from "./renamed-cases.ts"

const file = new URL("./renamed-hashes.json", import.meta.url)
const root = new URL("../..", import.meta.url).pathname

/** One hash for all runs of some plans, without the build and the revisions, which change with the model. */
function hashed(name: string, plans: readonly ({ ok: Plan } | { bad: readonly unknown[] })[]): [string, string] {
  const hashes = plans.flatMap((got) => {
    if ("bad" in got) throw new Error(`${name}: ${JSON.stringify(got.bad)}`)
    return got.ok.runs.map((run) => hashOf({ ...run, revisions: "" }, ""))
  })
  return [name, sha256(new TextEncoder().encode(hashes.sort().join(" "))).slice(0, 16)]
}

function fromText(name: string, text: string, folder: string, files: Readonly<Record<string, string>> = {}) {
  const disk = hostAt(folder)
  const read = (path: string) => files[path] ?? disk.read(path)
  const got = readText(text, "experiment.yaml", Object.keys(files).length > 0 ? { read } : disk)
  return hashed(name, ["bad" in got ? got : plan(got.ok)])
}

function planned(tree: object) {
  return plan({ source: plainSource("e", tree), host, name: "e" })
}

function today(): Record<string, string> {
  const folder = join(root, "experiments")
  const names = readdirSync(folder).filter((name) => readdirSync(join(folder, name)).includes("experiment.yaml"))
  const experiments = names
    .filter((name) => !/^plugins:/m.test(readFileSync(join(folder, name, "experiment.yaml"), "utf8")))
    .map((name) =>
      fromText(`experiment ${name}`, readFileSync(join(folder, name, "experiment.yaml"), "utf8"), join(folder, name)),
    )
  // plug-ins of modules are newer than the renamed keys
  const builtIn = Object.entries(starters).filter(([, s]) => !/^plugins:/m.test(s.text))
  const templates = builtIn.map(([name, s]) => fromText(`template ${name}`, s.text, root, s.files))
  const cases = renamedKeys.map((c) =>
    hashed(`${c.at}.${c.was}${c.plugin === undefined ? "" : ` (${c.plugin})`}`, [planned(c.of(c.was))]),
  )
  return Object.fromEntries([...experiments, ...templates, ...cases])
}

test("experiments and templates that use the new names have the run hashes that they had with the old ones", () => {
  const now = today()
  if (process.env["LACEWING_RENAMED"] === "write") writeFileSync(file, `${JSON.stringify(now, null, 2)}\n`)
  expect(now).toEqual(JSON.parse(readFileSync(file, "utf8")))
})
