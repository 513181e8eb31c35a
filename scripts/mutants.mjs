// Which rows of the papers notice a broken mechanism? Runs the quick form of each figure without a change and with
// each mutant of its paper (scripts/mutants/list.mjs), and writes papers/mutants.md. Needs a build.
//   node scripts/mutants.mjs [FIGURE or PAPER …]   runs what has no result yet, the cheapest figure first
//     --most SECONDS    skips figures whose quick form took longer (default: 120)
//     --minutes N       ends after this time; the next call continues
//     --workers N       parallel runs (default: 1)
//     --write           writes docs/recorded/mutants.json and papers/mutants.md from all results so far
//     --rows FOLDER     results to write (default: those of this build, results/mutants/…/rows)
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { papers } from "../dist/reproduce/papers/index.js"
import { buildName } from "./model-code.mjs"
import { changed, patched } from "./mutants/change.mjs"
import { mutants } from "./mutants/list.mjs"
import { writePage } from "./mutants/page.mjs"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    most: { type: "string", default: "120" },
    minutes: { type: "string", default: "1000000" },
    workers: { type: "string", default: "1" },
    write: { type: "boolean", default: false },
    rows: { type: "string" },
  },
})
const root = fileURLToPath(new URL("..", import.meta.url))
const build = await buildName(root)
const base = join(root, "results/mutants", build)
const rows = values.rows ?? join(base, "rows")
const end = performance.now() + 60_000 * Number(values.minutes)
const skipped = /assumptions|adapters/
const chosen = papers.filter(
  (f) =>
    !skipped.test(f.id) &&
    (f.quick ?? f.inspect) !== undefined &&
    (positionals.length === 0 || positionals.some((p) => f.id === p || f.id.startsWith(`${p}/`))),
)
const fileOf = (figure, name) => join(rows, name, `${figure.id}.json`)
const read = (figure, name) =>
  existsSync(fileOf(figure, name)) ? JSON.parse(readFileSync(fileOf(figure, name), "utf8")) : undefined

/** Runs a figure, unless its result is known. Returns false if the time is over. */
function one(figure, name, dist = join(root, "dist")) {
  if (read(figure, name) !== undefined) return true
  if (performance.now() > end) return false
  const folder = join(base, "runs", name, figure.shares ?? figure.id)
  const args = [dist, figure.id, name, folder, fileOf(figure, name), values.workers]
  const done = spawnSync(process.execPath, [join(root, "scripts/mutants/run-one.mjs"), ...args], { encoding: "utf8" })
  const got = read(figure, name)
  const lost = got?.rows?.filter((r) => r.word === "fails").length
  const told = got === undefined ? `FAILED ${done.stderr.slice(-400)}` : (got.refused?.[0] ?? `${lost} rows fail`)
  console.log(`${figure.id} ${name}: ${told} (${got?.seconds ?? "–"} s)`)
  return true
}

/** Returns whether a mutant can change a figure: its keys occur, or it changes the source. */
function concerns(mutant, figure) {
  if (!figure.id.startsWith(`${mutant.paper}/`)) return false
  if (mutant.patch !== undefined) return mutant.figures === undefined || mutant.figures.test(figure.id)
  return Object.values(figure.quick?.experiments ?? {}).some((e) => changed(e, mutant.set) !== undefined)
}

if (!values.write || positionals.length > 0) {
  let open = chosen.every((f) => one(f, "none"))
  const cheap = chosen
    .filter((f) => read(f, "none")?.rows !== undefined && read(f, "none").seconds <= Number(values.most))
    .sort((a, b) => read(a, "none").seconds - read(b, "none").seconds)
  for (const figure of cheap)
    for (const mutant of mutants.filter((m) => m.set !== undefined && concerns(m, figure)))
      open = open && one(figure, `${mutant.paper}/${mutant.id}`)
  for (const mutant of mutants.filter((m) => m.patch !== undefined)) {
    const name = `${mutant.paper}/${mutant.id}`
    const todo = cheap.filter((f) => concerns(mutant, f) && read(f, name) === undefined)
    if (todo.length === 0 || !open) continue
    const folder = join(base, "builds", name)
    rmSync(folder, { recursive: true, force: true })
    const dist = patched(root, folder, mutant.patch)
    for (const figure of todo) open = open && one(figure, name, dist)
    rmSync(folder, { recursive: true, force: true })
  }
  if (!open) console.log("The time is over; the same command continues.")
}
if (values.write) {
  const about = { code: build, recorded: new Date().toISOString().slice(0, 10) }
  writePage(root, papers, mutants, read, concerns, about)
}
