// Early termination of a command: Ctrl-C, SIGTERM, a closed terminal (SIGHUP), and a closed or full output. A
// long-running command registers here how it stops cleanly. The lock of a results folder is released at every exit of
// the process (store-lock.ts).
import process from "node:process"
import { complaintOf } from "../results/disk.ts"
import { holdsLock } from "../results/lock.ts"
import { exit } from "./command.ts"

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const
const stopping = new Set<() => void>()
let stopped = false

/**
 * Calls `act` when the command should end. Returns a function that removes the registration. Signals are handled only
 * while something is registered. Otherwise they end the process, because busy code would never handle them.
 */
export function onStop(act: () => void): () => void {
  if (stopping.size === 0) for (const signal of signals) process.on(signal, stop)
  stopping.add(act)
  return () => {
    stopping.delete(act)
    if (stopping.size > 0) return
    for (const signal of signals) process.off(signal, stop)
    stopped = false
  }
}

/** Handles a signal. The second signal ends the process at once. */
function stop(): void {
  if (stopped) process.exit(exit.interrupted)
  stopped = true
  for (const act of stopping) act()
}

/** Error codes of a closed pipe or terminal. */
const closed = ["EPIPE", "EIO", "ECONNRESET", "ERR_STREAM_DESTROYED"]

/**
 * Watches standard output. A closed pipe (`| head`) is not an error, but an unfinished sweep is then interrupted.
 * Output that is lost for another reason, such as a full disk, is a failure. Errors of standard error are ignored.
 */
export function watchOutput(): void {
  let lost = false
  process.stderr.on("error", () => undefined)
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (!lost && !closed.includes(error.code ?? "")) {
      lost = true
      const { path, says, fix } = complaintOf(error, "standard output")
      process.stderr.write(`${path}: ${says}\n  fix: ${fix}\n`)
    }
    for (const act of stopping) act()
    // A command that holds a lock ends by itself. For others the exit code is set only after this event, hence
    // setImmediate.
    if (!holdsLock()) setImmediate(() => process.exit())
  })
  process.on("exit", (code) => {
    if (lost && (code === exit.done || code === exit.interrupted)) process.exitCode = exit.failed
  })
}
