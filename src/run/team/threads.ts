// The threads of one run, besides the thread that leads it. The leader works in its own thread without returning to its event loop. It therefore hears
// neither `error` nor `exit` of a thread, and asks by itself whether all threads are alive.
import { type TransferListItem, Worker } from "node:worker_threads"

export interface ThreadStart {
  readonly workerData: unknown
  readonly transferList?: readonly TransferListItem[]
}

/** A look at the threads costs microseconds. It comes once in this many waits, or after the number of naps that stands for them. */
const WAITS = 4096
const NAP = WAITS / 64

export class TeamThreads {
  private readonly threads: readonly Worker[]
  private readonly exits: Promise<void>[]
  private waits = 0

  constructor(entry: URL, starts: readonly ThreadStart[]) {
    this.threads = starts.map(({ workerData, transferList = [] }) => new Worker(entry, { workerData, transferList: [...transferList] }))
    this.exits = this.threads.map((t) => new Promise((done) => t.once("exit", () => done())))
    // what a thread says after it was ready is told by shared memory
    for (const t of this.threads) t.on("error", () => {})
  }

  /** Does what is left before the run can begin: `before`, then it waits for the first message of every thread, then `after`. If any of it fails,
   *  all threads are terminated. */
  async start<R>(before: () => void, after: () => R): Promise<R> {
    const started = Promise.all(
      this.threads.map(
        (t, i) =>
          new Promise<void>((ready, fail) => {
            t.once("message", () => ready())
            t.once("error", fail)
            t.once("exit", (code) => fail(endedSilently(i + 1, `with exit code ${code} before it was ready`)))
          }),
      ),
    )
    // it may fail while `before` is still at work
    started.catch(() => {})
    try {
      before()
      await started
      return after()
    } catch (e) {
      await this.terminate()
      throw e
    }
  }

  /** Throws if a thread has ended. The leader calls it wherever it waits for the others. */
  requireAlive(slept: boolean): void {
    this.waits += slept ? NAP : 1
    if (this.waits < WAITS) return
    this.waits = 0
    const ended = this.threads.findIndex(hasEnded)
    if (ended >= 0) throw endedSilently(ended + 1, "while it worked")
  }

  /** Calls `hear` with the next message of every thread that still sends one. */
  onceMessage(hear: (message: unknown) => void): void {
    for (const t of this.threads) t.once("message", hear)
  }

  async terminate(): Promise<void> {
    await Promise.all(this.threads.map((t) => t.terminate()))
  }

  /** Waits until every thread has ended. */
  async gone(): Promise<void> {
    await Promise.all(this.exits)
  }
}

/** Has a thread ended that was once ready? Node tells the times of its event loop without the event loop of the one that asks, unlike the event `exit`
 *  and a change of `threadId`. The idle time of a stopped thread is -1. If nobody asked before it stopped, both times are 0. */
function hasEnded(t: Worker): boolean {
  const { idle, active } = t.performance.eventLoopUtilization()
  return idle < 0 || (idle === 0 && active === 0)
}

function endedSilently(worker: number, when: string): Error {
  return new Error(
    `worker ${worker} of this run ended without a message ${when}; its thread ran out of memory, or a plug-in called process.exit()`,
  )
}
