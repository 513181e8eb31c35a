// Executes a collective on one rank, round by round. Each message of a round is an operation record of its own whose
// PARENT is the collective. When all messages of a round have finished, ranks.ts calls this function again for the next
// round. The algorithm (collectives/) computes the messages of a round from the call, so no schedule is stored.
import type { RankHost } from "../../model/workload.ts"
import { type Call, Moves } from "../collectives/schedule.ts"
import { amount, COMM, KIND, kindOf, LIST, NEEDS, PEER as OP_PEER, VALUES } from "../program.ts"
import * as C from "./columns.ts"
import { chosen, type Job } from "./job.ts"
import type { Reader } from "./reader.ts"
import type { Words } from "./words.ts"

/**
 * Bits of a tag for the messages of one collective. The bits above hold its number on the communicator (modulo 4096).
 */
const TAG_BITS = 18

export interface RoundsSite {
  readonly host: RankHost
  readonly words: Words
  readonly at: C.RankColumns
  readonly jobOf: readonly Job[]
  readonly reader: Reader
  /** Allocates the record of a message. */
  slot(what: number): number
  launch(e: number, rank: number, t: number): void
  receive(e: number, rank: number, t: number): void
  finish(e: number, rank: number, t: number): void
  /** Queues an operation that can continue in this event. */
  go(e: number): void
}

/** Returns the function that starts the next round of collective `e`, or finishes it after the last one. */
export function makeRounds(site: RoundsSite): (e: number, rank: number, t: number) => void {
  const { at, jobOf, reader, slot, launch, receive, finish, go } = site
  const { mem, own } = site.host
  const { set, setLong } = site.words
  // Both objects are reused for every round, to avoid garbage in the event loop.
  const moves = new Moves()
  const call: Call = { p: 1, me: 0, root: 0, bytes: 0, node: 1, values: new Int32Array(0), at: 0, count: 0 }

  return (e, rank, t) => {
    const x = e + own
    const job = jobOf[rank]
    const row = reader.row(rank, mem[x + C.OP])
    const { ops } = reader
    const comm = at.comms[rank] + C.COMM_WORDS * ops[row + COMM]
    const group = mem[comm + C.GROUP]
    call.p = group < 0 ? 1 : job.analysis.groups[group].length
    call.me = mem[comm + C.ME]
    call.root = ops[row + OP_PEER]
    call.bytes = amount(ops, row)
    call.node = job.params.node
    call.values = reader.list
    call.at = ops[row + LIST] + ops[row + NEEDS]
    call.count = ops[row + VALUES]
    const algorithm = chosen(job, kindOf(ops[row + KIND]), call)
    const rounds = algorithm === undefined ? 0 : algorithm.rounds(call)
    // This rank may have no messages in a round (for example, ranks that a power-of-two algorithm folds away): skip it.
    for (;;) {
      const k = mem[x + C.ROUND]
      if (k >= rounds) {
        finish(e, rank, t)
        return
      }
      set(x + C.ROUND, k + 1)
      moves.n = 0
      algorithm!.round(call, k, moves)
      if (moves.n > 0) break
    }
    // PENDING starts one too high, so the round cannot end while its messages are being started.
    set(x + C.PENDING, moves.n + 1)
    const members = job.analysis.groups[group]
    const tag = (mem[x + C.SEQUENCE] & 0xfff) << TAG_BITS
    const context = mem[x + C.CONTEXT]
    const n = moves.n
    for (let i = 0; i < n; i++) {
      const part = slot(moves.sends[i] === 1 ? C.SENDS : C.RECEIVES)
      const y = part + own
      set(y + C.PARENT, e)
      set(y + C.PEER, job.base + members[moves.peer[i]])
      set(y + C.TAG, tag | moves.tag[i])
      set(y + C.CONTEXT, context)
      setLong(y + C.BYTES, moves.bytes[i])
      if (moves.sends[i] === 1) launch(part, rank, t)
      else receive(part, rank, t)
    }
    const left = mem[x + C.PENDING] - 1
    set(x + C.PENDING, left)
    if (left === 0) go(e)
  }
}
