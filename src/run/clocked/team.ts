// Worker threads for one large run: they build the same machine over the first one's memory and run their partitions of it.
import type { ClockedEngine } from "../../engines/flit/clocked.ts"
import { type Member, TEAM, Team } from "../../engines/flit/team.ts"
import type { RunSpec } from "../../model/experiment.ts"
import { shared } from "../../model/graph.ts"
import { breakOff, type FailureMemory, firstFailure, shareFailure } from "../team/failure.ts"
import { TeamThreads } from "../team/threads.ts"

export interface TeamOrder {
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
}

/** The thread that gives the orders. It reports the first failure of all workers as its own, and looks whether their threads are alive. */
export class Leader extends Team {
  private readonly threads: TeamThreads
  private readonly failure: FailureMemory
  private closed = false

  constructor(sync: Int32Array, size: number, threads: TeamThreads, failure: FailureMemory) {
    super(sync, size, 0)
    this.threads = threads
    this.failure = failure
  }

  protected override watch(): void {
    super.watch()
    this.threads.requireAlive(true)
  }

  override call(start: number, end: number): void {
    if (this.closed) throw new Error("the threads of this run have ended")
    super.call(start, end)
  }

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

  /** Sends the threads home and waits until they have ended. */
  async close(): Promise<void> {
    if (!this.closed) this.call(0, -1)
    this.closed = true
    await this.threads.gone()
  }
}

/** Calls `size - 1` workers to the engine's side. Returns a function that sends them home, also after a failure. */
export async function gather(
  engine: ClockedEngine,
  order: Omit<TeamOrder, "memory" | "sync" | "failure" | "me">,
): Promise<() => Promise<void>> {
  const sync = shared(Int32Array, TEAM.words + TEAM.line * order.size)
  const failure = shareFailure(order.size)
  const starts = Array.from({ length: order.size - 1 }, (_, i) => {
    const workerData: TeamOrder = { ...order, memory: engine.memory, sync, failure, me: i + 1 }
    return { workerData }
  })
  const threads = new TeamThreads(new URL("./teammate.js", import.meta.url), starts)
  const leader = await threads.start(
    () => {},
    () => new Leader(sync, order.size, threads, failure),
  )
  engine.team = leader
  return async () => {
    engine.team = undefined
    await leader.close()
  }
}
