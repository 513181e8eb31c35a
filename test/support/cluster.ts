// A scheduler and its nodes in one process: sbatch, squeue, scancel and scontrol as functions, which can fail, hang,
// answer nothing or answer late; tasks that write what real ones write, without simulating anything.

import type { Answer, Ask } from "../../src/cluster/executors/command.ts"
import { type Job, tasksOf } from "../../src/cluster/job.ts"
import { Diary, type Ended } from "../../src/cluster/task-state.ts"
import { hostAt } from "../../src/experiment/disk/host.ts"
import { type Plan, type PlannedRun, plan } from "../../src/experiment/plan.ts"
import { plainSource } from "../../src/experiment/source.ts"
import type { RunRecord } from "../../src/results/record.ts"
import { Store } from "../../src/results/store.ts"

export function planned(loads: number, more: Readonly<Record<string, unknown>> = {}): Plan {
  const experiment = {
    lacewing: 1,
    network: { topology: { name: "mesh", sides: "2x2" }, routing: "mesh.dimension-order" },
    traffic: { pattern: "uniform", load: 0.1 },
    measure: { limit: "1kcycles" },
    ...(loads > 1 ? { sweep: { "traffic.load": Array.from({ length: loads }, (_, i) => (i + 1) / (loads + 1)) } } : {}),
    ...more,
  }
  const got = plan({ source: plainSource("test", experiment), host: hostAt("."), name: "test" })
  if ("bad" in got) throw new Error(got.bad[0].says)
  return got.ok
}

export function recordOf(run: PlannedRun): RunRecord {
  const values = { offered: 0.1, accepted: 0.1, "latency.mean": 10, seconds: 0.01 }
  const result = {
    why: "steady",
    explains: "by formula",
    fingerprint: run.hash.slice(0, 8),
    values,
    tables: {},
  } as const
  const provenance = { version: "0", node: "v0", host: "here", started: "2026-01-01T00:00:00.000Z", seconds: 0.01 }
  return { hash: run.hash, spec: run.spec, point: run.point, seed: run.seed, result, provenance }
}

/** What a task does: stores so many of its runs (all unless given), and ends with a last word or without one. */
export interface Act {
  readonly stores?: number
  readonly ends?: Ended["why"] | "killed"
  readonly fails?: readonly number[]
  readonly says?: Ended["says"]
  /** it never comes so far as to take its folder */
  readonly never?: boolean
}

/** The runs of the task that were stored by now. */
export async function act(
  job: Job,
  plan: Plan,
  index: number,
  { stores, ends = "done", fails = [], says = [], never }: Act,
): Promise<string[]> {
  if (never === true) return []
  const { task } = tasksOf(job.rounds()).find((t) => t.index === index)!
  const dir = job.taskDir(index)
  const store = await Store.open(dir, { version: "0" })
  if ("bad" in store) throw new Error(store.bad[0].says)
  const diary = new Diary(dir)
  const done: string[] = []
  for (const [i, at] of task.runs.entries()) {
    const run = plan.runs[at]
    const enough = i >= (stores ?? Infinity)
    if (!enough || ends === "killed") diary.begun(run.hash)
    if (enough) break
    if (fails.includes(at)) diary.failed({ hash: run.hash, why: "crashed", explains: "it always does" })
    else {
      await store.ok.add(recordOf(run))
      done.push(run.hash)
    }
  }
  if (ends === "killed") store.ok.abandon()
  else {
    await store.ok.close()
    diary.ended({ why: ends, seconds: 1, says })
  }
  return done
}

type Mode = "works" | "fails" | "hangs" | "says nothing" | "works but hangs"

const answer = (out: string, code: number | undefined = 0, err = "", late = false): Answer => ({
  code,
  out,
  err,
  missing: false,
  late,
})

export class FakeSlurm {
  /** by the program's name, in the order of its calls; the last one stays */
  readonly modes: Record<string, Mode[]> = {}
  readonly calls: string[] = []
  readonly submitted: { readonly name: string; readonly count: number; readonly states: string[] }[] = []
  maxArray = 1001
  accounting = "accounting_storage/none"
  /** what becomes of task `index` of the job when its turn comes */
  acts: (index: number) => Act = () => ({})
  job: Job | undefined
  plan: Plan | undefined
  ran: string[] = []
  private first = new Map<string, number>()

  readonly ask: Ask = async (program, args) => {
    this.calls.push([program, ...args].join(" "))
    const list = this.modes[program]
    const mode = (list !== undefined && list.length > 1 ? list.shift() : list?.[0]) ?? "works"
    if (mode === "fails")
      return answer("", 1, `${program}: error: Unable to contact slurm controller (connect failure)`)
    if (mode === "hangs") return answer("", undefined, "", true)
    if (mode === "says nothing") return answer("")
    const told = await this.works(program, args)
    return mode === "works but hangs" ? answer("", undefined, "", true) : told
  }

  private async works(program: string, args: readonly string[]): Promise<Answer> {
    if (program === "sbatch") return args[0] === "--parsable" ? this.submit(args[1]) : answer("slurm-wlm 22.05.8\n")
    if (program === "squeue") return args.includes("-r") ? this.look() : this.find(args[args.indexOf("-n") + 1])
    if (program === "scancel") return this.cancel(args[0].replace("--name=", ""))
    if (program === "sinfo") return answer("main 1 2000\n")
    if (args[1] === "partition")
      return answer("PartitionName=main AllowAccounts=ALL Default=YES MaxTime=1-00:00:00 Nodes=n[1-4] State=UP\n")
    return answer(
      `MaxArraySize            = ${this.maxArray}\n` +
        `SLURM_VERSION = 22.05.8\n` +
        `AccountingStorageType   = ${this.accounting}\n`,
    )
  }

  private submit(path: string): Answer {
    const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.sh$/, "")
    const piece = this.job!.rounds()
      .flatMap((r) => r.pieces)
      .find((p) => p.name === name)!
    this.first.set(name, piece.first)
    this.submitted.push({ name, count: piece.count, states: new Array(piece.count).fill("PENDING") })
    return answer(`${100 + this.submitted.length}\n`)
  }

  private find(name: string): Answer {
    const at = this.submitted.findIndex((s) => s.name === name)
    return answer(at < 0 ? "" : `${101 + at}\n`)
  }

  /** Every look is a step of time: what waits runs, and what runs ends. */
  private async look(): Promise<Answer> {
    const lines: string[] = []
    for (const { name, states } of this.submitted)
      for (const [i, state] of states.entries()) {
        if (state === "PENDING") states[i] = "RUNNING"
        else if (state === "RUNNING") {
          const index = this.first.get(name)! + i
          const one = this.acts(index)
          this.ran.push(...(await act(this.job!, this.plan!, index, one)))
          states[i] = one.ends === "killed" ? "NODE_FAIL" : one.never === true ? "FAILED" : "COMPLETED"
        }
        lines.push(`${name}|${i + 1}|${states[i]}|1:00|None`)
      }
    return answer(`${lines.join("\n")}\n`)
  }

  private cancel(name: string): Answer {
    for (const s of this.submitted)
      if (s.name === name)
        for (const [i, state] of s.states.entries()) if (/PEND|RUNN/.test(state)) s.states[i] = "CANCELLED"
    return answer("")
  }

  get waiting(): number {
    return this.submitted.flatMap((s) => s.states).filter((s) => /PEND|RUNN/.test(s)).length
  }
}
