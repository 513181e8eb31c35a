// A pool of worker threads, each with one run at a time. A run that crashes, hangs or exhausts its memory ends without
// effect on the others. Long runs get a fresh isolate. After a short run the worker is used again, because starting one
// would cost more than the run. execute.ts is the caller.
import { Worker } from "node:worker_threads"
import type { Complaint } from "../core/complaint.ts"
import { faultOf } from "../experiment/outside/fault.ts"
import type { RunResult, StopReason } from "../model/experiment.ts"
import { longFlitHops } from "../predict/long-run.ts"
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

/** A queued run with its callbacks. */
interface Waiting {
  readonly job: Job
  readonly started: () => void
  readonly progress: OnProgress
  readonly note: (text: string) => void
  readonly done: (outcome: Outcome) => void
}

/** Milliseconds that a run has to end after its stop flag was set. */
const grace = 500
/** Milliseconds for a run that saves its state: compressing the state of a large network takes seconds. */
const leaving = 60_000
/** The pool. Runs are started in the order in which they were added. */
export class Pool {
  private readonly options: PoolOptions
  private readonly waiting: Waiting[] = []
  private readonly running = new Set<Seat>()
  private readonly idle: Worker[] = []
  private closed = false
  constructor(options: PoolOptions) {
    this.options = options
  }

  run(
    job: Job,
    on: { started?: () => void; progress?: OnProgress; note?: (text: string) => void } = {},
  ): Promise<Outcome> {
    return new Promise((done) => {
      const { started = () => {}, progress = () => {}, note = () => {} } = on
      this.waiting.push({ job, started, progress, note, done })
      this.next()
    })
  }

  /**
   * Ends the running runs, saves their state if they have checkpoints, and drops queued ones. Their promises resolve to
   * `interrupted`.
   */
  interrupt(): void {
    this.closed = true
    for (const one of this.waiting.splice(0)) one.done({ interrupted: true })
    for (const one of this.running) one.leave()
    this.close()
  }

  /** number of threads, busy or idle */
  get threads(): number {
    return this.idle.length + this.running.size
  }

  /** Terminates idle workers. */
  close(): void {
    for (const worker of this.idle.splice(0)) void worker.terminate()
  }

  private next(): void {
    if (this.closed) for (const one of this.waiting.splice(0)) one.done({ interrupted: true })
    while (this.running.size < this.options.workers && this.waiting.length > 0) this.start(this.waiting.shift()!)
  }

  /** Starts a run on an idle worker, or on a new one if the run is long. */
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

  /**
   * Keeps no more workers than can be used at once. Long runs bring their own workers, which may leave idle ones over.
   */
  private keep(worker: Worker): void {
    if (!this.closed && this.idle.length + this.running.size < this.options.workers) this.idle.push(worker)
    else void worker.terminate()
  }
}

/** One run on one worker. `left` receives the worker if it can be used again. */
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

  /** Sends the order to the worker and starts the time limit. */
  begin(): void {
    const { seconds = Infinity, megabytes = Infinity } = this.options
    this.worker.on("message", (report: Report) => this.hear(report))
    this.worker.on("error", (e: Error & { code?: string }) => {
      if (e.code === "ERR_WORKER_OUT_OF_MEMORY") this.outOfMemory(`limit ${megabytes} MB`)
      else this.fail("crashed", crash(e))
    })
    this.worker.on("exit", (code) => this.fail("crashed", `the worker ended unexpectedly with code ${code}`))
    if (Number.isFinite(seconds)) {
      // A run over its time limit is first requested to stop through shared memory, and terminated after `grace`.
      this.cancel = after(seconds * 1000, () => {
        Atomics.store(this.stop, 0, STOP.end)
        this.cancel = after(grace, () => this.outOfTime())
      })
    }
    const order: Order = { ...this.one.job, megabytes, stop: this.stop }
    this.worker.postMessage(order)
    this.one.started()
  }

  /** Handles a message of the worker. */
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

  /** Ends the run early, after saving its state if it has checkpoints. */
  leave(): void {
    this.cancel?.()
    if (this.one.job.checkpoint?.every === undefined) {
      this.end({ interrupted: true })
      return
    }
    Atomics.store(this.stop, 0, STOP.leave)
    this.cancel = after(leaving, () => this.end({ interrupted: true }))
  }

  /** Ends this run with its outcome. `again`: the worker can be used again. */
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
    this.fail(
      "time",
      `the run reached the time limit of ${this.options.seconds} s; raise limits.time, or lower measure.limit`,
    )
  }

  private outOfMemory(says: string): void {
    this.fail(
      "memory",
      `the run needs more memory than allowed (${says}); raise limits.memory, or use a smaller network`,
    )
  }
}

function startWorker({ megabytes = Infinity, simulator }: PoolOptions): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: Math.max(16, Math.ceil(megabytes)) }
  return new Worker(workerEntry(), {
    workerData: { simulator },
    ...(Number.isFinite(megabytes) ? { resourceLimits } : {}),
  })
}

/** Returns the text for a crash: the fault of a plug-in, or a bug in lacewing. */
function crash(e: Error): string {
  const fault = faultOf(e)
  if (fault !== undefined) return `${fault.says}; ${fault.fix}`
  const where = e.stack?.split("\n").find((line) => line.trim().startsWith("at ")) ?? ""
  return `This is a bug in lacewing, please report it with the experiment file: ${e.name}: ${e.message} ${where.trim()}`.trim()
}

/**
 * Returns the entry point of a worker: the compiled file next to this one. From source, Node runs .ts files in workers
 * only from 22.18 on (type stripping); otherwise the last build is used.
 */
function workerEntry(): URL {
  if (!import.meta.url.endsWith(".ts")) return new URL("./worker.js", import.meta.url)
  const strips = "typescript" in process.features && Boolean(process.features.typescript)
  return strips ? new URL("./worker.ts", import.meta.url) : new URL("../../dist/app/worker.js", import.meta.url)
}
