// Runs a command and ends it with failure when all of its processes stand still: node test/support/watched.mjs [--limit
// SECONDS] COMMAND ARGUMENTS... As a module: `runWatched`.
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { watchTree } from "./stall.mjs"

/** Runs a command with its output here. Answers { status, signal, error } as spawnSync does; a command that stalls has
 *  status 1. */
export function runWatched(command, args, { limit = 120_000, ...options } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "lacewing-running-"))
  const file = join(folder, "running")
  const running = () => {
    try {
      return readFileSync(file, "utf8").split("\n").filter(Boolean)
    } catch {
      return []
    }
  }
  return new Promise((done) => {
    let report
    const child = spawn(command, args, {
      stdio: "inherit",
      ...options,
      env: { ...process.env, ...options.env, LACEWING_RUNNING: file },
    })
    const end = watchTree(process.pid, {
      limit,
      running,
      stalled(text, pids) {
        report = text
        console.error(`\n${text}`)
        for (const pid of pids)
          try {
            process.kill(pid, "SIGKILL")
          } catch {
            // it has ended by itself
          }
      },
    })
    const ended = (result) => {
      end()
      rmSync(folder, { recursive: true, force: true })
      done(report === undefined ? result : { status: 1, error: new Error("the tests stalled") })
    }
    child.on("error", (error) => ended({ status: 1, error }))
    child.on("close", (status, signal) => ended({ status, signal }))
  })
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [, , ...words] = process.argv
  const limit = words[0] === "--limit" ? 1000 * Number(words.splice(0, 2)[1]) : undefined
  const { status } = await runWatched(words[0], words.slice(1), limit === undefined ? {} : { limit })
  process.exit(status ?? 1)
}
