// A real cluster for the tests of this folder, and lacewing as a user of it calls it.
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { type Cluster, findSlurm, installSlurm, startSlurm } from "../../scripts/slurm.mjs"
import { type Job, jobsIn, tasksOf } from "../../src/cluster/job.ts"
import { readResults } from "../../src/results/read.ts"
import type { RunRecord } from "../../src/results/record.ts"
import { built } from "../support/build.ts"

if (process.env["LACEWING_SLURM"] === "install") installSlurm()

/** Why the tests of this folder cannot run here; "" where they can. */
export const missing =
  process.getuid?.() !== 0
    ? "a private cluster needs root"
    : findSlurm() === undefined
      ? "Slurm is not installed: LACEWING_SLURM=install npx vitest run test/slurm"
      : ""
if (missing !== "") console.log(`skipped: ${missing}`)

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly out: string
  readonly err: string
}

export interface Process {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  over: boolean
  err: string
}

export class Site {
  readonly dir = mkdtempSync(join(tmpdir(), "lacewing-slurm-"))
  readonly cluster: Cluster
  private readonly program = join(built(), "app/main.js")
  constructor(cluster: Cluster) {
    this.cluster = cluster
  }

  static async start(options: Parameters<typeof startSlurm>[1] = {}): Promise<Site> {
    built()
    return new Site(await startSlurm(mkdtempSync(join(tmpdir(), "lacewing-nodes-")), options))
  }

  async stop(): Promise<void> {
    await this.cluster.stop()
    rmSync(this.dir, { recursive: true, force: true })
  }

  start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Process {
    const child = spawn(process.execPath, [this.program, ...args], {
      cwd: this.dir,
      env: { ...this.cluster.env, XDG_CONFIG_HOME: join(this.dir, "config"), ...env },
      stdio: ["ignore", "pipe", "pipe"],
    })
    let out = ""
    const ended = new Promise<Ended>((done) =>
      child.on("close", (code, signal) => {
        one.over = true
        done({ code, signal, out, err: one.err })
      }),
    )
    const one: Process = { child, over: false, err: "", ended }
    child.stdout?.on("data", (d) => (out += d))
    child.stderr?.on("data", (d) => (one.err += d))
    return one
  }

  run(...args: string[]): Promise<Ended> {
    return this.start(args).ended
  }

  /** Jobs that are waiting or running. */
  queued(): number {
    return this.cluster
      .ask("squeue", "-h", "-r")
      .stdout.split("\n")
      .filter((l) => l.trim() !== "").length
  }

  jobs(results: string): Job[] {
    return jobsIn(join(this.dir, results))
  }

  /** Process of each task that is running, by the task's number. */
  running(job: Job): Map<number, number> {
    const found = new Map<number, number>()
    for (const name of existsSync(join(job.dir, "tasks")) ? readdirSync(join(job.dir, "tasks")) : []) {
      const dir = job.taskDir(Number(name))
      try {
        if (!existsSync(join(dir, "ended.json")))
          found.set(Number(name), JSON.parse(readFileSync(join(dir, "lock.json"), "utf8")).pid)
      } catch {
        // it has not begun, or has just ended
      }
    }
    return found
  }

  async records(folder: string): Promise<readonly RunRecord[]> {
    const read = await readResults(join(this.dir, folder))
    if ("bad" in read) throw new Error(read.bad[0].says)
    if (read.ok.said.length > 0) throw new Error(read.ok.said[0].says)
    return read.ok.records
  }
}

/** Until it is so. */
export async function until(what: () => boolean | Promise<boolean>, every = 50): Promise<void> {
  while (!(await what())) await sleep(every)
}

/** What a run has found, without where and when. */
export function found(records: readonly RunRecord[]): unknown[] {
  return records.map(({ hash, spec, point, seed, result }) => {
    const { seconds: _, ...values } = result.values
    return { hash, spec: JSON.stringify(spec), point, seed, ...result, values }
  })
}

/** Of all tasks of all jobs of a folder: which run each stored and which it began. */
export async function histories(
  jobs: readonly Job[],
): Promise<{ readonly task: string; readonly order: number; readonly stored: string[]; readonly begun: string[] }[]> {
  const all = []
  for (const job of jobs)
    for (const { index } of tasksOf(job.rounds())) {
      const dir = job.taskDir(index)
      if (!existsSync(dir)) continue
      const read = await readResults(dir, { everything: true, tables: false })
      const begun = existsSync(join(dir, "begun.txt"))
        ? readFileSync(join(dir, "begun.txt"), "utf8").trim().split("\n")
        : []
      all.push({
        task: `${job.id} ${index}`,
        order: index,
        stored: "ok" in read ? read.ok.records.map((r) => r.hash) : [],
        begun,
      })
    }
  return all
}
