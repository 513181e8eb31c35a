// Kills a run with `--checkpoint` (SIGKILL) at random moments, restarts it each time, and compares it with an
// undisturbed run.
//   node scripts/kill-checkpoint.mjs [--kills 30] [--cycles 200000] [--interval 400ms] [--seed 1] [--busy] [--json]
// The exit code is 1 in these cases:
// - The fingerprint, values or tables differ from those of the undisturbed run.
// - A process continues from another cycle than that of the last checkpoint before it, or the seconds of the run do not
//   add up.
// - More than an interval was lost at a kill, or was between two checkpoints (--busy: only reported, because other work
//   can stop any process for long).
//
// Needs a build.
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { buildVersion } from "../dist/app/web.js"
import { secondsOf } from "../dist/core/duration.js"
import { Draws } from "../dist/core/rng.js"
import { differencesOf } from "../dist/reproduce/peers/matrix/modes.js"
import { checkpointPath, readCheckpoint } from "../dist/results/checkpoints.js"
import { readResults } from "../dist/results/read.js"
import { unpacked } from "../dist/run/checkpoint.js"

const { values: asked } = parseArgs({
  options: {
    kills: { type: "string", default: "30" },
    cycles: { type: "string", default: "200000" },
    interval: { type: "string", default: "400ms" },
    seed: { type: "string", default: "1" },
    busy: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
})
const [kills, cycles, seed] = [asked.kills, asked.cycles, asked.seed].map(Number)
const interval = 1000 * (secondsOf(asked.interval) ?? 0)
if (![kills, cycles, seed].every(Number.isInteger) || !(interval > 0)) {
  console.error("kill-checkpoint: --kills, --cycles and --seed are whole numbers, --interval is a time such as 400ms")
  process.exit(2)
}

const out = mkdtempSync(join(tmpdir(), "lacewing-kill-"))
const file = join(out, "long.json")
let dir = ""
const program = fileURLToPath(new URL("../dist/app/main.js", import.meta.url))

const runOf = (window) => ({
  lacewing: 1,
  network: {
    topology: { name: "mesh", k: 8, n: 2 },
    routing: "mesh.dimension-order",
    switch: { name: "input-queued", vcs: 2 },
  },
  traffic: { pattern: "uniform", load: 0.3, packet: "2flits" },
  measure: { warmup: "1kcycles", window: `${window}cycles`, limit: `${4 * window}cycles`, series: "1kcycles" },
  probes: ["channels", "series", "latency"],
})

/** A process of the run; `goesOn` is the cycle from which it continues, and the time at which it printed that. */
function start(folder, ...more) {
  const child = spawn(process.execPath, [
    program,
    "run",
    file,
    "--json",
    "--no-report",
    "--workers",
    "1",
    "--out",
    folder,
    ...more,
  ])
  const life = { child, begun: Date.now(), over: false, text: "", goesOn: undefined, ended: undefined }
  child.stdout.resume()
  child.stderr.on("data", (data) => {
    life.text += data
    const said = /continues from its checkpoint at cycle (\d+)\.\n/.exec(life.text)
    if (said !== null) life.goesOn ??= { cycle: Number(said[1]), at: Date.now() }
  })
  life.ended = new Promise((done) =>
    child.on("close", (code, signal) => {
      life.over = true
      done({ code, signal })
    }),
  )
  return life
}

async function storedIn(folder) {
  const read = await readResults(folder)
  if ("bad" in read || read.ok.records.length !== 1)
    throw new Error(`${folder}: ${JSON.stringify(read.bad ?? read.ok.said)}`)
  return read.ok.records[0]
}

/**
 * Returns the checkpoint on the disk: its cycle, the seconds of the run until then (`loops`: without the start of
 * processes), and its time.
 */
function stateOf(hash) {
  const path = checkpointPath(dir, hash)
  const at = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  if (at === undefined) return undefined
  const bytes = readCheckpoint(dir, hash)
  if (bytes === "absent") return undefined
  const kept = bytes === "damaged" ? "is not whole" : unpacked(hash, bytes, buildVersion)
  if (typeof kept === "string") throw new Error(`${path} ${kept}`)
  return { at, cycle: kept.saved.state.measurement.port.now, seconds: kept.seconds, loops: kept.saved.state.seconds }
}

/**
 * Starts the run and kills it `wait` ms after its start, or after it has continued and written this many checkpoints.
 * Returns all checkpoints that it wrote; undefined if it finished before.
 */
async function killed(hash, before, { after, wait }) {
  const life = start(dir, "--checkpoint", asked.interval)
  const states = []
  let last = before
  const look = () => {
    if (statSync(checkpointPath(dir, hash), { throwIfNoEntry: false })?.mtimeMs === last?.at) return
    const state = stateOf(hash)
    if (state === undefined || state.at === last?.at) return
    states.push(state)
    last = state
  }
  const since = () => (after === "start" ? life.begun : after === 0 ? life.goesOn?.at : states[after - 1]?.at)
  while (!life.over && Date.now() < (since() ?? Number.POSITIVE_INFINITY) + wait) {
    look()
    await sleep(2)
  }
  const at = Date.now()
  life.child.kill("SIGKILL")
  const { signal } = await life.ended
  look()
  if (signal !== "SIGKILL") return undefined
  return { at, last, states, goesOn: life.goesOn }
}

/** The whole comparison; undefined if the run finished before the last kill. */
async function compared(window) {
  const wrong = []
  const plainly = join(out, `${window}-straight`)
  dir = join(out, `${window}-killed`)
  writeFileSync(file, JSON.stringify(runOf(window)))
  const plain = start(plainly)
  const { code: ended } = await plain.ended
  if (ended !== 0) throw new Error(`the run itself ended with exit code ${ended}: ${plain.text}`)
  const straight = await storedIn(plainly)
  const draws = new Draws(seed)
  const lost = []
  const gaps = []
  let states = 0
  let [starting, last] = [0, undefined]
  for (let i = 1; i <= kills; i++) {
    // One kill in five is during the start of the process, the first one after a checkpoint.
    const after = last === undefined ? 1 : draws.below(5) === 0 ? "start" : draws.below(3)
    const life = await killed(straight.hash, last, { after, wait: draws.unit() * (after === "start" ? 500 : interval) })
    if (life === undefined) return undefined
    const { goesOn } = life
    if (goesOn === undefined) starting++
    if (goesOn !== undefined && goesOn.cycle !== last?.cycle)
      wrong.push(`kill ${i}: continued from cycle ${goesOn.cycle}, and the last checkpoint was of cycle ${last?.cycle}`)
    const all = last === undefined ? life.states : [last, ...life.states]
    for (let k = 1; k < all.length; k++)
      if (all[k].cycle <= all[k - 1].cycle || all[k].seconds <= all[k - 1].seconds)
        wrong.push(`kill ${i}: after ${JSON.stringify(all[k - 1])} came ${JSON.stringify(all[k])}`)
    for (let k = 1; k < life.states.length; k++) gaps.push(1000 * (life.states[k].seconds - life.states[k - 1].seconds))
    // The work since the last checkpoint, or since the process continued.
    const from = life.states.at(-1)?.at ?? goesOn?.at
    if (from !== undefined) lost.push(life.at - from)
    states += life.states.length
    last = life.last
  }
  const life = start(dir)
  const { code } = await life.ended
  if (code !== 0) throw new Error(`the last process ended with exit code ${code}: ${life.text}`)
  if (life.goesOn?.cycle !== last.cycle)
    wrong.push(`the end: continued from cycle ${life.goesOn?.cycle}, not from ${last.cycle}`)
  const record = await storedIn(dir)
  wrong.push(...differencesOf(straight.result, record.result))
  const { seconds } = record.provenance
  // All processes: the seconds of the last checkpoint, and those of the last process for its start and the rest of the
  // run.
  const rest = record.result.values.seconds - last.loops
  if (!(rest > 0 && seconds > last.seconds + rest))
    wrong.push(
      `provenance: ${seconds} s, after ${last.seconds} s at the last checkpoint and ${rest} s of the run from there`,
    )
  const most = (list) => Math.round(Math.max(0, ...list))
  return {
    ...{
      kills,
      starting,
      states,
      cycles: record.result.values.cycles,
      lastCheckpoint: last.cycle,
      fingerprint: record.result.fingerprint,
    },
    ...{ tables: Object.keys(record.result.tables), interval, mostLost: most(lost), longestGap: most(gaps) },
    ...{ late: [...lost, ...gaps].filter((ms) => ms > interval).length, secondsAtLast: last.seconds, seconds, wrong },
  }
}

try {
  let found
  // The machine is fast, or this process was stopped for long: repeat with a longer run.
  for (let window = cycles; found === undefined; window *= 2) found = await compared(window)
  if (asked.json) console.log(JSON.stringify(found))
  else {
    console.log(
      `${found.kills} kills, ${found.starting} of them before the process continued; ` +
        `${found.states} checkpoints of a run of ${found.cycles} cycles`,
    )
    console.log(`the last checkpoint is of cycle ${found.lastCheckpoint}`)
    console.log(
      `interval ${interval} ms: at most ${found.mostLost} ms lost at a kill, at most ` +
        `${found.longestGap} ms between two states, ${found.late} beyond the interval`,
    )
    console.log(
      `seconds of all processes ${found.seconds.toFixed(2)}, at the last checkpoint ${found.secondsAtLast.toFixed(2)}`,
    )
    for (const text of found.wrong) console.log(`WRONG: ${text}`)
    if (found.wrong.length === 0)
      console.log(
        `fingerprint ${found.fingerprint}, values and tables (${found.tables.join(", ")}) are those of the ` +
          "run that was never killed; every process continued from the last checkpoint",
      )
  }
  process.exitCode = found.wrong.length > 0 || (found.late > 0 && !asked.busy) ? 1 : 0
} finally {
  rmSync(out, { recursive: true, force: true })
}
