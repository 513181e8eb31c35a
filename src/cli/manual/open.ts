// Opens a file in the default program of the system and does not wait for it.
import { spawn } from "node:child_process"
import { platform } from "node:process"
import type { Io } from "../command.ts"

export function openerOf(system: string): readonly [command: string, ...args: string[]] {
  if (system === "darwin") return ["open"]
  return system === "win32" ? ["cmd", "/c", "start", ""] : ["xdg-open"]
}

/** Opens a file. The variable LACEWING_OPEN names another program. */
export function openFile(path: string, io: Io, env: NodeJS.ProcessEnv = process.env): Promise<void> {
  const own = env["LACEWING_OPEN"]
  const [command, ...args] = own === undefined || own === "" ? openerOf(platform) : [own]
  return new Promise((done) => {
    const child = spawn(command, [...args, path], { detached: true, stdio: "ignore" })
    child.once("error", () => {
      io.err(`lacewing could not open a browser, because ${command} is missing. Open ${path} yourself.`)
      done()
    })
    child.once("spawn", () => {
      child.unref()
      done()
    })
  })
}
