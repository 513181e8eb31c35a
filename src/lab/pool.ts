// A pool of worker threads: one run at a time each, every run in a fresh isolate. A run that crashes, hangs or eats its memory ends alone.
import { Worker } from "node:worker_threads"
import type { Complaint } from "../core/complaint.ts"
import type { RunResult, StopReason } from "../model/experiment.ts"
import type { Job, Order, Report } from "./messages.ts"

export interface PoolOptions {
  /** runs at the same time */
  readonly workers: number
  /** limits of one run */
  readonly seconds?: number
  readonly megabytes?: number
  /** another simulator, for tests */
  readonly simulator?: string
}

export type Outcome =
  | { readonly result: RunResult; readonly seconds: number; readonly megabytes: number }
  | { readonly refused: readonly Complaint[] }
  | { readonly interrupted: true }

export type OnProgress = (fraction: number, text: string, megabytes: number) => void

interface Waiting {
  readonly job: Job
  readonly started: () => void
  readonly progress: OnProgress
  readonly done: (outcome: Outcome) => void
}

/** After the stop flag is raised a run has this long to end by itself. */
const grace = 500

export class Pool {
  private readonly options: PoolOptions
  private readonly waiting: Waiting[] = []
  private readonly running = new Set<{ interrupt(): void }>()
  private closed = false
  constructor(options: PoolOptions) {
    this.options = options
  }

  run(job: Job, on: { started?: () => void; progress?: OnProgress } = {}): Promise<Outcome> {
    return new Promise((done) => {
      this.waiting.push({ job, started: on.started ?? (() => {}), progress: on.progress ?? (() => {}), done })
      this.next()
    })
  }

  /** Ends what is running and forgets what is waiting; their promises answer `interrupted`. */
  interrupt(): void {
    this.closed = true
    for (const one of this.waiting.splice(0)) one.done({ interrupted: true })
    for (const one of this.running) one.interrupt()
  }

  private next(): void {
    if (this.closed) {
      for (const one of this.waiting.splice(0)) one.done({ interrupted: true })
      return
    }
    while (this.running.size < this.options.workers && this.waiting.length > 0) this.start(this.waiting.shift()!)
  }

  private start({ job, started, progress, done }: Waiting): void {
    const { seconds = Infinity, megabytes = Infinity, simulator } = this.options
    const begun = performance.now()
    const stop = new Int32Array(new SharedArrayBuffer(4))
    const worker = new Worker(workerEntry(), {
      workerData: { simulator },
      ...(Number.isFinite(megabytes) ? { resourceLimits: { maxOldGenerationSizeMb: Math.max(16, Math.ceil(megabytes)) } } : {}),
    })
    let most = 0
    let ended = false
    const end = (outcome: Outcome): void => {
      if (ended) return
      ended = true
      clearTimeout(timer)
      void worker.terminate().then(() => {
        this.running.delete(self)
        done(outcome)
        this.next()
      })
    }
    const fail = (why: StopReason, explains: string) =>
      end({
        result: { why, explains, fingerprint: "", values: {}, tables: {} },
        seconds: (performance.now() - begun) / 1000,
        megabytes: most,
      })
    const late = (outcome: () => void) => {
      Atomics.store(stop, 0, 1)
      setTimeout(outcome, grace).unref()
    }
    const self = { interrupt: () => end({ interrupted: true }) }
    const outOfTime = () => fail("time", `the limit of ${seconds} s for one run was reached; raise limits.time, or shorten measure.limit`)
    const timer = Number.isFinite(seconds) ? setTimeout(() => late(outOfTime), seconds * 1000) : undefined
    const outOfMemory = (says: string) =>
      fail("memory", `the run needs more memory than it may have (${says}); raise limits.memory, or make the network smaller`)
    this.running.add(self)
    worker.on("message", (report: Report) => {
      if (report.kind === "progress") {
        most = report.megabytes
        if (!ended) progress(report.fraction, report.text, report.megabytes)
      } else if (report.kind === "memory") outOfMemory(report.says)
      else if (report.kind === "refused") end({ refused: report.bad })
      else if (stop[0] === 1) outOfTime()
      else end(report)
    })
    worker.on("error", (e: Error & { code?: string }) => {
      if (e.code === "ERR_WORKER_OUT_OF_MEMORY") outOfMemory(`limit ${megabytes} MB`)
      else fail("crashed", crash(e))
    })
    worker.on("exit", (code) => fail("crashed", `the worker ended by itself with code ${code}`))
    const order: Order = { ...job, megabytes, stop }
    worker.postMessage(order)
    started()
  }
}

function crash(e: Error): string {
  const where = e.stack?.split("\n").find((line) => line.trim().startsWith("at ")) ?? ""
  return `lacewing has a bug: ${e.name}: ${e.message} ${where.trim()}`.trim()
}

/** Compiled beside this file; from source, Node runs .ts in workers only where it strips types (22.18 and later): else the last build serves. */
function workerEntry(): URL {
  if (!import.meta.url.endsWith(".ts")) return new URL("./worker.js", import.meta.url)
  const strips = "typescript" in process.features && Boolean(process.features.typescript)
  return strips ? new URL("./worker.ts", import.meta.url) : new URL("../../dist/lab/worker.js", import.meta.url)
}
