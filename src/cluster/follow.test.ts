// A job from its first hand-over to its last task, on a scheduler that fails in all the ways it can.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { FakeSlurm, planned } from "../../test/support/cluster.ts"
import { granted } from "../experiment/cluster/granted.ts"
import { hashOf } from "../experiment/identity/identity.ts"
import { buildVersion } from "../experiment/identity/version.ts"
import type { Plan } from "../experiment/plan.ts"
import { checksumText } from "../results/checksum.ts"
import { nodeDigest } from "../results/disk.ts"
import { slurm } from "./executors/slurm.ts"
import { type Followed, follow } from "./follow.ts"
import { type Asked, frozenOf, frozenText } from "./frozen.ts"
import { Job, tasksOf } from "./job.ts"
import { makeRound } from "./rounds.ts"

const out = mkdtempSync(join(tmpdir(), "lacewing-follow-"))
afterAll(() => rmSync(out, { recursive: true, force: true }))

const plan = planned(9)
// 9 runs of 0.3 s in tasks of 1 s: 3 tasks of 3 runs
const asked: Asked = {
  on: "slurm",
  cluster: { ...plan.cluster, perTask: 1 },
  checkpoint: 600,
  audit: false,
}
const may = granted([{ from: "command line", keys: asked.cluster }])
if ("bad" in may) throw new Error(may.bad[0].says)
const orders = may.ok
const cost = () => ({ seconds: 0.3, megabytes: 40 })
let count = 0
let starts = 0
/** seconds between looks */
let waits: number[] = []

async function made(fake: FakeSlurm, of: Plan = plan): Promise<Job> {
  const job = Job.in(join(out, `r${++count}`))
  const executor = slurm(orders, fake.ask)
  const units = of.runs.map((_, i) => i)
  const round = await makeRound({
    plan: of,
    asked,
    executor,
    job: job.id,
    number: 1,
    first: 1,
    units,
    known: () => undefined,
    cost,
  })
  const wrote = await job.make(of, asked, round)
  if ("bad" in wrote) throw new Error(wrote.bad[0].says)
  fake.job = job
  fake.plan = of
  return job
}

async function go(
  job: Job,
  fake: FakeSlurm,
  signal = new AbortController().signal,
  notes: string[] = [],
): Promise<Followed> {
  const frozen = await job.frozen()
  if ("bad" in frozen) throw new Error(frozen.bad[0].says)
  let now = 1e9 + 1e6 * ++starts
  const clock = {
    now: () => now,
    wait: async (seconds: number) => {
      now += seconds
      waits.push(seconds)
    },
  }
  const options = { signal, clock, cost, known: () => undefined, onNote: (text: string) => notes.push(text) }
  return follow(job, frozen.ok, slurm(orders, fake.ask), options)
}

const all = plan.runs.map((r) => r.hash).sort()
const sbatches = (fake: FakeSlurm) => fake.calls.filter((c) => c.startsWith("sbatch --parsable")).length

describe("everything goes well", () => {
  test("each run is stored once, and one array is submitted", async () => {
    const fake = new FakeSlurm()
    const job = await made(fake)
    const tasks = job.rounds()[0].tasks.length
    expect(tasks).toBe(3)
    const found = await go(job, fake)
    expect(found).toMatchObject({ why: "done", says: [] })
    expect(fake.ran.sort()).toEqual(all)
    expect(fake.submitted.map((s) => s.count)).toEqual([tasks])
  })
  test("looks become rarer, from 2 s to 60 s, while nothing ends", async () => {
    const fake = new FakeSlurm()
    const job = await made(fake)
    fake.modes["squeue"] = ["works", ...new Array(30).fill("fails"), "works"]
    waits = []
    expect((await go(job, fake)).why).toBe("done")
    const grown = waits.slice(0, 30)
    expect(grown[0]).toBeCloseTo(2.6)
    expect(grown.every((w, i) => i === 0 || w >= grown[i - 1])).toBe(true)
    expect(Math.max(...waits)).toBe(60)
  })
  test("arrays are cut at the largest that there may be", async () => {
    const fake = new FakeSlurm()
    fake.maxArray = 3
    const job = await made(fake)
    expect((await go(job, fake)).why).toBe("done")
    const { tasks, pieces } = job.rounds()[0]
    expect(fake.submitted.map((s) => s.count)).toEqual(pieces.map((p) => p.count))
    expect(pieces.every((p) => p.count <= 2)).toBe(true)
    expect(pieces.reduce((n, p) => n + p.count, 0)).toBe(tasks.length)
    expect(fake.ran.sort()).toEqual(all)
  })
})

