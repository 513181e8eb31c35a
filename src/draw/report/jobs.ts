// Tables of parallel programs: jobs, calls, sizes as the run has them, and what the critical path of each job is made
// of.
import type { RunRecord } from "../../results/record.ts"
import type { Markup } from "./html.ts"
import { anyTable, tablesOf } from "./tables.ts"

export function jobsTable(records: readonly RunRecord[], table: string): Markup | undefined {
  const found = tablesOf(records, table).filter(({ columns }) => (columns["job"] ?? []).length > 0)
  return found.length === 0 ? undefined : anyTable(found, table)
}

/** One row for each job: messages of its critical path, and the time on ranks and between them. */
export function pathTable(records: readonly RunRecord[]): Markup | undefined {
  const found = tablesOf(records, "jobs-path").map(({ name, columns }) => {
    const job = (columns["job"] ?? []) as readonly string[]
    const at = (column: string, i: number) => Number(columns[column][i])
    const rows = [...new Set(job)].map((one) => {
      const steps = [...job.keys()].filter((i) => job[i] === one)
      const sum = (of: (i: number) => number) => steps.reduce((s, i) => s + (Number.isFinite(of(i)) ? of(i) : 0), 0)
      const whole = Number.isFinite(at("came", steps[0]))
      return {
        one,
        rank: at("rank", steps.at(-1)!),
        messages: steps.length - 1,
        network: sum((i) => at("came", i) - at("sent", i)),
        ranks: sum((i) => at("until", i) - at("came", i)),
        reaches: whole ? "its start" : "the last recorded steps",
      }
    })
    return {
      name,
      columns: {
        job: rows.map((r) => r.one),
        "last rank": rows.map((r) => r.rank),
        messages: rows.map((r) => r.messages),
        "in the network": rows.map((r) => r.network),
        "on ranks": rows.map((r) => r.ranks),
        "goes back to": rows.map((r) => r.reaches),
      },
    }
  })
  const some = found.filter(({ columns }) => columns.job.length > 0)
  return some.length === 0 ? undefined : anyTable(some, "path")
}
