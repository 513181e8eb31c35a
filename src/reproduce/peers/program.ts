// A program of others that is run in between ours: in a folder of its own that holds the files it is given, its user
// CPU seconds taken.
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

/** The other program failed, which is not a fault of lacewing. */
export class PeerFailed extends Error {}

export interface PeerRun {
  readonly cpu: number
  readonly out: string
  /** the ends of what it printed, for a complaint */
  readonly last: string
}

export function runPeer(
  program: string,
  args: readonly string[],
  files: Readonly<Record<string, string>> = {},
): PeerRun {
  const folder = mkdtempSync(join(tmpdir(), "lacewing-"))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  // a name without a folder is looked up in PATH
  const path = program.includes("/") ? resolve(program) : program
  const got = spawnSync("bash", ["-c", 'TIMEFORMAT="cpu %U"; time "$0" "$@"', path, ...args], {
    cwd: folder,
    env: { ...process.env, LC_ALL: "C" },
    encoding: "utf8",
    maxBuffer: 1 << 28,
  })
  rmSync(folder, { recursive: true })
  const cpu = Number(/^cpu ([\d.]+)$/m.exec(got.stderr)?.[1])
  return { cpu, out: got.stdout, last: `${got.stdout.slice(-400)}${got.stderr.slice(-400)}` }
}