describe("tasks that end early", () => {
  test("only missing runs are submitted again, and active ones separately", async () => {
    const fake = new FakeSlurm()
    const job = await made(fake)
    const [first] = job.rounds()[0].tasks
    fake.acts = (index) => (index === 1 ? { stores: 1, ends: "killed" } : {})
    const notes: string[] = []
    expect((await go(job, fake, undefined, notes)).why).toBe("done")
    // stored once each: the second round has what the first task did not store
    expect(fake.ran.sort()).toEqual(all)
    const again = job.rounds()[1]
    expect(again.tasks.flatMap((t) => t.runs).sort((a, b) => a - b)).toEqual(first!.runs.slice(1).sort((a, b) => a - b))
    expect(again.tasks.at(-1)!.runs).toEqual([first!.runs[1]])
    // one after the run that was running, and that run alone
    expect(notes).toEqual(["missing: 2 points, submitted again in 2 tasks"])
  })
  test("at most three times, then it is reported", async () => {
    const fake = new FakeSlurm()
    const job = await made(fake)
    // whatever task has run 0 dies with it
    const dies = (index: number) => tasksOf(job.rounds()).find((t) => t.index === index)!.task.runs
    fake.acts = (index) => (dies(index).includes(0) ? { stores: dies(index).indexOf(0), ends: "killed" } : {})
    const found = await go(job, fake)
    expect(found.why).toBe("done")
    expect([...found.lost]).toEqual([[0, "NODE_FAIL"]])
    expect(fake.ran.sort()).toEqual(all.filter((h) => h !== plan.runs[0].hash))
    // the first task, and three more
    expect(tasksOf(job.rounds()).filter((t) => t.task.runs.includes(0))).toHaveLength(4)
  })
  test("a run that fails alone is reported, not repeated", async () => {
    const fake = new FakeSlurm()
    const job = await made(fake)
    fake.acts = () => ({ fails: [5] })
    const found = await go(job, fake)
    expect([found.why, job.rounds().length]).toEqual(["done", 1])
    expect(found.known.failed).toEqual([{ hash: plan.runs[5].hash, why: "crashed", explains: "it always does" }])
    expect(found.lost.size).toBe(0)
  })
  test("tasks that received SIGTERM continue in others, as long as they make progress", async () => {
    const fake = new FakeSlurm()
    const job = await made(fake)
    // one run each time: more tasks than three
    fake.acts = () => ({ stores: 1, ends: "left" })
    const found = await go(job, fake)
    expect([found.why, found.lost.size]).toEqual(["done", 0])
    expect(fake.ran.sort()).toEqual(all)
    expect(job.rounds().length).toBeGreaterThan(1)
  })
})

describe("a scheduler that does not answer", () => {
  test.each([["fails"], ["hangs"], ["says nothing"]] as const)("squeue %s: that is no end", async (mode) => {
    const fake = new FakeSlurm()
    const job = await made(fake)
    fake.modes["squeue"] = ["works", mode, mode, "works", mode, mode, mode, "works", mode, "works"]
    const found = await go(job, fake)
    expect([found.why, found.lost.size]).toEqual(["done", 0])
    expect(fake.ran.sort()).toEqual(all)
    expect(sbatches(fake)).toBe(1)
  })
  test("squeue has forgotten all: tasks that never started are submitted again", async () => {
    const fake = new FakeSlurm()
    const job = await made(fake)
    // the wait grows from 2 s by 1.3 each time: the limit of 60 s is over after the ninth look
    fake.modes["squeue"] = ["works", ...new Array(9).fill("says nothing"), "works"]
    const found = await go(job, fake)
    expect(found.why).toBe("done")
    // by then the first ones have run after all: nothing that is stored is run again
    expect([...new Set(fake.ran)].sort()).toEqual(all)
  })
  test("sbatch was taken but did not answer: it is found by its name, and not submitted twice", async () => {
    const fake = new FakeSlurm()
    fake.modes["sbatch"] = ["works but hangs", "works"]
    const job = await made(fake)
    const notes: string[] = []
    expect((await go(job, fake, undefined, notes)).why).toBe("done")
    expect(sbatches(fake)).toBe(1)
    expect(notes).toContain("sbatch did not respond in time; lacewing looks for it again")
    expect(job.rounds()[0].pieces[0].id).toBe("101")
    expect(fake.ran.sort()).toEqual(all)
  })
  test("sbatch failed for the moment: its name is looked for, then it is submitted again", async () => {
    const fake = new FakeSlurm()
    fake.modes["sbatch"] = ["fails", "hangs", "works"]
    // and so does squeue: without its response nothing is submitted
    fake.modes["squeue"] = ["works", "hangs", "works", "fails", "works"]
    const job = await made(fake)
    expect((await go(job, fake)).why).toBe("done")
    expect(sbatches(fake)).toBe(3)
    expect(fake.submitted).toHaveLength(1)
    expect(fake.ran.sort()).toEqual(all)
  })
  test("accounting is queried only if it exists", async () => {
    const told = async (accounting: string) => {
      const fake = new FakeSlurm()
      fake.accounting = accounting
      const job = await made(fake)
      fake.modes["squeue"] = ["works", "says nothing", "works"]
      await go(job, fake)
      return fake.calls.filter((c) => c.startsWith("sacct")).length
    }
    expect(await told("accounting_storage/none")).toBe(0)
    expect(await told("accounting_storage/slurmdbd")).toBe(1)
  })
})

