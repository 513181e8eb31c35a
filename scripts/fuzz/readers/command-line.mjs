// Fuzz target: command lines, one argument per line, for every command with its options. They are parsed only.
import { Command, CommanderError } from "commander"
import { Exit } from "../../../dist/cli/command.js"
import { commands } from "../../../dist/cli/commands.js"
import { plainPaint } from "../../../dist/terminal/paint.js"
import { textOf } from "../small.mjs"
import { changedTexts } from "../texts.mjs"

const seeds = [
  "run\nfile.yaml\n--set\ntraffic.load=0.4\n--seed\n1,2,3\n--workers\n4\n--json",
  "check\nfile.yaml\n--quick\n--no-code",
  "topology\ndragonfly\np=2\na=4\n--export\nsvg\n--memory\n8GiB",
  "compare\na\nb\n--confidence\n95%\n--value\nlatency.mean",
  "run\nx\n--shard\n1/4\n--dry-run",
  "bench\n--match\n(\n--tries\n3",
]
const io = { out() {}, err() {}, raw() {}, paint: plainPaint, live: false, width: 100 }
const loaded = await Promise.all(commands.map(async (c) => ({ ...c, define: (await c.load()).default })))

async function read(bytes) {
  const program = new Command("lacewing").exitOverride().configureOutput({ writeOut() {}, writeErr() {} })
  for (const { name, define } of loaded) {
    const command = program
      .command(name)
      .exitOverride()
      .configureOutput({ writeOut() {}, writeErr() {} })
    define(command, io)
    // Parsed, not executed.
    command.action(() => {})
  }
  try {
    await program.parseAsync(textOf(bytes).split("\n"), { from: "user" })
  } catch (e) {
    if (!(e instanceof CommanderError || e instanceof Exit)) throw e
  }
}

export default changedTexts(seeds, read)
