// lacewing studio [FILE | RESULTS]: the studio in a browser, served by this machine for this machine.
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Command } from "commander"
import { Exit, exit, type Io } from "../command.ts"
import { refuse } from "../options.ts"
import { givenBy } from "./given.ts"
import { type Given, serve, untilStopped } from "./server.ts"

export default function (command: Command, io: Io): void {
  command
    .argument("[what]", "experiment (.yaml, .json), a name that `lacewing list experiments` shows, or a results folder")
    .option("--no-open", "print the address and open no browser")
    .option("--port <number>", "port of 127.0.0.1; any that is free unless given")
    .action(async (what: string | undefined, o: { open: boolean; port?: string }) => {
      const port = o.port === undefined ? 0 : Number(o.port)
      if (!Number.isInteger(port) || port < 0 || port > 65_535)
        throw new Exit(exit.wrongInput, `--port: expected a number from 0 to 65535, found ${o.port}`)
      let given: Given | undefined
      if (what !== undefined) {
        const found = await givenBy(what)
        if ("bad" in found)
          refuse(
            found.bad.map((c) => ({ file: what, ...c })),
            io,
            false,
          )
        else given = found.ok
      }
      const { address, server } = await serve(siteFolder(), given, port)
      io.out(address)
      io.err("Only this machine reaches it. Ctrl-C ends it.")
      if (o.open) openBrowser(address, io)
      await untilStopped(server)
    })
}

/** Beside the bundle that this is part of, or in the tree. */
function siteFolder(): string {
  const places = ["../studio/", "../../../dist/studio/"].map((p) => fileURLToPath(new URL(p, import.meta.url)))
  const found = places.find((p) => existsSync(`${p}index.html`))
  if (found === undefined) throw new Exit(exit.failed, "the studio is not built: npm run build")
  return found
}

function openBrowser(address: string, io: Io): void {
  const [program, ...args] =
    process.platform === "darwin" ? ["open"] : process.platform === "win32" ? ["cmd", "/c", "start", ""] : ["xdg-open"]
  const child = spawn(program!, [...args, address], { stdio: "ignore", detached: true })
  child.on("error", () => io.err("No browser could be opened: open the address yourself."))
  child.unref()
}
