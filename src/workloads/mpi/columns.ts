// Layout of the state of ranks as words of the engine's memory, and of the records that ranks own: operations in
// progress, messages in flight and dependency edges. An engine that rolls back or checkpoints copies plain words, so no
// rank has state elsewhere. layRanks reserves the words; report.ts reads the first FIXED words of each rank after the
// run.
//
//   `at[r]`         FIXED words with the constants below.
//   `loops[r]`      Two words for each nesting level: the iterations that remain.
//   `requests[r]`   [request] -> record of the operation that it denotes, 0 if finished.
//   `comms[r]`      COMM_WORDS for each communicator number.
//   `times[r]`      [request] -> 1 + the time at which it was issued (send) or finished (receive), two words; only of
//                   programs that list their flows, otherwise -1.
//   `operations[r]` operationWords(rows) words with the last operations (operations.ts); only with the probe `timeline`.
//   `sent, matched` [pair] -> next sequence number to send, next one to match.
import type { Reserve } from "../../model/events.ts"
import type { Analysis } from "./analysis.ts"
import { operationWords } from "./operations.ts"

/**
 * Words of a rank. A time is a pair of words: the low 32 bits and the bits above. A list is a pair: first and last
 * record, 0 if empty.
 */
export const PC = 0 // operation to issue next
export const FLAGS = 1
export const BLOCKER = 2 // blocking operation that has not finished; 0: the rank may issue the next one
export const RUNNING = 3 // operation that occupies the processor
export const TASKS = 4 // operations that wait for the processor (list)
export const POSTED = 6 // receives without a message (list)
export const EARLY = 8 // messages without a receive (list)
export const HELD = 10 // messages that overtook an earlier one of their pair (list)
export const EVENTS = 12 // wake-up events so far
export const MESSAGES = 13 // messages sent so far
export const ACTIVE = 14 // operations issued and not finished
export const BEGAN = 15 // time of the first event
export const ENDED = 17 // time at which the last operation finished
export const COMPUTED = 19 // total computing time
export const DEPTH = 21 // loops that are open
export const CALLS = 22 // [kind] -> number of calls, time that the rank was blocked in them
export const CALL_WORDS = 3
export const KINDS = 32
/** [ceil(log2 bytes)] -> messages received, sum and maximum of their latencies */
export const SIZES = CALLS + CALL_WORDS * KINDS
export const SIZE_WORDS = 5
export const SIZE_CLASSES = 54
/**
 * Timeline (timeline.ts): log2 length of its intervals, then the blocked time and the computing time in each interval.
 */
export const PIECES = 32
export const PIECE = SIZES + SIZE_WORDS * SIZE_CLASSES
export const HELD_BACK = PIECE + 1
export const BUSY = HELD_BACK + PIECES
/**
 * Critical path (critical-path.ts): number of steps so far, the step that caused the end of the rank, a ring of the
 * last steps.
 */
export const STEPS_KEPT = 32
export const STEP_WORDS = 6
export const STEPS = BUSY + PIECES
export const LAST_STEP = STEPS + 1
export const CRITICAL_PATH = STEPS + 2
export const FIXED = CRITICAL_PATH + STEPS_KEPT * STEP_WORDS
/** FLAGS */
export const DONE = 1

/**
 * Words of each communicator of a rank: its group number in the job (SELF: -1), the rank in it, the number of
 * collectives called on it.
 */
export const GROUP = 0
export const ME = 1
export const CALLED = 2
export const COMM_WORDS = 3

/** Words of an operation in progress (model/workload.ts defines words 0 to 3). */
export const OP = 1
export const REQ = 2
export const PARENT = 4 // the collective that it belongs to; of an edge: the operation that waits
export const PEER = 5 // rank (of all jobs), or ANY
export const TAG = 6
export const CONTEXT = 7
export const PENDING = 8 // number of needs, or of messages of the round, that have not finished
export const DEPENDENT = 9 // the operation that waits for it, or a list of edges (MANY)
export const ROUND = 10 // of a collective
export const SEQUENCE = 11 // of a collective: its number among those of its communicator
export const BYTES = 12 // two words
export const SINCE = 14 // time it was issued
export const OP_CAUSE = 10 // while it occupies the processor: the step that caused it (shares the word of ROUND)

/**
 * Words of a message (model/workload.ts defines words 0 to 3). TAG, CONTEXT and BYTES have the same index as in an
 * operation, because matching compares them.
 */
export const SENDER = 4 // the operation that sends
export const RECEIVER = 5 // the operation that receives
export const PAIR = 8 // number of the pair of ranks; -1: not ordered
export const PLACE = 9 // sequence number among the messages of the pair
export const HANDED = 10 // time at which it reached the network interface
export const CAUSE = 14 // the sender's step that caused it

/** Type of a record: low byte of WHAT. Those from EAGER on are messages. */
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
/**
 * Further bits of WHAT, for operations and edges. ASKS_FIRST: a synchronous send, always a rendezvous. MANY: DEPENDENT
 * is a list.
 */
export const BLOCKING = 1 << 8
export const STARTED = 1 << 9
export const MANY = 1 << 10
export const FIRST_OF = 1 << 11
export const ASKS_FIRST = 1 << 12
/** Edge: waits for the start of an operation, not for its end. */
export const TO_START = 1 << 13

export interface RankColumns {
  /** [rank] -> address of its words; likewise of its loops, requests and communicators. */
  readonly at: Int32Array
  readonly loops: Int32Array
  readonly requests: Int32Array
  readonly comms: Int32Array
  readonly times: Int32Array
  /** [rank] -> address of its last operations, of which `rows` are stored; 0 rows: none */
  readonly operations: Int32Array
  readonly rows: number
  /** [pair] -> next sequence number to send, next one to match. */
  readonly sent: number
  readonly matched: number
}

/**
 * Reserves the words of all ranks. `jobs` are the analyses of the jobs in order; pairs are numbered consecutively.
 * `rows`: operations that are stored for each rank.
 */
export function layRanks(
  memory: Reserve,
  jobs: readonly (Analysis & { readonly timed?: boolean })[],
  rows = 0,
): RankColumns {
  const ranks = jobs.reduce((n, j) => n + j.ranks, 0)
  const columns = {
    at: new Int32Array(ranks),
    loops: new Int32Array(ranks),
    requests: new Int32Array(ranks),
    comms: new Int32Array(ranks),
    operations: new Int32Array(ranks),
  }
  const times = new Int32Array(ranks).fill(-1)
  let words = 0
  let rank = 0
  for (const j of jobs)
    for (let r = 0; r < j.ranks; r++, rank++) {
      columns.at[rank] = words
      columns.loops[rank] = words + FIXED
      columns.requests[rank] = columns.loops[rank] + 2 * j.depth[r]
      columns.comms[rank] = columns.requests[rank] + j.requests[r]
      words = columns.comms[rank] + COMM_WORDS * j.comms[r]
      if (j.timed === true) {
        times[rank] = words
        words += 2 * j.requests[r]
      }
      columns.operations[rank] = words
      words += operationWords(rows)
    }
  const first = memory.reserve(words)
  // The layout above starts at 0; shift it to the reserved address.
  for (const c of Object.values(columns)) for (let r = 0; r < ranks; r++) c[r] += first
  for (let r = 0; r < ranks; r++) if (times[r] >= 0) times[r] += first
  const pairs = jobs.reduce((n, j) => n + j.sendsTo.length, 0)
  return { ...columns, times, rows, sent: memory.reserve(pairs), matched: memory.reserve(pairs) }
}
