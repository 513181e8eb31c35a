// Operations that take no simulated time: loops and communicator operations. The members of each communicator are known
// before the run (analysis.ts), so creating one exchanges no messages. This is a simplification: real MPI
// implementations agree on a context number with a collective.
import type { RankHost } from "../../model/workload.ts"
import { amount, JUMP, Kind, PEER, SELF, WORLD } from "../program.ts"
import * as C from "./columns.ts"
import type { Job } from "./job.ts"
import type { Reader } from "./reader.ts"
import type { Words } from "./words.ts"

export interface Control {
  /** Creates the communicators that every rank has: WORLD and SELF. */
  begin(rank: number): void
  /** Executes LOOP or END at `op`: sets the next operation of the rank. */
  loop(rank: number, op: number, row: number): void
  turn(rank: number, op: number, row: number): void
  /** Executes an operation that creates or frees a communicator. */
  communicator(rank: number, op: number, kind: number, row: number): void
}

export function makeControl(
  { mem }: RankHost,
  words: Words,
  at: C.RankColumns,
  jobOf: readonly Job[],
  reader: Reader,
): Control {
  const { set, add, long, setLong } = words

  function put(rank: number, name: number, group: number, me: number): void {
    const c = at.comms[rank] + C.COMM_WORDS * name
    set(c + C.GROUP, group)
    set(c + C.ME, me)
    set(c + C.CALLED, 0)
  }

  return {
    begin(rank) {
      put(rank, WORLD, 0, rank - jobOf[rank].base)
      put(rank, SELF, -1, 0)
    },
    loop(rank, op, row) {
      const r = at.at[rank]
      const turns = amount(reader.ops, row)
      // A loop of 0 iterations jumps behind its END.
      if (turns < 1) {
        set(r + C.PC, op + reader.ops[row + JUMP])
        return
      }
      setLong(at.loops[rank] + 2 * mem[r + C.DEPTH], turns)
      add(r + C.DEPTH, 1)
      set(r + C.PC, op + 1)
    },
    turn(rank, op, row) {
      const r = at.at[rank]
      const turns = at.loops[rank] + 2 * (mem[r + C.DEPTH] - 1)
      const left = long(turns) - 1
      setLong(turns, left)
      if (left > 0) {
        set(r + C.PC, op + reader.ops[row + JUMP])
        return
      }
      add(r + C.DEPTH, -1)
      set(r + C.PC, op + 1)
    },
    communicator(rank, op, kind, row) {
      const name = reader.ops[row + PEER]
      if (kind === Kind.COMM_FREE || name < 0) return
      const job = jobOf[rank]
      const made = job.analysis.made[rank - job.base].get(op)
      put(rank, name, made?.group ?? -1, made?.me ?? 0)
    },
  }
}
