// Decisions that do not depend on the port and VC by which a packet came: most routings look at the router, the destination and what rides on
// the packet. (Or do not depend on which of several parallel links it came by, for those that look at the VC and where it came from.) The first TRIALS decisions that are met again by another port are made again and compared; if all lead where they led before,
// later ones are taken over, else never. An economy of large walks only, which the spot checks of prove.ts cover too.
import { Ints } from "./ints.ts"
import { States } from "./states.ts"

const TRIALS = 400

export class Decisions {
  /** (router, what rides on the packet, what else makes a difference) */
  readonly seen: States
  /** ways out of all decisions: (decision, port, VC mask, scratch after it) */
  readonly ways: States
  /** ways of decision d: ways.keys rows first[d] .. last[d] - 1 */
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

  /** A decision that was made before may be taken over. */
  get trusted(): boolean {
    return this.agreed >= TRIALS
  }

  /** The decision of this state, laid out in seen.probe; `last` is -1 while it is being made for the first time. */
  find(state: number): number {
    const d = this.seen.intern(-1)
    if (d === this.first.n) {
      this.maker.push(state)
      this.first.push(this.ways.count)
      this.last.push(-1)
    }
    return d
  }

  /** One way out of a decision, laid out in ways.probe. */
  add(d: number): void {
    const before = this.ways.count
    this.ways.intern(-1)
    if (this.ways.count > before && this.last.data[d]! >= 0) this.differs = true
  }

  /** All ways of this decision have been added. */
  close(d: number): void {
    if (this.last.data[d]! < 0) this.last.data[d] = this.ways.count
    else if (!this.differs) this.agreed++
  }
}
