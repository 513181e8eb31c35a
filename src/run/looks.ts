// Looks at a run from time to time, so that at any moment it is known what has moved within its patience and what has not.
import type { Verdict } from "../engines/verdict.ts"

/** What was seen at a cycle. */
export interface Seen {
  readonly at: number
}

export interface Eye<S extends Seen> {
  see(): S
  /** What is to be said when all that moved since then moved within `patience`. `closely`: look for circles even if much moves. */
  judge(since: S, patience: number, closely: boolean): Verdict
}

export interface Remembered<S extends Seen> {
  readonly seen: readonly S[]
  readonly judged: number
}

/** Looks within one patience. */
const EACH = 4

export class Looks<S extends Seen> {
  private readonly patience: number
  private readonly eye: Eye<S>
  /** oldest first: one that is as old as the patience, and younger ones */
  private seen: S[]
  private judged: number

  constructor(patience: number, eye: Eye<S>) {
    this.patience = patience
    this.eye = eye
    this.seen = [eye.see()]
    this.judged = this.seen[0]!.at
  }

  /** What was seen and when it was judged last: all that the next verdicts depend on. */
  save(): Remembered<S> {
    return { seen: [...this.seen], judged: this.judged }
  }

  resume({ seen, judged }: Remembered<S>): void {
    this.seen = [...seen]
    this.judged = judged
  }

  /** To be called often: judges when another patience is over, else answers nothing. */
  look(now: number): Verdict | undefined {
    if (now - this.seen.at(-1)!.at >= this.patience / EACH) this.seen.push(this.eye.see())
    while (this.seen.length > 1 && now - this.seen[1]!.at >= this.patience) this.seen.shift()
    if (now - this.judged < this.patience) return undefined
    this.judged = now
    return this.eye.judge(this.seen[0]!, this.patience, false)
  }

  /** The run is about to end: does it stand still, or a part of it? */
  ask(now: number): Verdict {
    const since = this.seen.findLast((s) => now - s.at >= this.patience) ?? this.seen[0]!
    return this.eye.judge(since, this.patience, true)
  }

  /** It may stand still: too early to say so, and too early to say anything else. */
  suspects(now: number): Verdict | undefined {
    const part = this.patience / EACH
    const since = this.seen.findLast((s) => now - s.at >= part) ?? this.seen[0]!
    const verdict = this.eye.judge(since, part, true)
    return verdict.kind === "moves" ? undefined : verdict
  }
}
