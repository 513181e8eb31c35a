// One run in an isolate of its own: fresh code for the kernel, and a crash or lack of memory that hits this run alone.
import { getHeapStatistics } from "node:v8"
import { parentPort, workerData } from "node:worker_threads"
import { moduleFrom } from "../experiment/gate.ts"
import { keepCompiled } from "./compile-here.ts"
import { type Order, type Report, STOP } from "./messages.ts"
import { loadSimulator } from "./simulator.ts"

const betweenReports = 100

// before the simulator and all else is loaded
keepCompiled()
const { hostAt } = await import("../experiment/disk/host.ts")

function megabytes(): number {
  const { used_heap_size, external_memory } = getHeapStatistics()
  return (used_heap_size + external_memory) / 2 ** 20
}

async function serve(order: Order, say: (report: Report) => void, simulatorUrl: string | undefined): Promise<void> {
  const started = performance.now()
  const { prepare, simulate } = await loadSimulator(simulatorUrl === undefined ? undefined : moduleFrom("this process", simulatorUrl).ok)
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
  const keeper =
    order.checkpoint === undefined
      ? undefined
      : new (await import("./checkpoint.ts")).Checkpoints(
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
    // A typed array that cannot be had is lack of memory; anything else is a bug, which the pool reports with its stack.
    if (e instanceof RangeError && /allocation|array length/i.test(e.message)) say({ kind: "memory", says: e.message })
    else
      setImmediate(() => {
        throw e
      })
  })
})
