// Workers and the command line run from dist/: builds it when a source is newer.
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { isStale, newest, build as rebuild } from "../../scripts/build.mjs"

export const root = join(dirname(fileURLToPath(import.meta.url)), "../..")
export const fakeSimulator = new URL("./simulator.mjs", import.meta.url).href

export function built(): string {
  while (isStale()) if (take(lock)) build()
  return join(root, "dist")
}

/** Modules in this folder can import "lacewing", as those of a user whose project has it installed. */
export function install(folder: string): void {
  built()
  mkdirSync(join(folder, "node_modules"))
  symlinkSync(root, join(folder, "node_modules/lacewing"), "dir")
}

/** dist/manual, made when something that it is made of is newer. */
export function manual(): string {
  built()
  const folder = join(root, "dist/manual")
  const mark = join(folder, "index.html")
  const sources = ["src", "studio", "docs", "scripts", "papers", "changes", "experiments"].map((f) => join(root, f))
  const old = () => !existsSync(mark) || statSync(mark).mtimeMs < Math.max(...sources.map(newest))
  while (old())
    if (take(manualLock))
      try {
        if (old()) run(["scripts/manual.mjs"])
      } finally {
        rmSync(manualLock, { recursive: true, force: true })
      }
  return folder
}

const lock = join(root, "dist/.building")
const manualLock = join(root, "dist/.manual")

/** Test files run side by side: one of them builds, the others wait. A lock whose process is gone was left behind. */
function take(lock: string): boolean {
  mkdirSync(join(root, "dist"), { recursive: true })
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" })
    return true
  } catch {
    if (isLeft(lock)) rmSync(lock, { recursive: true, force: true })
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
    return false
  }
}

function isLeft(lock: string): boolean {
  try {
    const pid = Number(readFileSync(lock, "utf8"))
    if (pid > 0) process.kill(pid, 0)
    return false
  } catch (e) {
    return e instanceof Error && "code" in e && (e.code === "ESRCH" || e.code === "EISDIR")
  }
}

function build(): void {
  try {
    if (!isStale()) return
    const failed = rebuild("pipe")
    if (failed !== undefined) throw new Error(failed)
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

function run(step: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, step, { cwd: root, encoding: "utf8" })
  if (status !== 0) throw new Error(`${step[0]} failed:\n${stdout}${stderr}`)
}
