// Rows of `lacewing validate loggops` for whole schedules: the finish time of every rank that LogGOPSim prints, equal
// to the nanosecond, one row for each class of schedules. The times are read from the project's folder of references.
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { packageFolder } from "../../../experiment/places.ts"
import { type LogGOPSimOptions, scheduleEnds } from "../schedule-ends.ts"
import type { Row } from "./rows.ts"

interface Reference {
  readonly id: string
  readonly class: string
  readonly params: LogGOPSimOptions
  readonly goal: string
  readonly ranks: readonly number[]
}

export function scheduleRows(): Row[] {
  const file = join(packageFolder, "../shared/reference/loggops/given.jsonl")
  if (!existsSync(file))
    return [
      {
        id: "schedule",
        claim: "finish times of GOAL schedules that LogGOPSim prints",
        reference: "absent",
        value: "",
        pass: "unchecked",
        note: "the reference data are not installed",
      },
    ]
  const references = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Reference)
  const classes = [...new Set(references.map((r) => r.class))].sort()
  return classes.map((name) =>
    rowOf(
      name,
      references.filter((r) => r.class === name),
    ),
  )
}

function rowOf(name: string, references: readonly Reference[]): Row {
  const wrong = references.flatMap(({ id, goal, params, ranks }) => {
    const got = scheduleEnds(goal, params)
    if ("bad" in got) return [`${id}: ${got.bad.map((b) => b.says).join("; ")}`]
    const rank = ranks.findIndex((t, r) => t !== got.ok[r])
    return rank < 0 ? [] : [`${id}: rank ${rank} ends at ${got.ok[rank]} ns instead of ${ranks[rank]} ns`]
  })
  const row: Row = {
    id: `schedule.${name}`,
    claim: `schedules of class ${name} whose ranks all end at LogGOPSim's time, to the ns`,
    reference: references.length,
    value: references.length - wrong.length,
    pass: wrong.length === 0,
  }
  return wrong.length === 0 ? row : { ...row, note: wrong[0] }
}
