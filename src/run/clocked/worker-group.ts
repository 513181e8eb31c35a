// Worker threads for one clocked run. Each thread builds the same engine over the shared memory of worker 0 and
// simulates its partitions of the network. This file starts and stops the threads; the barrier between them is in
// engines/flit/worker-group.ts, the entry point of a thread is clocked-worker.ts. run/threads.ts passes `gather` to
// openFlit.
import type { ClockedEngine } from "../../engines/flit/clocked.ts"
import { GROUP, type Member, WorkerGroup } from "../../engines/flit/worker-group.ts"
import type { RunSpec } from "../../model/experiment.ts"
import { shared } from "../../model/graph.ts"
import { cores } from "../cores.ts"
import { breakOff, type FailureMemory, firstFailure, shareFailure } from "../worker-group/failure.ts"
import { GroupThreads } from "../worker-group/threads.ts"

/** Everything that a thread needs to build its engine. `memory`: the shared columns of worker 0. */
export interface GroupOrder {
  readonly spec: RunSpec
  readonly folder: string
  readonly parts: number
  readonly assign: Uint8Array
  readonly horizon: number
  readonly series: number
  readonly memory: readonly ArrayBufferLike[]
  readonly sync: Int32Array
  readonly failure: FailureMemory
  readonly size: number
  readonly me: number
  /** there are more workers than cores */
  readonly crowded: boolean
}

/**
 * The group as worker 0 sees it: the thread that gives the orders. It throws the first failure of any worker as its own
 * failure, and checks while it waits that the other threads are alive.
 */
export class Leader extends WorkerGroup {
  private readonly threads: GroupThreads
  private readonly failure: FailureMemory
  private closed = false

  constructor(sync: Int32Array, size: number, crowded: boolean, threads: GroupThreads, failure: FailureMemory) {
    super(sync, size, 0, crowded)
    this.threads = threads
    this.failure = failure
  }

  /** Called while the leader waits at the barrier. */
  protected override watch(): void {
    super.watch()
    this.threads.requireAlive(true)
  }

  override call(start: number, end: number): void {
    if (this.closed) throw new Error("the threads of this run have ended")
    super.call(start, end)
  }

  /**
   * Runs the leader's part. After a failure the group is closed, because the state of the partitions is inconsistent.
   */
  override work(member: Member, t: number, end: number): void {
    try {
      super.work(member, t, end)
    } catch (e) {
      breakOff(this.failure, 0, e)
      this.fail()
      this.closed = true
      void this.threads.terminate()
      throw firstFailure(this.failure)
    }
  }

  /** Orders the threads to stop and waits until they have ended. End cycle -1 is the order to stop. */
  async close(): Promise<void> {
    if (!this.closed) this.call(0, -1)
    this.closed = true
    await this.threads.gone()
  }
}

/**
 * Starts `size - 1` threads and connects them to the engine. Returns a function that stops them, also after a failure.
 */
export async function gather(
  engine: ClockedEngine,
  order: Omit<GroupOrder, "memory" | "sync" | "failure" | "me" | "crowded">,
): Promise<() => Promise<void>> {
  const sync = shared(Int32Array, GROUP.words + GROUP.line * order.size)
  const failure = shareFailure(order.size)
  const crowded = order.size > cores
  const starts = Array.from({ length: order.size - 1 }, (_, i) => {
    const workerData: GroupOrder = { ...order, memory: engine.memory, sync, failure, crowded, me: i + 1 }
    return { workerData }
  })
  const threads = new GroupThreads(new URL("./clocked-worker.js", import.meta.url), starts)
  const leader = await threads.start(
    () => {},
    () => new Leader(sync, order.size, crowded, threads, failure),
  )
  engine.team = leader
  return async () => {
    engine.team = undefined
    await leader.close()
  }
}
