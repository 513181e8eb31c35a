// lacewing import booksim2|codes FILE: a configuration of another simulator as an experiment file, with the keys that each line came from.
import { writeFileSync } from "node:fs"
import type { Command } from "commander"
import { type Complaint, complain, nearest } from "../../core/complaint.ts"
import { unreadable } from "../../experiment/disk/system-error.ts"
import { readText, unwritable } from "../../experiment/disk/user-file.ts"
import { importBookSim2 } from "../../peers/import/booksim2.ts"
import { importCodes } from "../../peers/import/codes.ts"
import type { Imported } from "../../peers/import/imported.ts"
import type { Io } from "../command.ts"
import { wholeNumber } from "../options.ts"
import { refusePlain } from "../plain.ts"

type Options = { readonly json?: boolean; readonly out?: string; readonly cycles?: number; readonly driver?: string }

const most = 2 ** 20

export default function (command: Command, io: Io): void {
  command
    .argument("<tool>", "booksim2 or codes")
    .argument("<file>", "its configuration")
    .option("--out <file>", "write the experiment there instead of printing it")
    .option("--cycles <n>", "booksim2: cycles that it simulated, where it gave up before its samples ended", wholeNumber)
    .option("--driver <arguments>", "codes: the arguments of its synthetic driver, as one text")
    .option("--json", "print one JSON object: the experiment, and keys that have no line in it")
    .action((tool: string, file: string, o: Options) => importCommand(tool, file, o, io))
}

function importCommand(tool: string, file: string, o: Options, io: Io): void {
  const json = o.json === true
  const refuse = (...bad: Complaint[]): never => refusePlain(bad, io, json)
  if (tool !== "booksim2" && tool !== "codes") {
    const near = nearest(tool, ["booksim2", "codes"])
    refuse(complain(tool, "there is no importer of that name", near === undefined ? "choose booksim2 or codes" : `did you mean "${near}"?`))
  }
  if (tool !== "booksim2" && o.cycles !== undefined) refuse(complain("--cycles", "is for BookSim2", "leave it out"))
  if (tool !== "codes" && o.driver !== undefined) refuse(complain("--driver", "is for CODES", "leave it out"))
  let text = ""
  try {
    text = readText(file, most)
  } catch (e) {
    refuse(complain(file, unreadable(e), "give the configuration that the program reads"))
  }
  const got = tool === "codes" ? importCodes(file, text, o.driver) : importBookSim2(file, text, o.cycles)
  if ("bad" in got) refusePlain(got.bad, io, json)
  tell(got.ok, file, o, io)
}

function tell(made: Imported, file: string, o: Options, io: Io): void {
  if (o.out !== undefined) {
    try {
      writeFileSync(o.out, made.yaml)
    } catch (e) {
      refusePlain([complain(o.out, unwritable(e), "name a file in a folder that you may write to")], io, o.json === true)
    }
  }
  if (o.json === true) io.out(JSON.stringify({ ok: true, file, ...(o.out === undefined ? {} : { out: o.out }), ...made }))
  else if (o.out === undefined) io.out(made.yaml.trimEnd())
  else io.out(`${o.out} is written: ${made.without.length} keys have no line and are named at its head; run it: lacewing run ${o.out}`)
}
