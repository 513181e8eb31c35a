// Workers and the command line run from dist/: builds it when a source is newer.
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, statSync } from "node:fs"
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
  const mark = join(root, "dist/.tsbuildinfo")
  if (!existsSync(mark) || statSync(mark).mtimeMs < newest(join(root, "src"))) {
    const { status, stdout } = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.build.json"], {
      cwd: root,
      encoding: "utf8",
    })
    if (status !== 0) throw new Error(`the build fails:\n${stdout}`)
  }
  return join(root, "dist")
}
