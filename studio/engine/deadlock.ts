// Finds the first cycle with a deadlock while a run is shown. A deadlock never ends, so after one was seen, bisection
// between the last two looks gives its first cycle. It does not depend on how often the run was looked at.
import { diagnose } from "../../src/engines/diagnose.ts"
import type { Live } from "./live.ts"

/** Cycles between two looks. */
const SPACING = 16
/** A look that takes longer than this many ms doubles the distance. */
const SLOW = 12

export interface Deadlock {
  readonly cycle: number
  readonly packets: number
  readonly stuck: number
}

export class DeadlockWatch {
  private readonly live: Live
  /** Last cycle at which there was none. */
  private clear = 0
  private spacing = SPACING
  private found: Deadlock | undefined

  constructor(live: Live) {
    this.live = live
  }

  /** Looks if it is time. Returns the deadlock once. `blocked`: flits without credits; 0 excludes a deadlock. */
  look(blocked: number): Deadlock | undefined {
    const { now } = this.live
    if (this.found !== undefined || blocked === 0 || now < this.clear + this.spacing) return undefined
    const begun = performance.now()
    const at = this.at()
    if (at === undefined) {
      this.clear = now
      if (performance.now() - begun > SLOW) this.spacing *= 2
      return undefined
    }
    this.found = this.first(at)
    this.live.seek(now)
    return this.found
  }

  /** Forgets everything, because the run continues from another state. */
  reset(): void {
    this.clear = this.live.now
    this.found = undefined
  }

  private at(): Deadlock | undefined {
    const found = diagnose(this.live.observation.waits())
    return found.kind === "deadlock"
      ? { cycle: this.live.now, packets: found.cycle.length, stuck: found.stuck }
      : undefined
  }

  private first(seen: Deadlock): Deadlock {
    let [clear, deadlock] = [this.clear, seen]
    while (deadlock.cycle - clear > 1) {
      this.live.seek((clear + deadlock.cycle) >> 1)
      const at = this.at()
      if (at === undefined) clear = this.live.now
      else deadlock = at
    }
    return deadlock
  }
}
