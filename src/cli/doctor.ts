// lacewing doctor: prints the properties of this machine that lacewing uses, and the required parts that are missing.
import type { Command } from "commander"
import { slurmFindings } from "../cluster/executors/findings.ts"
import { doctor } from "../run/doctor.ts"
import { Exit, exit, type Io } from "./command.ts"
import { describe } from "./help.ts"

export default function (command: Command, io: Io): void {
  describe(command, {
    examples: ["lacewing doctor", "lacewing doctor --json"],
    exits: { 1: "a required part is missing" },
  })
  command.option("--json", "Print a JSON list").action(async (o: { json?: boolean }) => {
    const found = [...doctor(), ...(await slurmFindings())]
    const { green, yellow, red } = io.paint
    const marks = { ok: green("ok     "), optional: yellow("missing"), wrong: red("wrong  ") }
    if (o.json === true) io.out(JSON.stringify(found))
    else for (const f of found) io.out(`${marks[f.state]}  ${f.name.padEnd(18)} ${f.says}`)
    if (found.some((f) => f.state === "wrong")) throw new Exit(exit.failed)
  })
}
