// Schedule of the no-progress watchdog, for all engines. It keeps a few samples of a run, so that at any time there is
// one that is at least as old as the no-progress limit. The engine's watchdog (clocked/watchdog.ts, packet/watchdog.ts)
// takes the samples and judges what has moved since then.
import type { Verdict } from "../engines/verdict.ts"

/** One sample, taken at this cycle. */
export interface Seen {
  readonly at: number
}

export interface Eye<S extends Seen> {
  see(): S
  /**
   * Returns the verdict on the time since a sample. The second argument is the no-progress limit in cycles. `closely`:
   * search for cyclic dependencies even if much moves.
   */
  judge(since: S, patience: number, closely: boolean): Verdict
}

/** The state of a watchdog. `judged`: cycle of the last verdict. */
export interface Remembered<S extends Seen> {
  readonly seen: readonly S[]
  readonly judged: number
}

/** Samples within one no-progress limit. */
const EACH = 4

export class ProgressWatchdog<S extends Seen> {
  private readonly patience: number
  private readonly eye: Eye<S>
  /** oldest first: one that is as old as the no-progress limit, and newer ones */
  private seen: S[]
  private judged: number

  constructor(patience: number, eye: Eye<S>) {
    this.patience = patience
    this.eye = eye
    this.seen = [eye.see()]
    this.judged = this.seen[0].at
  }

  /** Returns the samples and the time of the last verdict. All later verdicts depend only on these. */
  save(): Remembered<S> {
    return { seen: [...this.seen], judged: this.judged }
  }

  resume({ seen, judged }: Remembered<S>): void {
    this.seen = [...seen]
    this.judged = judged
  }

  /** Called often. Returns a verdict each time another no-progress limit has passed, and undefined otherwise. */
  look(now: number): Verdict | undefined {
    if (now - this.seen.at(-1)!.at >= this.patience / EACH) this.seen.push(this.eye.see())
    while (this.seen.length > 1 && now - this.seen[1].at >= this.patience) this.seen.shift()
    if (now - this.judged < this.patience) return undefined
    this.judged = now
    return this.eye.judge(this.seen[0], this.patience, false)
  }

  /** Called when the run is about to end. Returns the verdict, with a close search for blocked parts of the network. */
  ask(now: number): Verdict {
    const since = this.seen.findLast((s) => now - s.at >= this.patience) ?? this.seen[0]
    return this.eye.judge(since, this.patience, true)
  }

  /**
   * Returns a verdict that is worse than "moves" for a quarter of the no-progress limit, if there is one. It is too
   * early to report it, but also too early to call the network saturated.
   */
  suspects(now: number): Verdict | undefined {
    const part = this.patience / EACH
    const since = this.seen.findLast((s) => now - s.at >= part) ?? this.seen[0]
    const verdict = this.eye.judge(since, part, true)
    return verdict.kind === "moves" ? undefined : verdict
  }
}
