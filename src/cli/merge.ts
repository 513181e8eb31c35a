// lacewing merge INTO FROM…: merges the results folders of a sharded sweep. It is an error if two folders contain
// different results of the same run, because results are deterministic.
import type { Command } from "commander"
import { counted } from "../core/wording.ts"
import { buildVersion } from "../experiment/identity/version.ts"
import { merge } from "../results/merge.ts"
import { Exit, exit, type Io } from "./command.ts"
import { describe } from "./help.ts"
import { refusePlain, sayPlain } from "./plain.ts"

export default function (command: Command, io: Io): void {
  describe(command, {
    examples: ["lacewing merge results/all results/shard-1 results/shard-2"],
    exits: { 1: "the folders contain different results of the same run" },
  })
  command
    .argument("<into>", "Results folder to add to. Created if it does not exist")
    .argument("<from...>", "Results folders to read")
    .option("--json", "Print the counts as JSON")
    .action(async (into: string, from: readonly string[], o: { json?: boolean }) => {
      const merged = await merge(into, from, { version: buildVersion })
      if ("bad" in merged) refusePlain(merged.bad, io, o.json === true)
      const { added, known, conflicts, said } = merged.ok
      for (const c of [...said, ...conflicts]) sayPlain(c, io)
      if (o.json === true) io.out(JSON.stringify({ into, added, known, conflicts: conflicts.length }))
      else
        io.out(
          `${into}: added ${counted(added, "run")}, ${known} already stored${conflicts.length > 0 ? `, ${conflicts.length} different in two folders` : ""}.`,
        )
      if (conflicts.length > 0) throw new Exit(exit.failed)
    })
}
