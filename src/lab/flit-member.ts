// Entry of a worker thread that helps with one run (flit-team.ts).
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { parentPort, workerData } from "node:worker_threads"
import { TEAM, Team } from "../engines/flit/team.ts"
import { clockedEngine } from "./clocked-engine.ts"
import { compile } from "./compile.ts"
import type { TeamOrder } from "./flit-team.ts"

const o = workerData as TeamOrder
const compiled = compile(o.spec, { read: (p) => readFileSync(resolve(o.folder, p), "utf8") })
if ("bad" in compiled) throw new Error(JSON.stringify(compiled.bad))
const engine = clockedEngine(compiled.ok, {
  parts: o.parts,
  assign: o.assign,
  workers: o.size,
  horizon: o.horizon,
  series: o.series,
  adopt: o.memory,
})
const team = new Team(o.sync, o.size, o.me)
const order = Atomics.load(o.sync, TEAM.order)
parentPort!.postMessage("ready")
try {
  team.serve(engine, order)
} catch (e) {
  console.error(e)
  team.fail()
  throw e
}
