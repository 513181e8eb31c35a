// The threads of one run, in addition to the thread that leads it. The leader simulates in its own thread without
// returning to its event loop. It therefore receives neither `error` nor `exit` events of a thread, and checks itself
// whether all threads are alive. Both clocked and packet worker groups use this class.
import { type TransferListItem, Worker } from "node:worker_threads"

export interface ThreadStart {
  readonly workerData: unknown
  readonly transferList?: readonly TransferListItem[]
}

/**
 * A check of the threads costs microseconds. It happens once in this many waits, or after the equivalent number of
 * sleeps.
 */
const WAITS = 4096
const NAP = WAITS / 64

export class GroupThreads {
  private readonly threads: readonly Worker[]
  private readonly exits: Promise<void>[]
  private waits = 0

  constructor(entry: URL, starts: readonly ThreadStart[]) {
    this.threads = starts.map(
      ({ workerData, transferList = [] }) => new Worker(entry, { workerData, transferList: [...transferList] }),
    )
    this.exits = this.threads.map((t) => new Promise((done) => t.once("exit", () => done())))
    // Failures of a thread that was ready are reported through shared memory (failure.ts).
    for (const t of this.threads) t.on("error", () => {})
  }

  /**
   * Completes the start: calls `before`, waits for the first message of every thread, then calls `after`. If any of
   * these fails, all threads are terminated.
   */
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
    // A thread may fail while `before` is still running; without a handler that would be an unhandled rejection.
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

  /** Calls the given function with the next message of every thread that still sends one. */
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

/**
 * Returns true if a thread that was once ready has ended. Node reports the event-loop times of a thread without the
 * event loop of the caller, unlike the event `exit` and changes of `threadId`. The idle time of a stopped thread is -1.
 * If it was never read before the thread stopped, both times are 0.
 */
function hasEnded(t: Worker): boolean {
  const { idle, active } = t.performance.eventLoopUtilization()
  return idle < 0 || (idle === 0 && active === 0)
}

function endedSilently(worker: number, when: string): Error {
  return new Error(
    `worker ${worker} of this run ended without a message ${when}; its thread ran ` +
      "out of memory, or a plug-in called process.exit()",
  )
}
