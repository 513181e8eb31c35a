// A pool of worker threads, one run at a time each. A run that crashes, hangs or eats its memory ends alone.
// Long runs get a fresh isolate; after a short one the worker is used again, because starting one would cost more.
import { Worker } from "node:worker_threads"
import type { Complaint } from "../core/complaint.ts"
import { faultOf } from "../experiment/outside/fault.ts"
import type { RunResult, StopReason } from "../model/experiment.ts"
import { type Job, type Order, type Report, STOP } from "./messages.ts"
import { after } from "./timer.ts"

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
  readonly note: (text: string) => void
  readonly done: (outcome: Outcome) => void
}

/** After the stop flag is raised a run has this long to end by itself, in milliseconds. */
const grace = 500
/** A run that is to be written down has this long: the state of a large network takes seconds to deflate. */
const leaving = 60_000
/** A run of more flit-hops than this is worth a fresh isolate: code that has served before ran 1.4 to 1.8 times as long (measured), and that is
 * more than the start of a worker. Work, not seconds: other work on the machine makes every run slow. */
export const longFlitHops = 5e5

export class Pool {
  private readonly options: PoolOptions
  private readonly waiting: Waiting[] = []
  private readonly running = new Set<Seat>()
  private readonly idle: Worker[] = []
  private closed = false
  constructor(options: PoolOptions) {
    this.options = options
  }

  run(job: Job, on: { started?: () => void; progress?: OnProgress; note?: (text: string) => void } = {}): Promise<Outcome> {
    return new Promise((done) => {
      const { started = () => {}, progress = () => {}, note = () => {} } = on
      this.waiting.push({ job, started, progress, note, done })
      this.next()
    })
  }

  /** Ends what is running, written down where it is to be, and forgets what is waiting; their promises answer `interrupted`. */
  interrupt(): void {
    this.closed = true
    for (const one of this.waiting.splice(0)) one.done({ interrupted: true })
    for (const one of this.running) one.leave()
    this.close()
  }

  /** threads that are there, at work or waiting */
  get threads(): number {
    return this.idle.length + this.running.size
  }

  /** Lets go of the workers that wait. */
  close(): void {
    for (const worker of this.idle.splice(0)) void worker.terminate()
  }

  private next(): void {
    if (this.closed) for (const one of this.waiting.splice(0)) one.done({ interrupted: true })
    while (this.running.size < this.options.workers && this.waiting.length > 0) this.start(this.waiting.shift()!)
  }

  private start(one: Waiting): void {
    const used = one.job.long === true ? undefined : this.idle.pop()
    const seat = new Seat(used ?? startWorker(this.options), this.options, one, (outcome, worker) => {
      this.running.delete(seat)
      if (worker !== undefined) this.keep(worker)
      one.done(outcome)
      setImmediate(() => this.next())
    })
    this.running.add(seat)
    seat.begin()
  }

  /** No more workers than can be used at once: long runs come with their own, and leave those behind that waited. */
  private keep(worker: Worker): void {
    if (!this.closed && this.idle.length + this.running.size < this.options.workers) this.idle.push(worker)
    else void worker.terminate()
  }
}

/** One run on one worker. `left` gets the worker back when it may serve again. */
class Seat {
  private readonly worker: Worker
  private readonly options: PoolOptions
  private readonly one: Waiting
  private readonly left: (outcome: Outcome, worker: Worker | undefined) => void
  private readonly stop = new Int32Array(new SharedArrayBuffer(4))
  private readonly begun = performance.now()
  private cancel: (() => void) | undefined
  private megabytes = 0
  private ended = false

  constructor(worker: Worker, options: PoolOptions, one: Waiting, left: Seat["left"]) {
    this.worker = worker
    this.options = options
    this.one = one
    this.left = left
  }

  begin(): void {
    const { seconds = Infinity, megabytes = Infinity } = this.options
    this.worker.on("message", (report: Report) => this.hear(report))
    this.worker.on("error", (e: Error & { code?: string }) => {
      if (e.code === "ERR_WORKER_OUT_OF_MEMORY") this.outOfMemory(`limit ${megabytes} MB`)
      else this.fail("crashed", crash(e))
    })
    this.worker.on("exit", (code) => this.fail("crashed", `the worker ended by itself with code ${code}`))
    if (Number.isFinite(seconds)) {
      this.cancel = after(seconds * 1000, () => {
        Atomics.store(this.stop, 0, STOP.end)
        this.cancel = after(grace, () => this.outOfTime())
      })
    }
    const order: Order = { ...this.one.job, megabytes, stop: this.stop }
    this.worker.postMessage(order)
    this.one.started()
  }

  private hear(report: Report): void {
    if (report.kind === "progress") {
      this.megabytes = report.megabytes
      if (!this.ended) this.one.progress(report.fraction, report.text, report.megabytes)
    } else if (report.kind === "note") this.one.note(report.text)
    else if (report.kind === "left") this.end({ interrupted: true })
    else if (report.kind === "memory") this.outOfMemory(report.says)
    else if (report.kind === "refused") this.end({ refused: report.bad })
    else if (this.stop[0] === STOP.end) this.outOfTime()
    else {
      const { result, seconds, megabytes } = report
      this.end({ result, seconds, megabytes }, (result.values["flit-hops"] ?? Infinity) < longFlitHops)
    }
  }

  leave(): void {
    this.cancel?.()
    if (this.one.job.checkpoint?.every === undefined) {
      this.end({ interrupted: true })
      return
    }
    Atomics.store(this.stop, 0, STOP.leave)
    this.cancel = after(leaving, () => this.end({ interrupted: true }))
  }

  end(outcome: Outcome, again = false): void {
    if (this.ended) return
    this.ended = true
    this.cancel?.()
    for (const event of ["message", "error", "exit"]) this.worker.removeAllListeners(event)
    if (again) this.left(outcome, this.worker)
    else void this.worker.terminate().then(() => this.left(outcome, undefined))
  }

  private fail(why: StopReason, explains: string): void {
    const result = { why, explains, fingerprint: "", values: {}, tables: {} }
    this.end({ result, seconds: (performance.now() - this.begun) / 1000, megabytes: this.megabytes })
  }

  private outOfTime(): void {
    this.fail("time", `the limit of ${this.options.seconds} s for one run was reached; raise limits.time, or shorten measure.limit`)
  }

  private outOfMemory(says: string): void {
    this.fail("memory", `the run needs more memory than it may have (${says}); raise limits.memory, or make the network smaller`)
  }
}

function startWorker({ megabytes = Infinity, simulator }: PoolOptions): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: Math.max(16, Math.ceil(megabytes)) }
  return new Worker(workerEntry(), { workerData: { simulator }, ...(Number.isFinite(megabytes) ? { resourceLimits } : {}) })
}

function crash(e: Error): string {
  const fault = faultOf(e)
  if (fault !== undefined) return `${fault.says}; ${fault.fix}`
  const where = e.stack?.split("\n").find((line) => line.trim().startsWith("at ")) ?? ""
  return `lacewing has a bug: ${e.name}: ${e.message} ${where.trim()}`.trim()
}

/** Compiled beside this file; from source, Node runs .ts in workers only where it strips types (22.18 and later): else the last build serves. */
function workerEntry(): URL {
  if (!import.meta.url.endsWith(".ts")) return new URL("./worker.js", import.meta.url)
  const strips = "typescript" in process.features && Boolean(process.features.typescript)
  return strips ? new URL("./worker.ts", import.meta.url) : new URL("../../dist/app/worker.js", import.meta.url)
}
