// Entry point of a worker thread of the pool (pool.ts). It executes one run at a time in its own V8 isolate, so the
// code is optimised for this run, and a crash or an allocation failure ends only this run. Orders and reports are in
// messages.ts.
import { getHeapStatistics } from "node:v8"
import { parentPort, workerData } from "node:worker_threads"
import { moduleFrom } from "../experiment/gate.ts"
import { keepCompiled } from "../run/compile-here.ts"
import { type Order, type Report, STOP } from "./messages.ts"
import { loadSimulator } from "./simulator.ts"

/** milliseconds between two progress reports */
const betweenReports = 100

// This must run before the simulator is loaded, because it turns on the compile cache for it.
keepCompiled()
const { hostAt } = await import("../experiment/disk/host.ts")

/** Returns the memory of this isolate, including typed arrays. */
function megabytes(): number {
  const { used_heap_size, external_memory } = getHeapStatistics()
  return (used_heap_size + external_memory) / 2 ** 20
}

/** Executes one run and reports its result, its refusal, or that its state was saved. */
async function serve(order: Order, say: (report: Report) => void, simulatorUrl: string | undefined): Promise<void> {
  const started = performance.now()
  const { prepare, simulate } = await loadSimulator(
    simulatorUrl === undefined ? undefined : moduleFrom("this process", simulatorUrl).ok,
  )
  if (order.spec.plugins !== undefined) {
    const { loadNamed } = await import("../experiment/outside/load.ts")
    const bad = await loadNamed(order.spec.plugins, order.folder, "this process")
    if (bad.length > 0) return say({ kind: "refused", bad })
  }
  const prepared = prepare(order.spec, hostAt(order.folder, order.spec.plugins))
  if ("bad" in prepared) return say({ kind: "refused", bad: prepared.bad })
  let last = 0
  let most = 0
  const stop = () => Atomics.load(order.stop, 0)
  // checkpoint.ts is loaded only if a checkpoint is wanted, because it costs start-up time.
  const keeper =
    order.checkpoint === undefined
      ? undefined
      : new (await import("../run/checkpoint.ts")).Checkpoints(
          order.checkpoint,
          () => stop() === STOP.leave,
          (text) => say({ kind: "note", text }),
          { started },
        )
  const result = await simulate(prepared.ok, {
    ...(keeper === undefined ? {} : { keeper }),
    workers: order.workers,
    audit: order.audit,
    onProgress(fraction, text) {
      const now = performance.now()
      if (now - last < betweenReports) return
      last = now
      most = Math.max(most, megabytes())
      say({ kind: "progress", fraction, text, megabytes: most })
    },
    shouldStop: () => most > order.megabytes || stop() === STOP.end,
  })
  if (keeper?.left === true) return say({ kind: "left" })
  most = Math.max(most, megabytes())
  if (most > order.megabytes) return say({ kind: "memory", says: `${Math.ceil(most)} MB` })
  const seconds = keeper?.seconds ?? (performance.now() - started) / 1000
  say({ kind: "result", result, seconds, megabytes: most })
}

const port = parentPort
if (port === null) throw new Error("worker.ts is started by the pool")
port.on("message", (order: Order) => {
  const say = (report: Report) => port.postMessage(report)
  serve(order, say, workerData?.simulator).catch((e: unknown) => {
    // A typed array that cannot be allocated means that memory is exhausted. Any other error is a bug, which the pool
    // reports with its stack.
    if (e instanceof RangeError && /allocation|array length/i.test(e.message)) say({ kind: "memory", says: e.message })
    else
      setImmediate(() => {
        throw e
      })
  })
})
