// What ends a command before its time: Ctrl-C, SIGTERM, a terminal that goes away (SIGHUP), and an output that nobody reads any more or that is full. A
// command that runs for long says here how it stops in order; whatever way a process ends, the lock of a results folder is given back (store-lock.ts).
import process from "node:process"
import { complaintOf } from "../results/disk.ts"
import { holdsLock } from "../results/lock.ts"
import { exit } from "./command.ts"

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const
const stopping = new Set<() => void>()
let stopped = false

/** `act` is called when the command should end; answers how to take that back. Signals are handled only meanwhile: elsewhere they end the process, as busy
 * code would not hear of them. */
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

/** The second one does not wait. */
function stop(): void {
  if (stopped) process.exit(exit.interrupted)
  stopped = true
  for (const act of stopping) act()
}

/** The other side of a pipe or terminal is gone. */
const closed = ["EPIPE", "EIO", "ECONNRESET", "ERR_STREAM_DESTROYED"]

/** Standard output can break at any time. A closed pipe (`| head`) is no error, but a sweep that is not finished then is interrupted; output that is lost
 * for another reason, a full disk for one, is a failure. What cannot be told on standard error is left untold. */
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
    // with a lock in hand the command ends by itself; the exit code of one that is ending now is not set yet
    if (!holdsLock()) setImmediate(() => process.exit())
  })
  process.on("exit", (code) => {
    if (lost && (code === exit.done || code === exit.interrupted)) process.exitCode = exit.failed
  })
}
