// lacewing import booksim2|codes FILE: converts a configuration of another simulator into an experiment file. Comments
// in the file name the keys from which each line was converted.
import { writeFileSync } from "node:fs"
import type { Command } from "commander"
import type { Io } from "../../cli/command.ts"
import { describe } from "../../cli/help.ts"
import { wholeNumber } from "../../cli/options.ts"
import { refusePlain } from "../../cli/plain.ts"
import { type Complaint, complain, nearest } from "../../core/complaint.ts"
import { unreadable } from "../../experiment/disk/system-error.ts"
import { readText, unwritable } from "../../experiment/disk/user-file.ts"
import { importBookSim2 } from "../peers/import/booksim2.ts"
import { importCodes } from "../peers/import/codes.ts"
import type { Imported } from "../peers/import/imported.ts"

type Options = { readonly json?: boolean; readonly out?: string; readonly cycles?: number; readonly driver?: string }

const most = 2 ** 20

export default function (command: Command, io: Io): void {
  command
    .argument("<tool>", "Simulator of the configuration: booksim2 or codes")
    .argument("<file>", "Configuration file")
    .option("--out <file>", "File to write (default: standard output)")
    .option("--cycles <n>", "booksim2: number of cycles it simulated before it gave up", wholeNumber)
    .option("--driver <arguments>", "codes: arguments of its synthetic driver, as one quoted text")
    .option("--json", "Print one JSON object: the experiment, and the keys without an equivalent")
    .action((tool: string, file: string, o: Options) => importCommand(tool, file, o, io))
  describe(command, {
    notes:
      "Each line of the experiment names the keys that it comes from. Keys without an equivalent are listed at its top.",
    examples: ["lacewing import booksim2 torus88 --out torus.yaml", "lacewing import codes dragonfly.conf"],
  })
}

function importCommand(tool: string, file: string, o: Options, io: Io): void {
  const json = o.json === true
  const refuse = (...bad: Complaint[]): never => refusePlain(bad, io, json)
  if (tool !== "booksim2" && tool !== "codes") {
    const near = nearest(tool, ["booksim2", "codes"])
    refuse(
      complain(
        tool,
        "There is no importer with this name.",
        near === undefined ? "choose booksim2 or codes" : `did you mean "${near}"?`,
      ),
    )
  }
  if (tool !== "booksim2" && o.cycles !== undefined)
    refuse(complain("--cycles", "This option only applies to BookSim2.", "remove it"))
  if (tool !== "codes" && o.driver !== undefined)
    refuse(complain("--driver", "This option only applies to CODES.", "remove it"))
  let text = ""
  try {
    text = readText(file, most)
  } catch (e) {
    refuse(complain(file, unreadable(e), "name the configuration file that the simulator reads"))
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
      refusePlain(
        [complain(o.out, unwritable(e), "choose a file in a folder that you may write to")],
        io,
        o.json === true,
      )
    }
  }
  if (o.json === true)
    io.out(JSON.stringify({ ok: true, file, ...(o.out === undefined ? {} : { out: o.out }), ...made }))
  else if (o.out === undefined) io.out(made.yaml.trimEnd())
  else io.out(`Wrote ${o.out}. ${withoutText(made.without.length)}Run it with: lacewing run ${o.out}`)
}

function withoutText(count: number): string {
  if (count === 0) return ""
  return `${count === 1 ? "1 key has" : `${count} keys have`} no equivalent, see the top of the file. `
}
