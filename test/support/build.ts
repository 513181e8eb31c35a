// Workers and the command line run from dist/: builds it when a source is newer.
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = join(dirname(fileURLToPath(import.meta.url)), "../..")
export const fakeSimulator = new URL("./simulator.mjs", import.meta.url).href

function newest(folder: string): number {
  return Math.max(
    0,
    ...readdirSync(folder, { recursive: true, withFileTypes: true }).map((f) =>
      f.isFile() ? statSync(join(f.parentPath, f.name)).mtimeMs : 0,
    ),
  )
}

export function built(): string {
  while (isStale()) if (take()) build()
  return join(root, "dist")
}

function isStale(): boolean {
  const mark = join(root, "dist/app/main.js")
  return !existsSync(mark) || statSync(mark).mtimeMs < newest(join(root, "src"))
}

const lock = join(root, "dist/.building")

/** Test files run side by side: one of them builds, the others wait. A lock whose process is gone was left behind. */
function take(): boolean {
  mkdirSync(join(root, "dist"), { recursive: true })
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" })
    return true
  } catch {
    if (isLeft()) rmSync(lock, { recursive: true, force: true })
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
    return false
  }
}

function isLeft(): boolean {
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
    for (const step of [["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], ["scripts/names.mjs"], ["scripts/bundle.mjs"]]) {
      const { status, stdout, stderr } = spawnSync(process.execPath, step, { cwd: root, encoding: "utf8" })
      if (status !== 0) throw new Error(`the build fails:\n${stdout}${stderr}`)
    }
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}
