// Waits for a change of an experiment, of a file in its folder, such as an included file or an edge list, or of a
// custom plug-in in any folder. `lacewing run --watch` uses it.
import { existsSync, watch } from "node:fs"
import { dirname, resolve } from "node:path"
import { pathsIn } from "../experiment/outside/named.ts"
import { findFile, read } from "../experiment/read.ts"

/** An editor writes a file in several steps: changes within this many milliseconds count as one. */
const settle = 150

/** Returns the folder of the experiment, and those of its modules that exist. */
async function foldersOf(path: string): Promise<string[]> {
  const found = findFile(path)
  const folder = "ok" in found ? dirname(resolve(found.ok)) : existsSync(path) ? resolve(path) : dirname(resolve(path))
  // A module that is an experiment is not executed here. An error of the file is reported by the run.
  const file = await read(path, { code: false })
  const modules = "ok" in file ? pathsIn(file.ok).map((module) => dirname(resolve(folder, module))) : []
  return [...new Set([folder, ...modules])].filter((one) => existsSync(one))
}

/** Resolves when a file in one of these folders has changed, or when `signal` is aborted. */
export async function changed(path: string, signal: AbortSignal): Promise<void> {
  const folders = await foldersOf(path)
  return new Promise((done) => {
    let timer: NodeJS.Timeout | undefined
    const watchers = folders.map((folder) =>
      watch(folder, (_, name) => {
        if (name !== null && !/\.(ya?ml|json|m?[jt]s|csv|txt|edges)$/.test(name)) return
        clearTimeout(timer)
        timer = setTimeout(end, settle)
      }),
    )
    const end = () => {
      for (const watcher of watchers) watcher.close()
      signal.removeEventListener("abort", end)
      done()
    }
    signal.addEventListener("abort", end)
    if (signal.aborted) end()
  })
}
