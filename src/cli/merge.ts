// lacewing merge INTO FROM…: the folders of a sharded sweep become one.
import type { Command } from "commander"
import { buildVersion } from "../experiment/identity/version.ts"
import { merge } from "../results/merge.ts"
import { Exit, exit, type Io } from "./command.ts"
import { refusePlain, sayPlain } from "./plain.ts"

export default function (command: Command, io: Io): void {
  command
    .argument("<into>", "results folder to add to; made if it is not there")
    .argument("<from...>", "results folders to read")
    .option("--json", "print what was done as JSON")
    .action(async (into: string, from: readonly string[], o: { json?: boolean }) => {
      const merged = await merge(into, from, { version: buildVersion })
      if ("bad" in merged) refusePlain(merged.bad, io, o.json === true)
      const { added, known, conflicts, said } = merged.ok
      for (const c of [...said, ...conflicts]) sayPlain(c, io)
      if (o.json === true) io.out(JSON.stringify({ into, added, known, conflicts: conflicts.length }))
      else
        io.out(
          `${into}: ${added} runs added, ${known} were known${conflicts.length > 0 ? `, ${conflicts.length} differ between the folders` : ""}`,
        )
      if (conflicts.length > 0) throw new Exit(exit.failed)
    })
}
