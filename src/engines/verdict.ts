// Does the network stand still, and why? One place that decides it, from facts: who waits for whom, what is on wires, which timers are due.
// A deadlock is a circle of waits (diagnose.ts), or a standstill that nothing on wires and no timer can end: where answers, not queues, are waited for.
// What only waits (a long link, a retransmission timer, a side band) is none, however long it takes. Pure functions.

/** Cycles without any movement before it is worth a word, on the shortest links. */
const PATIENCE = 4096
/** Crossings of the longest link that a packet may have to wait for: a credit comes back, a flit follows, and both once more. */
const CROSSINGS = 4

/** Cycles after which something must have moved: `latency` of the longest link, `timers`: the longest time that something waits by itself. */
export function patienceOf(latency: number, timers = 0): number {
  return Math.max(PATIENCE, CROSSINGS * latency + timers)
}

/** What an engine knows about a network that does not seem to move. */
export interface Standing {
  /** packets that were created and have not arrived */
  readonly underWay: number
  /** buffers of routers that hold something */
  readonly waiting: number
  /** flits, packets and credits that are on wires: each arrives by itself */
  readonly onWires: number
  /** timers and messages between parts of a switch that will act by themselves */
  readonly timers: number
  /** packets, or channels, that wait for one another in a circle, in words */
  readonly circle?: readonly string[]
}

/** What moved since the last look. */
export interface Look {
  readonly cycles: number
  /** flits sent and packets delivered */
  readonly moved: number
  /** packets were under way at the last look already: one that has only just been created did not stand still */
  readonly before: boolean
}

export type Verdict =
  | { readonly kind: "moves" }
  /** nothing moves, but something is bound to */
  | { readonly kind: "waits"; readonly words: string }
  | { readonly kind: "deadlock" | "starved"; readonly words: string }

const moves: Verdict = { kind: "moves" }

export function judgeStanding(s: Standing, look: Look, patience: number): Verdict {
  if (s.underWay === 0) return moves
  const rate = look.moved / Math.max(1, look.cycles)
  const moved = look.moved === 0 ? "no flit moved" : `only ${rate.toFixed(2)} flits a cycle moved`
  const still = `${moved} for ${look.cycles} cycles while ${packets(s.underWay)} on their way`
  if (s.circle !== undefined) return { kind: "deadlock", words: [still, ...s.circle].join("\n") }
  if (look.moved > 0 || look.cycles < patience || !look.before) return moves
  if (s.onWires > 0) return { kind: "waits", words: `${still}: ${s.onWires} flits or credits are on wires` }
  if (s.timers > 0) return { kind: "waits", words: `${still}: ${s.timers} timers or messages are due` }
  const where =
    s.waiting > 0
      ? `${s.waiting} buffers hold packets, nothing is on a wire and no timer is due: nothing can ever move again`
      : "no buffer holds any of them, nothing is on a wire and no timer is due: they are held back at their endpoints, or lost"
  return { kind: s.waiting > 0 ? "deadlock" : "starved", words: `${still}\n${where}` }
}

function packets(n: number): string {
  return n === 1 ? "1 packet was" : `${n} packets were`
}
