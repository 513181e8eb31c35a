// 200 points on four nodes, and everything that can happen to them: a node goes down, ten tasks are killed, the
// controller is away, who handed over is killed. The table is that of a run on one machine, and nothing that was stored
// is run twice.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Job } from "../../src/cluster/job.ts"
import { found, histories, missing, Site, until } from "./support.ts"

const sweep = `lacewing: 1
title: Two hundred points
network:
  topology: { name: mesh, sides: 2x2 }
  routing: mesh.dimension-order
  switch: { name: input-queued, vcs: 2 }
traffic: { pattern: uniform, load: 0.1, packet: 2flits }
measure: { warmup: 500cycles, window: 4kcycles, limit: 20kcycles }
seeds: 4
sweep: { traffic.load: { from: 0.01, to: 0.5, step: 0.01 } }
`
const KILLS = 10

describe.skipIf(missing !== "")("a sweep of 200 points on a real cluster", () => {
  let site: Site
  beforeAll(async () => {
    site = await Site.start()
    writeFileSync(join(site.dir, "sweep.yaml"), sweep)
  })
  afterAll(() => site?.stop())

  test("comes to the same table, whatever happens to it", async () => {
    const local = await site.run("run", "sweep.yaml", "--out", "local", "--quiet", "--no-report")
    expect(local.code).toBe(0)
    // predicted at a quarter of a second at least: 200 points are 25 tasks or more
    const args = [
      "run",
      "sweep.yaml",
      "--out",
      "far",
      "--on",
      "slurm",
      "--quiet",
      "--no-report",
      "--poll",
      "300ms,1s",
      "--per-task",
      "2s",
    ]
    const begun = Date.now()
    let submitter = site.start(args)
    await until(() => site.jobs("far").length > 0 || submitter.over)
    const job = site.jobs("far")[0]
    expect(submitter.err).toBe("")
    const killed = new Set<number>()
    await kill(site, job, killed, 3)
    // a node
    await site.cluster.killNode(2)
    expect(site.cluster.ask("scontrol", "update", "nodename=n2", "state=down", "reason=test").status).toBe(0)
    await kill(site, job, killed, 6)
    // who handed over
    submitter.child.kill("SIGKILL")
    expect((await submitter.ended).signal).toBe("SIGKILL")
    await kill(site, job, killed, 7)
    submitter = site.start(args)
    await sleep(1000)
    // the controller
    await site.cluster.stopController()
    await sleep(4000)
    expect(site.cluster.ask("squeue").status).not.toBe(0)
    site.cluster.startController()
    await kill(site, job, killed, KILLS)
    const end = await submitter.ended
    const seconds = (Date.now() - begun) / 1000
    expect(end.err).toBe("")
    expect(end.code).toBe(0)
    // the same table, and behind it the same runs, values, tables of probes
    expect(end.out).toBe(local.out)
    const [here, far] = [await site.records("local"), await site.records("far")]
    expect(here).toHaveLength(200)
    expect(found(far)).toEqual(found(here))
    // one job, followed by two processes
    expect(site.jobs("far").map((j) => j.id)).toEqual([job.id])
    const tasks = await histories([job])
    expect(tasks.flatMap((t) => t.stored).sort()).toEqual(here.map((r) => r.hash).sort())
    for (const t of tasks)
      for (const other of tasks)
        if (other.order > t.order) expect(t.stored.filter((h) => other.begun.includes(h))).toEqual([])
    expect(killed.size).toBe(KILLS)
    expect(site.queued()).toBe(0)
    console.log(
      JSON.stringify({
        ...{ points: 200, killed: killed.size, rounds: job.rounds().length, tasks: tasks.length, seconds },
        begunTwice: tasks.flatMap((t) => t.begun).length - 200,
      }),
    )
  })
})

/** Ends tasks by SIGKILL, each once, until so many were. */
async function kill(site: Site, job: Job, killed: Set<number>, upTo: number): Promise<void> {
  await until(async () => {
    for (const [task, pid] of site.running(job)) {
      if (killed.has(task) || killed.size >= upTo) continue
      try {
        process.kill(pid, "SIGKILL")
        killed.add(task)
      } catch {
        // it has ended by itself
      }
      // one here, one there
      await sleep(120 * (killed.size % 4))
    }
    return killed.size >= upTo || job.over !== undefined
  })
}
