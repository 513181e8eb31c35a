// A thread of a worker group without a network (bare.mjs).
import { workerData as o, parentPort } from "node:worker_threads"
import { clockedMember, failing, mailWork, modulesOf } from "./bare.mjs"

const modules = await modulesOf(o.dist)
const work = failing(o)
if (o.kind === "make" && o.workers.includes(o.me)) throw new Error(`planted: make in worker ${o.me}`)
const { breakOff, hasFailed, WorkerGroup, GROUP } = modules
const watch = () => {
  if (hasFailed(o.failure)) throw new Error("another worker broke off")
}
const team = o.mail === undefined ? new WorkerGroup(o.sync, o.size, o.me, o.crowded) : undefined
const order = team === undefined ? 0 : Atomics.load(o.sync, GROUP.order)
parentPort.postMessage("ready")
try {
  if (team === undefined) mailWork(modules, o.mail, o.me, work, watch)
  else team.serve(clockedMember(o.size, work), order)
} catch (e) {
  breakOff(o.failure, o.me, e)
  team?.fail()
}
process.exit(0)