describe("what no further task would do better", () => {
  test("the first task that refuses ends the job, and nothing stays in the queue", async () => {
    const fake = new FakeSlurm()
    const job = await made(fake)
    const says = [{ path: "x", says: "is another version", fix: "install it" }]
    fake.acts = (index) => (index === 1 ? { ends: "refused", stores: 0, says } : { stores: 0, ends: "left" })
    expect(await go(job, fake)).toMatchObject({ why: "refused", says })
    expect(fake.waiting).toBe(0)
    expect(job.over).toEqual({ why: "refused", says: ["x: is another version"] })
  })
  test("tasks that end before they begin", async () => {
    const fake = new FakeSlurm()
    const job = await made(fake)
    fake.acts = () => ({ never: true })
    const found = await go(job, fake)
    expect(found.why).toBe("refused")
    expect(found.says[0].says).toMatch(/tasks? ended before the start \(FAILED\)/)
    expect(found.says[0].fix).toContain("--setup")
    expect(sbatches(fake)).toBe(1)
  })
})

describe("the submitting process is ended", () => {
  test("and another process continues from the files: nothing is submitted twice", async () => {
    const fake = new FakeSlurm()
    const job = await made(fake)
    fake.acts = (index) => (index === 2 ? { stores: 0, ends: "killed" } : {})
    for (let times = 0; ; times++) {
      const stop = new AbortController()
      // after three looks
      let looks = 0
      const one = Object.assign(new FakeSlurm(), {
        ask: async (...args: Parameters<typeof fake.ask>) => {
          const told = await fake.ask(...args)
          if (args[1].includes("-r") && ++looks === 3) stop.abort()
          return told
        },
      })
      const found = await go(job, one, stop.signal)
      if (found.why === "done") break
      expect(found.why).toBe("detached")
      expect(times).toBeLessThan(40)
    }
    expect(fake.ran.sort()).toEqual(all)
    expect(job.rounds()).toHaveLength(2)
    expect(fake.submitted.map((s) => s.name)).toEqual(job.rounds().flatMap((r) => r.pieces.map((p) => p.name)))
  })
  test("a job that is cancelled meanwhile is followed no more", async () => {
    const fake = new FakeSlurm()
    const job = await made(fake)
    job.cancelled = true
    expect((await go(job, fake)).why).toBe("cancelled")
    expect(fake.submitted).toEqual([])
    job.reopen()
    expect((await go(job, fake)).why).toBe("done")
  })
})

const small = planned(5, { seeds: 2, expect: "latency.mean at load=0.5 < 60cycles", limits: { time: "90s" } })
const wish: Asked = { on: "slurm", cluster: { ...small.cluster, partition: "main" }, checkpoint: 600, audit: true }
const text = frozenText(small, wish)
const inside = text.slice(text.indexOf('"run":') + 6, -1)

describe("a plan that is written down", () => {
  test("comes back whole: every specification complete, and with the text that results show", () => {
    const got = frozenOf(text)
    if (typeof got === "string") throw new Error(got)
    expect(got.asked).toEqual(JSON.parse(JSON.stringify(wish)))
    expect(got.plan.runs).toHaveLength(10)
    for (const [i, run] of got.plan.runs.entries()) {
      const { hash, seed, point, spec, files } = small.runs[i]
      expect([run.hash, run.seed, run.point, run.files]).toEqual([hash, seed, point, files])
      expect(JSON.stringify(run.spec)).toBe(JSON.stringify(spec))
      expect(hashOf(run)).toBe(hash)
    }
    expect([got.plan.expect, got.plan.limits]).toEqual([small.expect, { seconds: 90, megabytes: Infinity }])
  })
  test("has what many runs share once: the network of ten runs", () => {
    expect(text.split('"mesh.dimension-order"')).toHaveLength(2)
  })
  test("is refused when anything was changed or cut off", () => {
    const changed = "The file was changed or truncated after it was written."
    expect(frozenOf(text.replace('"load":0.5', '"load":0.6'))).toBe(changed)
    expect(frozenOf(text.slice(0, -100))).toBe(changed)
    expect(frozenOf(inside)).toBe(changed)
    expect(frozenOf("")).toBe(changed)
  })
  test("of another version is refused, with both versions", () => {
    const of = (version: string) =>
      checksumText(inside.replace(`"version":"${buildVersion}"`, `"version":"${version}"`), nodeDigest)
    expect(typeof frozenOf(of(buildVersion))).toBe("object")
    expect(frozenOf(of("9.0.0"))).toBe(`The plan was made by lacewing 9.0.0, but this is ${buildVersion}.`)
    // another build of the same version
    expect(frozenOf(of(`${buildVersion}0`))).toBe(
      `The plan was made by lacewing ${buildVersion}0, but this is ${buildVersion}.`,
    )
  })
})
