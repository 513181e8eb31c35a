// Runs the quick form of one figure, without a change or with that of one mutant, and writes its rows. scripts/
// mutants.mjs starts it as a process, because a changed source needs a build that is loaded from another folder.
//   node scripts/mutants/run-one.mjs DIST FIGURE MUTANT|none FOLDER FILE WORKERS
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { changed } from "./change.mjs"
import { mutants } from "./list.mjs"

const [dist, id, name, folder, file, workers] = process.argv.slice(2)
const load = (path) => import(pathToFileURL(join(resolve(dist), path)).href)
const { papers } = await load("reproduce/papers/index.js")
const { runPaper, wordOf } = await load("reproduce/papers/paper.js")
const { experimentRunner } = await load("reproduce/papers/run.js")
const figure = papers.find((f) => f.id === id)
const mutant = mutants.find((m) => `${m.paper}/${m.id}` === name)
const run = experimentRunner({ workers: Number(workers) })
const simulated = figure.quick !== undefined
let touched = mutant?.set === undefined
const one = (experiment, out, of) => {
  const other = mutant?.set === undefined ? undefined : changed(experiment, mutant.set)
  if (other !== undefined) touched = true
  return run(other ?? experiment, out, of)
}
const started = performance.now()
const got = await runPaper(figure, simulated ? "quick" : "full", one, folder)
const result =
  "bad" in got
    ? { refused: got.bad.map((c) => `${c.path}: ${c.says}`).slice(0, 3) }
    : {
        rows: got.ok.rows.map((r) => ({
          claim: r.claim,
          word: wordOf(r),
          value: Number.isFinite(r.value) ? r.value : null,
          low: Number.isFinite(r.low) ? r.low : null,
          high: Number.isFinite(r.high) ? r.high : null,
        })),
      }
mkdirSync(dirname(file), { recursive: true })
const seconds = Math.round(performance.now() - started) / 1000
writeFileSync(file, `${JSON.stringify({ figure: id, mutant: name, touched, seconds, ...result }, null, 1)}\n`)
