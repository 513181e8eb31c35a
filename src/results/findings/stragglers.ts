// One sentence for each job of a run: exposed communication, straggler and tail (table `jobs`). Of each point the first
// seed that ended is shown.
import { canonical } from "../../core/canonical.ts"
import type { RunRecord } from "../record.ts"

export interface JobSentence {
  readonly point: RunRecord["point"]
  readonly says: string
}

/** A deviation below this is no straggler and no tail. */
const NOTABLE = 1.005

/** Returns the sentences of a run; a job that has not ended has none. */
export function jobSentences({ result }: Pick<RunRecord, "result">): string[] {
  const table = result.tables["jobs"] ?? {}
  const number = (column: string, i: number) => Number(table[column]?.[i] ?? Number.NaN)
  return (table["job"] ?? []).flatMap((job, i) => {
    const exposed = number("exposed", i)
    if (!Number.isFinite(exposed)) return []
    const parts = [`${(100 * exposed).toFixed(1)} % of the time of ranks is exposed communication`]
    const [excess, tail] = [number("straggler.excess", i), number("tail", i)]
    if (excess > NOTABLE) parts.push(`rank ${number("straggler", i)} computes ${excess.toFixed(2)} × the mean`)
    if (tail > NOTABLE) parts.push(`the slowest rank takes ${tail.toFixed(2)} × the median`)
    return [`${job}: ${parts.join("; ")}`]
  })
}

/** Returns the sentences of the first run of each point that has some. */
export function jobsOfPoints(records: readonly RunRecord[]): JobSentence[] {
  const shown = new Set<string>()
  return records.flatMap((record) => {
    const key = canonical(record.point)
    const sentences = shown.has(key) ? [] : jobSentences(record)
    if (sentences.length > 0) shown.add(key)
    return sentences.map((says) => ({ point: record.point, says }))
  })
}
