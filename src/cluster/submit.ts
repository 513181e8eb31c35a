// Submits the pieces of a sweep, one after the other. Each attempt is recorded before and after. If a process is killed
// in between, the next one searches for the unique name of the piece before it submits it again.
import { type Complaint, complain } from "../core/complaint.ts"
import type { Executor } from "./executor.ts"
import type { Job, Piece, Round } from "./job.ts"

export interface HandOverOptions {
  /** seconds to wait after a submission without a response: it must have arrived before its name is searched */
  readonly settle: number
  readonly signal: AbortSignal
  /** seconds since 1970 */
  now(): number
  note(text: string): void
}

/** Submits all pieces that have no identifier yet. */
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
        now[i] = { ...now[i], pieces: now[i].pieces.map((p, j) => (j === k ? as : p)) }
        job.writeRound(now[i])
      }
      write({ ...piece, tried: o.now() })
      const got = await executor.submit(job, piece)
      if ("bad" in got) return { rounds: now, bad: got.bad }
      if ("id" in got) write({ ...piece, id: got.id })
      else {
        o.note(`${got.unsure}; lacewing looks for it again`)
        write({ ...piece, tried: o.now() })
      }
    }
  }
  return { rounds: now, bad: [] }
}

/** Number of polls until cancelled tasks must have ended. */
const LOOKS = 60

/** Cancels everything, including submissions without a response, and waits until it has ended. */
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
    if (executor.blind === true || (look !== undefined && [...look.values()].every((s) => s.state === "ended")))
      return []
    await wait()
  }
  const names = pieces.map((p) => p.name).join(", ")
  return [
    complain(
      job.dir,
      `Some tasks are still in the queue: ${names}.`,
      "run `lacewing sweeps cancel` again when the scheduler responds",
    ),
  ]
}
