// Waits for a change of an experiment or of a file in its folder, such as an included file or an edge list. `lacewing
// run --watch` uses it.
import { existsSync, watch } from "node:fs"
import { dirname, resolve } from "node:path"
import { findFile } from "../experiment/read.ts"

/** An editor writes a file in several steps: changes within this many milliseconds count as one. */
const settle = 150

/** Resolves when a file in the experiment's folder has changed, or when `signal` is aborted. */
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
