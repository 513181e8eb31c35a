// Runs BookSim2 (BOOKSIM2=/path/to/its/program) and writes two tables of src/reproduce/peers/booksim2:
//   more.tsv   configurations that runs.tsv lacks: odd numbers of VCs, stage delays above 1 with and without
//              internal_speedup, use_read_write, two classes
//   again.tsv  rows of runs.tsv once more: overload with more seeds (results of three seeds differ by 2 to 3 %), and
//              single switches with longer samples, because 2,000 cycles still include the start (`set` replaces
//              settings of the recorded configuration)
// measure-booksim2.json lists them. Each is run with seeds 1 to n. An argument (part of an id) measures only the
// matching entries; the other rows of the tables stay as they are. Results in the folder MEASURED (default:
// /tmp/booksim2-measured) are reused.
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { readTable, writeTable } from "./booksim2-tables.mjs"

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const { again, more } = JSON.parse(readFileSync(here("./measure-booksim2.json"), "utf8"))
const program = resolve(process.env.BOOKSIM2 ?? "booksim")
const kept = process.env.MEASURED ?? "/tmp/booksim2-measured"
const only = new RegExp(process.argv[2] ?? ".")
mkdirSync(kept, { recursive: true })

const old = new Map(readTable("runs").map((f) => [f[0], f]))
// BookSim2 reads these only with a decimal point.
const real = new Set([
  "internal_speedup",
  "injection_rate",
  "stopping_thres",
  "acc_stopping_thres",
  "latency_thres",
  "write_fraction",
])
const written = (k, v) => (real.has(k) && /^\d+$/.test(v) ? `${v}.0` : v)

function configOf(text) {
  return Object.fromEntries(
    text.split(" ").map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
  )
}

function runOne(id, config, seed) {
  const file = join(kept, `${id}.${seed}.json`)
  // Entries of this group end by the rule of BookSim2.
  const rule = id.startsWith("defaultstop-") ? {} : { stopping_thres: "0.0", acc_stopping_thres: "0.0" }
  const text = Object.entries({ ...rule, ...config, seed: String(seed) })
    .map(([k, v]) => `${k} = ${written(k, v)};`)
    .join("\n")
  if (existsSync(file)) {
    const had = JSON.parse(readFileSync(file, "utf8"))
    if (had.text === text) return had.got
  }
  const folder = mkdtempSync(join(tmpdir(), "booksim2-"))
  writeFileSync(join(folder, "config"), text)
  const { stdout: out } = spawnSync(program, ["config"], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    timeout: 900_000,
  })
  rmSync(folder, { recursive: true })
  // With several classes: the mean over classes, which BookSim2 prints last.
  const tail = out.slice(Math.max(0, out.lastIndexOf("====== Overall Traffic Statistics")))
  const classes = tail.split(/====== Traffic class \d+ ======|Class \d+:/).slice(1)
  const stable = out.includes("Overall Traffic Statistics")
  const parts = (stable ? classes : [out.slice(out.lastIndexOf("Class 0:"))]).map((part) => ({
    latency: last(part, /Packet latency average = ([\d.e+-]+)/g),
    min: last(part, /Packet latency average = [\d.e+-]+[^\n]*\n\s*minimum = ([\d.e+-]+)/g),
    hops: last(part, /Hops average = ([\d.e+-]+)/g),
    accepted: last(part, /Accepted flit rate average ?= ([\d.e+-]+)/g),
  }))
  const cycles =
    last(out, /Time taken is (\d+) cycles/g) ||
    (out.match(/^Class 0:/gm) ?? []).length * Number(config.sample_period ?? 1000)
  const got = { stable, parts, cycles, warned: out.includes("Possible network deadlock") }
  writeFileSync(file, JSON.stringify({ text, got }))
  return got
}

function last(text, re) {
  const m = [...text.matchAll(re)].at(-1)
  return m === undefined ? Number.NaN : Number(m[1])
}

function summary(values) {
  const x = values.filter((v) => !Number.isNaN(v))
  if (x.length === 0) return ["", ""]
  const mean = x.reduce((a, b) => a + b, 0) / x.length
  const sd = Math.sqrt(x.reduce((a, b) => a + (b - mean) ** 2, 0) / Math.max(1, x.length - 1))
  return [String(Number(mean.toPrecision(6))), String(Number(sd.toPrecision(3)))]
}

function rowOf(id, group, nodes, offered, text, flags, seeds) {
  const config = configOf(text)
  const runs = Array.from({ length: seeds }, (_, i) => runOne(id, config, i + 1))
  const over = (r, key) => r.parts.reduce((sum, p) => sum + p[key], 0)
  const unstable = runs.some((r) => !r.stable)
  const accepted = runs.map((r) => over(r, "accepted"))
  const low = accepted.reduce((a, b) => a + b, 0) / seeds < 0.95 * offered
  const saturated = flags ?? (unstable || (config.sim_type === "throughput" && low) ? "s" : "")
  const mins = runs.map((r) => Math.min(...r.parts.map((p) => p.min))).filter((v) => !Number.isNaN(v))
  return [
    id,
    group,
    nodes,
    offered,
    text,
    saturated,
    ...summary(runs.map((r) => over(r, "latency") / r.parts.length)),
    mins.length === 0 ? "" : Math.min(...mins),
    ...summary(unstable ? [] : runs.map((r) => over(r, "hops") / r.parts.length)),
    ...summary(accepted),
    Math.round(runs.reduce((sum, r) => sum + r.cycles, 0) / seeds),
    seeds,
  ].map(String)
}

const rows = { more: [], again: [] }
for (const e of more)
  if (only.test(e.id)) rows.more.push(rowOf(e.id, e.group, e.nodes, e.offered, e.config, undefined, e.seeds))
for (const e of again) {
  if (!only.test(e.id)) continue
  const f = old.get(e.id)
  const config = Object.entries({ ...configOf(f[4]), ...(e.set === undefined ? {} : configOf(e.set)) })
  rows.again.push(rowOf(f[0], f[1], f[2], f[3], config.map(([k, v]) => `${k}=${v}`).join(" "), f[5], e.seeds))
}
/** Rows that were not measured now stay unchanged. */
function merged(name, fresh, order) {
  const byId = new Map([...readTable(name), ...fresh].map((row) => [row[0], row]))
  return order.flatMap(({ id }) => (byId.has(id) ? [byId.get(id)] : []))
}
writeTable("more", merged("more", rows.more, more))
writeTable("again", merged("again", rows.again, again))
for (const row of [...rows.more, ...rows.again]) console.log(row.filter((_, i) => i !== 4).join(" "))
