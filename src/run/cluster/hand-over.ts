// Pieces that nobody has taken yet are handed over, one after the other. What it did is written down before and after, so that a process that is killed in between is
// followed by one that looks for the name first.
import { type Complaint, complain } from "../../core/complaint.ts"
import type { Executor } from "./executor.ts"
import type { Job, Piece, Round } from "./job.ts"

export interface HandOverOptions {
  /** seconds that are waited after a hand-over without an answer: what was on its way must have arrived before its name is looked for */
  readonly settle: number
  readonly signal: AbortSignal
  /** seconds since 1970 */
  now(): number
  note(text: string): void
}

export async function handOver(
  job: Job,
  rounds: readonly Round[],
  executor: Executor,
  o: HandOverOptions,
): Promise<{ readonly rounds: Round[]; readonly bad: readonly Complaint[] }> {
  const now = [...rounds]
  for (const [i, round] of rounds.entries()) {
    for (const [k, piece] of round.pieces.entries()) {
      if (piece.id !== undefined || o.signal.aborted) continue
      if (o.now() - (piece.tried ?? 0) < o.settle) continue
      const write = (as: Piece) => {
        now[i] = { ...now[i]!, pieces: now[i]!.pieces.map((p, j) => (j === k ? as : p)) }
        job.writeRound(now[i]!)
      }
      write({ ...piece, tried: o.now() })
      const got = await executor.submit(job, piece)
      if ("bad" in got) return { rounds: now, bad: got.bad }
      if ("id" in got) write({ ...piece, id: got.id })
      else {
        o.note(`${got.unsure}; it is looked for again`)
        write({ ...piece, tried: o.now() })
      }
    }
  }
  return { rounds: now, bad: [] }
}

/** Looks until what was told to end must have ended. */
const LOOKS = 60

/** Cancels everything, also what was handed over without an answer, and sees that it is gone. */
export async function stopAll(
  job: Job,
  rounds: readonly Round[],
  executor: Executor,
  wait: () => Promise<void>,
): Promise<readonly Complaint[]> {
  const pieces = rounds.flatMap((r) => r.pieces).filter((p) => p.id !== undefined || p.tried !== undefined)
  if (pieces.length === 0) return []
  const bad = await executor.cancel(job, pieces)
  if (bad.length > 0) return bad
  for (let looks = 0; looks < LOOKS; looks++) {
    const look = await executor.look(job, pieces)
    if (executor.blind === true || (look !== undefined && [...look.values()].every((s) => s.state === "ended"))) return []
    await wait()
  }
  const names = pieces.map((p) => p.name).join(", ")
  return [complain(job.dir, `some tasks are still in the queue: ${names}`, "run `lacewing jobs cancel` again when the scheduler answers")]
}
