// Runs that outlive their tasks: each engine and switch is told to end twice (SIGTERM) and goes on in a third task; a
// state that is cut short is set aside.
import { existsSync, readdirSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Job, tasksOf } from "../../src/cluster/job.ts"
import { statesIn } from "../../src/cluster/states.ts"
import { endedIn, notesIn } from "../../src/cluster/task-state.ts"
import { differencesOf } from "../../src/reproduce/peers/matrix/modes.ts"
import { missing, Site, until } from "./support.ts"

const machines = (window: string) => `lacewing: 1
title: Each engine and switch
network:
  topology: { name: hyperx, sides: 3x3, p: 2 }
  routing: hyperx.minimal
  links: { end: 5cycles, link: 10cycles }
traffic: { pattern: uniform, load: 0.3, packet: 4flits }
measure: { warmup: 1kcycles, window: ${window}, limit: 10Mcycles, series: 5kcycles }
probes: [series, latency, channels]
variants:
  input-queued: { network: { switch: { name: input-queued, vcs: 4 } } }
  tiled: { network: { switch: { name: tiled, vcs: 4, rows: 2, columns: 3 } } }
  combined: { network: { switch: { name: combined, vcs: 4, buffer: 128flits, output: 64flits } } }
  infiniband: { network: { switch: { name: infiniband } } }
  omni-path: { network: { switch: { name: omni-path, mport: 3 } } }
  queue-scheme: { network: { switch: { name: queue-scheme, scheme: fbicm-2 }, endpoint: { name: adapter } } }
  chunk: { network: { switch: { name: chunk }, endpoint: { name: rails }, links: { end: 100ns, link: 100ns } }, engine: packet, measure: { window: 500kcycles } }
`
const LEAVES = 2
/** Milliseconds of a run before its task is told to end. */
const MOMENT = 1500
const on = ["--on", "slurm", "--no-report", "--poll", "200ms,500ms", "--per-task", "1s"]

describe.skipIf(missing !== "")("runs that outlive their tasks", () => {
  let site: Site
  beforeAll(async () => {
    // who is told to end may take its time to write down what it has
    site = await Site.start({ killWait: 600 })
    writeFileSync(join(site.dir, "machines.yaml"), machines("250kcycles"))
    // long enough to be cancelled on a fast machine, too
    writeFileSync(
      join(site.dir, "one.yaml"),
      machines("2Mcycles").replace(/ {2}(?!tiled)[\w-]+: \{ network: \{ switch.*\n/g, ""),
    )
  })
  afterAll(() => site?.stop())

  test("each engine and switch over three tasks: the result of a run that was never left", async () => {
    const whole = site.start(["run", "machines.yaml", "--out", "local", "--quiet", "--no-report"])
    const far = site.start(["run", "machines.yaml", "--out", "far", ...on])
    await until(() => site.jobs("far").length > 0 || far.over)
    const job = site.jobs("far")[0]
    /** by place in the plan: tasks that left its run behind with a state */
    const left = new Map<number, number[]>()
    const told = new Map<number, number>()
    while (!far.over) {
      for (const [index, pid] of site.running(job)) leave(job, index, pid, told, left)
      for (const { index, task } of tasksOf(job.rounds()))
        for (const run of task.runs)
          if (endedIn(job.taskDir(index))?.why === "left" && statesIn(job.taskDir(index)).size > 0)
            left.set(run, [...new Set([...(left.get(run) ?? []), index])])
      await sleep(50)
    }
    const end = await far.ended
    expect([end.code, (await whole.ended).code], end.err).toEqual([0, 0])
    const names = (await site.records("local")).map((r) => r.point["variant"])
    expect(names).toHaveLength(7)
    // every run was left twice, and the third task went on from the second one's state
    expect([...left.values()].map((tasks) => tasks.length)).toEqual(new Array(7).fill(LEAVES))
    expect(end.err.split("continues from its checkpoint at cycle").length - 1).toBe(7 * LEAVES)
    const [here, there] = [await site.records("local"), await site.records("far")]
    for (const [i, record] of here.entries()) {
      expect(Object.keys(record.result.tables).length).toBeGreaterThan(2)
      expect([record.hash, differencesOf(record.result, there[i].result)]).toEqual([there[i].hash, []])
    }
    const cycles = [...end.err.matchAll(/checkpoint at cycle (\d+)/g)].map((m) => Number(m[1]))
    console.log(JSON.stringify({ switches: names, tasks: tasksOf(job.rounds()).length, wentOnFromCycles: cycles }))
  })

  test("cancelled, a state is cut short, resumed: it is set aside, that is said, and the run starts over", async () => {
    const far = site.start(["run", "one.yaml", "--out", "cut", ...on])
    await until(() => site.jobs("cut").length > 0 || far.over)
    const job = site.jobs("cut")[0]
    await until(() => existsSync(join(job.taskDir(1), "begun.txt")) || far.over)
    await sleep(MOMENT)
    const cancelled = await site.run("sweeps", "cancel", job.id, "--in", "cut")
    expect([cancelled.code, site.queued()], cancelled.err).toEqual([0, 0])
    expect((await far.ended).code).toBe(130)
    const states = join(job.taskDir(1), "checkpoints")
    const [name] = readdirSync(states)
    truncateSync(join(states, name!), Math.floor(statSync(join(states, name!)).size / 2))
    const resumed = await site.run("sweeps", "resume", job.id, "--in", "cut", "--no-report")
    expect(resumed.code, resumed.err).toBe(0)
    const again = tasksOf(job.rounds()).at(-1)!.index
    expect(again).toBeGreaterThan(1)
    expect(notesIn(job.taskDir(again))).toEqual([
      expect.stringMatching(/is not complete\n {2}fix: moved to .*set-aside.*; the run starts over$/),
    ])
    expect(readdirSync(join(job.taskDir(again), "set-aside"))).toEqual([name])
    const [record] = await site.records("cut")
    await site.run("run", "one.yaml", "--out", "one", "--quiet", "--no-report")
    const [straight] = await site.records("one")
    expect(straight!.hash).toBe(record!.hash)
    expect(differencesOf(straight!.result, record!.result)).toEqual([])
  })
})

/** Tells a task to end once its run has gone on for a moment, unless that was left often enough. `told`: when that is
 *  due for each task. */
function leave(
  job: Job,
  index: number,
  pid: number,
  told: Map<number, number>,
  left: ReadonlyMap<number, readonly number[]>,
): void {
  const own = tasksOf(job.rounds()).find((t) => t.index === index)
  if (own?.piece.id === undefined || !existsSync(join(job.taskDir(index), "begun.txt"))) return
  if (own.task.runs.every((run) => (left.get(run)?.length ?? 0) >= LEAVES)) return
  if (!told.has(index)) told.set(index, Date.now() + MOMENT)
  if (Date.now() < told.get(index)!) return
  told.set(index, Infinity)
  try {
    process.kill(pid, "SIGTERM")
  } catch {
    // it has ended by itself
  }
}
