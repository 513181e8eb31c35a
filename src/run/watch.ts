// Waits for a change of an experiment or of a file beside it (what it includes, edge lists).
import { existsSync, watch } from "node:fs"
import { dirname, resolve } from "node:path"
import { findFile } from "../experiment/read.ts"

/** An editor writes a file in several steps: changes within this many milliseconds are one. */
const settle = 150

/** Answers when something in the experiment's folder has changed, or when `signal` says that nobody waits any more. */
export function changed(path: string, signal: AbortSignal): Promise<void> {
  const found = findFile(path)
  const folder = "ok" in found ? dirname(found.ok) : existsSync(path) ? resolve(path) : dirname(resolve(path))
  return new Promise((done) => {
    let timer: NodeJS.Timeout | undefined
    const watcher = watch(folder, (_, name) => {
      if (name !== null && !/\.(ya?ml|json|m?js|csv|txt|edges)$/.test(name)) return
      clearTimeout(timer)
      timer = setTimeout(end, settle)
    })
    const end = () => {
      watcher.close()
      signal.removeEventListener("abort", end)
      done()
    }
    signal.addEventListener("abort", end)
  })
}
