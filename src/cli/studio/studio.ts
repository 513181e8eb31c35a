// lacewing studio [FILE | RESULTS]: opens the studio in a browser. A local server (server.ts) delivers the page to this
// machine only.
import { spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
import type { Command } from "commander"
import { Exit, exit, type Io } from "../command.ts"
import { describe } from "../help.ts"
import { refuse } from "../options.ts"
import { hostOption } from "../report.ts"
import { givenBy } from "./given.ts"
import { type Given, serve, untilStopped } from "./server.ts"
import { singleFile } from "./single-file.ts"
import { siteFolder } from "./site.ts"

interface Options {
  readonly open: boolean
  readonly code?: boolean
  readonly port?: string
  readonly run?: string
  readonly host?: string
  readonly export?: string
}

export default function (command: Command, io: Io): void {
  command
    .argument("[what]", "A .yaml or .json file, the name of a bundled experiment, or a results folder")
    .option("--code", "Execute the plug-ins of the experiment in the page. They are loaded again when they change")
    .option("--no-open", "Print the address and do not open a browser")
    .option("--port <number>", "Port of 127.0.0.1 (default: any free port)")
    .option("--run <hash>", "Of a results folder: play this run; the first digits of its hash are enough")
    .option("--host <url>", "Address of a hosted studio: links that the page copies begin with it", hostOption)
    .option("--export <file>", "Write the studio with its input to one HTML file, and exit")
    .action(async (what: string | undefined, o: Options) => {
      const port = o.port === undefined ? 0 : Number(o.port)
      if (!Number.isInteger(port) || port < 0 || port > 65_535)
        throw new Exit(
          exit.wrongInput,
          `--port: expected a number from 0 to 65535, found ${o.port}.\n  fix: write a number such as 8080, or remove --port`,
        )
      let given: Given | undefined
      if (what !== undefined) {
        const found = await givenBy(what, o.code === true)
        if ("bad" in found)
          refuse(
            found.bad.map((c) => ({ file: what, ...c })),
            io,
            false,
          )
        else given = found.ok
      }
      if (o.run !== undefined && given?.results === undefined)
        throw new Exit(
          exit.wrongInput,
          `--run: ${what ?? "nothing"} is not a results folder.\n  fix: name the folder that lacewing run wrote`,
        )
      if (o.run !== undefined && given !== undefined) given = { ...given, run: o.run }
      if (o.host !== undefined) given = { folder: ".", ...given, host: o.host }
      if (o.export !== undefined) {
        writeFileSync(o.export, singleFile(siteFolder(), given))
        io.out(o.export)
        return
      }
      const { address, server } = await serve(siteFolder(), given, port)
      io.out(address)
      io.err("Only this machine can open this address. Press Ctrl-C to stop the server.")
      if (o.open) openBrowser(address, io)
      await untilStopped(server)
    })
  describe(command, {
    notes:
      "The page is served by this machine, and only to this machine. Without an argument it plays a story. A file of --export opens without a server. Plug-ins run in an isolated worker of the page, never in this program.",
    examples: [
      "lacewing studio",
      "lacewing studio first-curve",
      "lacewing studio results/first-curve --no-open",
      "lacewing studio results/first-curve --run 3f2a91",
      "lacewing studio first-curve --host https://example.org/studio/",
      "lacewing studio first-curve --export first-curve.html",
      "lacewing studio mine.yaml --code",
    ],
  })
}

function openBrowser(address: string, io: Io): void {
  const [program, ...args] =
    process.platform === "darwin" ? ["open"] : process.platform === "win32" ? ["cmd", "/c", "start", ""] : ["xdg-open"]
  const child = spawn(program!, [...args, address], { stdio: "ignore", detached: true })
  child.on("error", () => io.err("lacewing could not open a browser. Open the address yourself."))
  child.unref()
}
