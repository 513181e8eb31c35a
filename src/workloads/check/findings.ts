// Converts the result of a dry run into complaints. A program with a finding would never finish on any network.
import { type Complaint, complain } from "../../core/complaint.ts"
import type { DryRun } from "./dry.ts"

/** Maximum number of complaints of each kind. */
const firstOnes = 10

export function findings(name: string, dry: DryRun): Complaint[] {
  const bad: Complaint[] = []
  for (const w of dry.wrong)
    bad.push(complain(`${name}, rank ${w.rank}, operation ${w.op} (${w.call})`, w.says, "check the trace"))
  for (const r of dry.unmatchedReceives.slice(0, firstOnes))
    bad.push(
      complain(
        `${name}, rank ${r.rank}, operation ${r.op} (${r.call})`,
        `a receive ${r.peer < 0 ? "from any rank" : `from rank ${r.peer}`}, ` +
          `${r.tag < 0 ? "any tag" : `tag ${r.tag}`}: no rank sends a matching message`,
        "record the whole program, or leave the receive out",
      ),
    )
  if (dry.circle.length > 0)
    bad.push(
      complain(
        `${name}, ranks ${dry.circle.map((w) => w.rank).join(", ")}`,
        `wait for each other: ${dry.circle.map((w) => `rank ${w.rank}, operation ${w.op}: ${w.says}`).join("; ")}`,
        "no network can help: check the order of these calls",
      ),
    )
  else
    for (const w of dry.waiting
      .filter((w) => !dry.unmatchedReceives.some((r) => r.rank === w.rank))
      .slice(0, firstOnes))
      bad.push(
        complain(
          `${name}, rank ${w.rank}, operation ${w.op} (${w.call})`,
          w.says,
          "check the trace: this never happens",
        ),
      )
  return bad
}
