// State of a rank as words, and what the words of records mean while they are the rank's: operations that run, messages on their way.
import type { Reserve } from "../../model/events.ts"
import type { Analysis } from "./analysis.ts"

/** Words of a rank. Times are pairs of words: low 32 bits, and what is above. Lists: first and last record, 0 = none. */
export const PC = 0 // operation to issue next
export const FLAGS = 1
export const BLOCKER = 2 // operation that holds back the next ones
export const RUNNING = 3 // operation that has the processor
export const TASKS = 4 // those that wait for it (list)
export const POSTED = 6 // receives without a message (list)
export const EARLY = 8 // messages without a receive (list)
export const HELD = 10 // messages that have overtaken others of their sender (list)
export const EVENTS = 12 // events of its own so far
export const MESSAGES = 13 // messages sent so far
export const ACTIVE = 14 // operations issued and not finished
export const BEGAN = 15 // time
export const ENDED = 17 // time
export const COMPUTED = 19 // time
export const DEPTH = 21 // loops that are open
export const CALLS = 22 // [kind] -> calls, time that the rank was held back in them
export const CALL_WORDS = 3
export const KINDS = 32
export const SIZES = CALLS + CALL_WORDS * KINDS // [ceil(log2 bytes)] -> messages received, sum and most of their latencies
export const SIZE_WORDS = 5
export const SIZE_CLASSES = 54
/** Timeline (timeline.ts): how long its pieces are, time held back and time computing in each. */
export const PIECES = 32
export const PIECE = SIZES + SIZE_WORDS * SIZE_CLASSES
export const HELD_BACK = PIECE + 1
export const BUSY = HELD_BACK + PIECES
/** What led to what (trail.ts): messages that caused anything so far, the one that led to its end, the last ones. */
export const STEPS_KEPT = 32
export const STEP_WORDS = 6
export const STEPS = BUSY + PIECES
export const LAST_STEP = STEPS + 1
export const TRAIL = STEPS + 2
export const FIXED = TRAIL + STEPS_KEPT * STEP_WORDS
/** FLAGS */
export const DONE = 1

/** Words of each communicator of a rank: number of its group (of the job; SELF: -1), rank in it, collectives called on it. */
export const GROUP = 0
export const ME = 1
export const CALLED = 2
export const COMM_WORDS = 3

/** Words of an operation that was issued (see workload.ts for 0 to 3). */
export const OP = 1
export const REQ = 2
export const PARENT = 4 // the collective that it belongs to; of an edge: the operation that waits
export const PEER = 5 // rank (of all jobs), or ANY
export const TAG = 6
export const CONTEXT = 7
export const PENDING = 8 // needs, or messages of the round, that are not finished
export const DEPENDENT = 9 // who waits for it: an operation, or a list of edges (MANY)
export const ROUND = 10 // of a collective
export const SEQUENCE = 11 // of a collective among those of its communicator
export const BYTES = 12 // two words
export const SINCE = 14 // time it was issued
export const OP_CAUSE = 10 // of one that has the processor: the step that led to it

/** Words of a message (see workload.ts for 0 to 3). TAG, CONTEXT and BYTES are at the same places as those of an operation. */
export const SENDER = 4 // the operation that sends
export const RECEIVER = 5 // the operation that receives
export const PAIR = 8 // number of the pair of ranks; -1: not ordered
export const PLACE = 9 // among the messages of the pair
export const HANDED = 10 // time at which it reached the interface
export const CAUSE = 14 // the sender's step that led to it

/** What a record is: low byte of WHAT. */
export const ROLE = 0xff
export const WAITS = 1
export const COMPUTES = 2
export const SENDS = 3
export const RECEIVES = 4
export const PROBES = 5
export const COLLECTIVE = 6
export const EDGE = 7
export const BEGINS = 8
export const EAGER = 9
export const REQUESTS_TO_SEND = 10
export const CLEAR_TO_SEND = 11
export const DATA = 12
/** Further bits of WHAT, of operations and edges. */
export const BLOCKING = 1 << 8
export const STARTED = 1 << 9
export const MANY = 1 << 10
export const FIRST_OF = 1 << 11
export const ASKS_FIRST = 1 << 12
/** edge: to the start of an operation, not to its end */
export const TO_START = 1 << 13

export interface RankColumns {
  /** [rank] -> its words; its loops, requests and communicators */
  readonly at: Int32Array
  readonly loops: Int32Array
  readonly requests: Int32Array
  readonly comms: Int32Array
  /** [pair] -> next place to send, next place to match */
  readonly sent: number
  readonly matched: number
}

/** `jobs`: analyses of the jobs, one after the other; pairs are numbered through. */
export function layRanks(memory: Reserve, jobs: readonly Analysis[]): RankColumns {
  const ranks = jobs.reduce((n, j) => n + j.ranks, 0)
  const columns = {
    at: new Int32Array(ranks),
    loops: new Int32Array(ranks),
    requests: new Int32Array(ranks),
    comms: new Int32Array(ranks),
  }
  let words = 0
  let rank = 0
  for (const j of jobs)
    for (let r = 0; r < j.ranks; r++, rank++) {
      columns.at[rank] = words
      columns.loops[rank] = words + FIXED
      columns.requests[rank] = columns.loops[rank]! + 2 * j.depth[r]!
      columns.comms[rank] = columns.requests[rank]! + j.requests[r]!
      words = columns.comms[rank]! + COMM_WORDS * j.comms[r]!
    }
  const first = memory.reserve(words)
  for (const c of Object.values(columns)) for (let r = 0; r < ranks; r++) c[r]! += first
  const pairs = jobs.reduce((n, j) => n + j.sendsTo.length, 0)
  return { ...columns, sent: memory.reserve(pairs), matched: memory.reserve(pairs) }
}
