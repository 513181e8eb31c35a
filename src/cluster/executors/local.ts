// The executor for this machine: a shell in a separate process group runs one task after the other, each with the pool
// on all its cores. It continues when the process that started it ends.
import { spawn } from "node:child_process"
import { existsSync, openSync, readFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { complain } from "../../core/complaint.ts"
import { writeAtomic } from "../../results/disk.ts"
import { lives, startTimeOf } from "../../results/lock.ts"
import type { Executor, Orders, Seen } from "../executor.ts"
import type { Job, Piece } from "../job.ts"
import { taskCommand } from "./program.ts"

/**
 * Returns whether the shell of a piece is alive; undefined on another host. The identifier is `PID CREATED HOST`. The
 * folder may come from another user, so the process must really be the shell that runs this script.
 */
function isAlive(job: Pick<Job, "dir">, piece: Piece): boolean | undefined {
  const [pid, started, host] = (piece.id ?? "").split(" ")
  if (host !== hostname()) return undefined
  return Number(pid) > 1 && lives(Number(pid), started ?? "") && runsScript(Number(pid), scriptOf(job, piece))
}

function scriptOf(job: Pick<Job, "dir">, piece: Piece): string {
  return join(job.dir, `${piece.name}.sh`)
}

/** Returns true if the process runs this script, and also if there is no /proc to check it. */
function runsScript(pid: number, path: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(path)
  } catch {
    return !existsSync("/proc/self/cmdline")
  }
}

/** Returns the executor. It needs no scheduler, so its only limits are those of the machine. */
export function local(keys: Orders): Executor {
  return {
    name: "local",
    most: async () => 1e6,
    check: async () => [],
    script(job, { first, count }) {
      const command = taskCommand(job, '"$i"', keys)
      const setup = keys.setup === undefined ? "" : `${keys.setup}\n`
      return (
        `#!/bin/sh\n${setup}i=${first}\n` +
        `while [ "$i" -lt ${first + count} ]; do\n` +
        `  (${command})\n  i=$((i + 1))\n` +
        `done\n`
      )
    },
    async submit(job, piece) {
      const path = scriptOf(job, piece)
      writeAtomic(path, this.script(job, piece))
      const log = openSync(join(job.dir, "logs", `${piece.name}.out`), "a")
      const child = spawn("sh", [path], { cwd: job.dir, detached: true, stdio: ["ignore", log, log] })
      const started = await new Promise<boolean>((done) =>
        child.once("spawn", () => done(true)).once("error", () => done(false)),
      )
      if (!started || child.pid === undefined) return { bad: [complain("sh", "cannot be started", "run without --on")] }
      child.unref()
      return { id: `${child.pid} ${startTimeOf(child.pid)} ${hostname()}` }
    },
    async look(job, pieces) {
      const seen = new Map<number, Seen>()
      for (const piece of pieces) {
        const alive = isAlive(job, piece)
        if (alive === undefined) return undefined
        const told: Seen = alive
          ? { state: "waiting", word: "", reason: "" }
          : { state: "ended", word: "its process is gone", reason: "" }
        for (let i = 0; i < piece.count; i++) seen.set(piece.first + i, told)
      }
      return seen
    },
    async cancel(job, pieces) {
      // A negative number signals the whole process group: the shell and its present task.
      for (const piece of pieces)
        if (isAlive(job, piece) === true) process.kill(-Number(piece.id!.split(" ")[0]), "SIGTERM")
      const elsewhere = pieces.filter((p) => isAlive(job, p) === undefined && p.id !== undefined)
      return elsewhere.map((p) => complain(p.name, `runs on ${p.id!.split(" ")[2]}`, "cancel it there"))
    },
  }
}
