// Decides whether a network has stopped making progress, and why. This is the only place of that decision; run/ calls
// it with counts that an engine supplies. A deadlock is a cycle of waiting packets (diagnose.ts), or a state without
// progress that neither a link nor a timer can end, as when responses are missing. A network that waits for a long
// link, a retransmission timer or a side band is not deadlocked, however long that takes. All functions are pure.

/** Minimum number of cycles without progress before a report, for networks with short links. */
const PATIENCE = 4096
/** Traversals of the longest link that a packet may have to wait for: a credit returns and a flit follows, twice. */
const CROSSINGS = 4

/**
 * Returns the number of cycles within which something must have moved. `latency`: of the longest link; `timers`: the
 * longest timer in cycles.
 */
export function stallLimitOf(latency: number, timers = 0): number {
  return Math.max(PATIENCE, CROSSINGS * latency + timers)
}

/** The state of a network that seems to make no progress. */
export interface StalledState {
  /** packets that were created and have not arrived */
  readonly underWay: number
  /** buffers of routers that hold something */
  readonly waiting: number
  /** flits, packets and credits in flight on links: each arrives without further conditions */
  readonly onLinks: number
  /** timers and messages between parts of a switch that will act without further conditions */
  readonly timers: number
  /** packets or channels that wait for one another in a cycle, as lines of text */
  readonly circle?: readonly string[]
}

/** Progress since the last check. */
export interface Look {
  readonly cycles: number
  /** flits sent and packets delivered */
  readonly moved: number
  /** packets were in flight at the last check already; a packet that has just been created is not stalled */
  readonly before: boolean
}

export type Verdict =
  | { readonly kind: "moves" }
  /** nothing moves, but something certainly will */
  | { readonly kind: "waits"; readonly words: string }
  | { readonly kind: "deadlock" | "starved"; readonly words: string }

const moves: Verdict = { kind: "moves" }

/**
 * Classifies a network without progress. Fewer cycles than the limit (`stallLimitOf`) are not enough for a verdict,
 * except for a cycle of packets, which is always a deadlock.
 */
export function classifyStall(s: StalledState, look: Look, patience: number): Verdict {
  if (s.underWay === 0) return moves
  const rate = look.moved / Math.max(1, look.cycles)
  const still =
    look.moved === 0
      ? `no flit moved for ${look.cycles} cycles while ${packets(s.underWay)} in flight`
      : `${packets(s.underWay)} in flight, and in the ${look.cycles} cycles before, ${rate.toFixed(2)} flits per cycle moved`
  if (s.circle !== undefined) return { kind: "deadlock", words: [still, ...s.circle].join("\n") }
  if (look.moved > 0 || look.cycles < patience || !look.before) return moves
  if (s.onLinks > 0) return { kind: "waits", words: `${still}: ${s.onLinks} flits or credits are on links` }
  if (s.timers > 0) return { kind: "waits", words: `${still}: ${s.timers} timers or messages are due` }
  const where =
    s.waiting > 0
      ? `${s.waiting} buffers hold packets, no link is in use and no timer is due: nothing can ever move again`
      : "no buffer holds any of them, no link is in use and no timer is due: " +
        "their endpoints hold them back, or they are lost"
  return { kind: s.waiting > 0 ? "deadlock" : "starved", words: `${still}\n${where}` }
}

function packets(n: number): string {
  return n === 1 ? "1 packet was" : `${n} packets were`
}
