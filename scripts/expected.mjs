// expected.json of every experiment: the fingerprint and main values of a small run. A fingerprint may change only with
// a fragment in changes/ that gives the reason.
//   node scripts/expected.mjs [NAME …]           runs the experiments and writes their files
//   node scripts/expected.mjs --check [NAME …]   compares, prints each difference, and exits with 1 if there is one
// `set` (as for `lacewing run --set`) and `seeds` in the file make the run small; edit them by hand, then write again.
// Needs a build.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { run, told } from "../dist/app/index.js"

const experiments = new URL("../experiments/", import.meta.url)
const headlines = ["offered", "accepted", "latency.mean", "latency.p99", "hops.mean", "cycles", "flit-hops"]
const all = readdirSync(experiments).filter((name) => existsSync(new URL(`${name}/experiment.yaml`, experiments)))
const asked = process.argv.slice(2).filter((a) => a !== "--check")
const unknown = asked.filter((name) => !all.includes(name))
if (unknown.length > 0) {
  console.error(`there is no experiment ${unknown.join(", ")}; choose from ${all.join(", ")}`)
  process.exit(2)
}
const checking = process.argv.includes("--check")
let different = 0
/** Values that are not finite numbers within their range. */
const wrong = []
for (const name of asked.length > 0 ? asked : all) {
  const file = new URL(`${name}/expected.json`, experiments)
  const before = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined
  if (checking && before === undefined) {
    console.error(`${name}: no expected.json; write it with: node scripts/expected.mjs ${name}`)
    different++
    continue
  }
  const { set = [], seeds = [1] } = before ?? {}
  const runs = await small(name, set, seeds)
  if (!checking) {
    writeFileSync(file, `${JSON.stringify({ set, seeds, runs }, null, 2)}\n`)
    console.log(`${name}: ${runs.length} runs written`)
    continue
  }
  const found = [...differences(before.runs, runs), ...wrong.splice(0)]
  different += found.length
  for (const text of found) console.error(`${name}: ${text}`)
  if (found.length === 0) console.log(`${name}: ${runs.length} runs as expected`)
}
if (different > 0) console.error("a changed fingerprint needs a sentence in changes/, then: node scripts/expected.mjs")
process.exitCode = different > 0 ? 1 : 0

async function small(name, set, seeds) {
  const done = await run(fileURLToPath(new URL(name, experiments)), { set, seeds, audit: true })
  if ("bad" in done) {
    for (const c of done.bad) console.error(`${name}: ${c.path} ${c.says}; ${c.fix}`)
    process.exit(2)
  }
  const label = (r) => [...Object.entries(r.point).map(([key, value]) => `${key}=${value}`), `seed=${r.seed}`].join(" ")
  for (const r of done.ok.records) {
    const { missing } = told(r.result)
    for (const [value, number] of Object.entries(r.result.values))
      if (!Number.isFinite(number) || missing[value] === "not measured")
        wrong.push(`${label(r)}: ${value} is ${number}`)
  }
  const order = (a, b) => (a.run < b.run ? -1 : 1)
  return done.ok.records
    .map((r) => ({
      run: label(r),
      why: r.result.why,
      fingerprint: r.result.fingerprint,
      // The count, even if the value is missing; null if nothing was counted.
      values: Object.fromEntries(headlines.map((key) => [key, r.result.values[key] ?? null])),
    }))
    .sort(order)
}

function differences(expected, got) {
  const known = new Map(expected.map((r) => [r.run, r]))
  const text = (r) => JSON.stringify({ why: r.why, fingerprint: r.fingerprint, values: r.values })
  const found = got.flatMap((r) => {
    const was = known.get(r.run)
    known.delete(r.run)
    if (was === undefined) return [`${r.run} is new`]
    return text(was) === text(r) ? [] : [`${r.run} was ${text(was)}, is ${text(r)}`]
  })
  return [...found, ...[...known.keys()].map((run) => `${run} is gone`)]
}
