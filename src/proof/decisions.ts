// Reuses decisions that do not depend on the port and VC by which a packet came. Most routings look only at the router,
// the destination and the scratch slots of the packet. (A weaker form applies to routings that also look at the VC and
// at the previous router: they do not depend on which of several parallel links was taken.)
//
// This independence is tested and not assumed. The first TRIALS decisions that are met again by another port are made
// again and compared. If all of them lead to the same result, later ones are reused; otherwise none is. Only large
// walks use this economy, and the spot checks of prove.ts cover it, too.
import { Ints } from "./ints.ts"
import { States } from "./states.ts"

const TRIALS = 400

export class Decisions {
  /** decisions: (router, scratch slots, anything else that makes a difference) */
  readonly seen: States
  /** outcomes of all decisions: (decision, port, VC mask, scratch slots afterwards) */
  readonly ways: States
  /** the outcomes of decision d are the rows first[d] to last[d] - 1 of the table above */
  readonly first = new Ints()
  readonly last = new Ints()
  /** [decision] -> the packet state in which it was made first */
  readonly maker = new Ints()
  private agreed = 0
  private differs = false

  constructor(scratch: number) {
    this.seen = new States(4 + scratch)
    this.ways = new States(3 + scratch)
  }

  /** For the next destination. */
  clear(): void {
    this.seen.clear()
    this.ways.clear()
    this.first.n = this.last.n = this.maker.n = 0
  }

  get off(): boolean {
    return this.differs
  }

  /** Whether earlier decisions may be reused. */
  get trusted(): boolean {
    return this.agreed >= TRIALS
  }

  /** Returns the decision of this state, which the caller has written into seen.probe; `last` is -1 while it is made
   *  for the first time. */
  find(state: number): number {
    const d = this.seen.intern(-1)
    if (d === this.first.n) {
      this.maker.push(state)
      this.first.push(this.ways.count)
      this.last.push(-1)
    }
    return d
  }

  /**
   * Adds one outcome of a decision, which the caller has written into the probe of the table. A new outcome of a
   * decision that was already complete shows that decisions differ by port.
   */
  add(d: number): void {
    const before = this.ways.count
    this.ways.intern(-1)
    if (this.ways.count > before && this.last.data[d] >= 0) this.differs = true
  }

  /** Marks all outcomes of this decision as added. */
  close(d: number): void {
    if (this.last.data[d] < 0) this.last.data[d] = this.ways.count
    else if (!this.differs) this.agreed++
  }
}
