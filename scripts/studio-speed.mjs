// Measures the speed of the studio in one run: the engine in a worker compared with the same run in Node, alternately,
// while the picture is drawn; the time to the first moving picture; the memory.
//   node scripts/studio-speed.mjs [--seconds 10] [--rounds 6] [--memory SECONDS]
// The network is a dragonfly of 1,056 endpoints at load 0.3. It is not part of npm test, because it needs an idle
// machine.
import { spawn } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { dragonfly, headless, servedStudio } from "./studio-site.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const { values: o } = parseArgs({
  options: {
    seconds: { type: "string", default: "10" },
    rounds: { type: "string", default: "6" },
    memory: { type: "string", default: "0" },
  },
})
const seconds = Number(o.seconds)
const text = dragonfly(10)
// One process for all rounds, because the worker is also one. Each line on its input starts a round.
const nodeChild = `
import { createInterface } from "node:readline"
import { openRun, plan, readText } from ${JSON.stringify(new URL("../dist/app/web.js", import.meta.url).href)}
const file = readText(${JSON.stringify(text)})
const { runs } = plan(file.ok).ok
const run = (await openRun(runs[0], file.ok.host)).ok
run.step(2000)
for await (const _ of createInterface({ input: process.stdin })) {
  const warm = performance.now() + 500
  while (performance.now() < warm) run.step(256)
  const [begun, from, cpu] = [performance.now(), run.now, process.cpuUsage()]
  while (performance.now() - begun < ${seconds * 1000}) run.step(256)
  const used = process.cpuUsage(cpu)
  const rate = (run.now - from) / (performance.now() - begun) * 1000
  console.log(JSON.stringify({ rate, perCpu: (run.now - from) / ((used.user + used.system) / 1e6) }))
}
`
const child = spawn(process.execPath, ["--input-type=module", "-e", nodeChild], { stdio: ["pipe", "pipe", "inherit"] })
const told = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
const inNode = async () => {
  child.stdin.write("\n")
  return JSON.parse((await told.next()).value)
}

/** Returns the CPU seconds of the worker threads of this browser (Linux); 0 if unknown. */
function workerSeconds() {
  let ticks = 0
  for (const pid of readdirSync("/proc").filter((p) => /^\d+$/.test(p))) {
    try {
      for (const task of belongs(Number(pid)) ? readdirSync(`/proc/${pid}/task`) : []) {
        const stat = readFileSync(`/proc/${pid}/task/${task}/stat`, "utf8")
        if (!stat.includes("(DedicatedWorker")) continue
        const [user, system] = stat
          .slice(stat.lastIndexOf(")") + 2)
          .split(" ")
          .slice(11, 13)
        ticks += Number(user) + Number(system)
      }
    } catch {
      // The process has ended meanwhile.
    }
  }
  return ticks / 100
}
/** Returns true for a process that this one started, directly or indirectly. */
function belongs(pid) {
  for (let at = pid; at > 1; ) {
    if (at === process.pid) return true
    const stat = readFileSync(`/proc/${at}/stat`, "utf8")
    at = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])
  }
  return false
}
const median = (of) => [...of].sort((a, b) => a - b)[of.length >> 1]

const site = await servedStudio(root)
const browser = await headless("--enable-precise-memory-info")
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  page.setDefaultTimeout(0)
  const begun = performance.now()
  await page.goto(`http://127.0.0.1:${site.address().port}/`)
  await page.waitForFunction(() => globalThis.studio?.state.sides.value.length > 0)
  await page.waitForFunction(
    () =>
      (globalThis.studio.state.pictures.value.A?.status.cycle ?? 0) > 0 &&
      document.querySelector("canvas")?.dataset.frames !== undefined,
  )
  console.log(`first moving picture after ${((performance.now() - begun) / 1000).toFixed(2)} s (first story)`)
  await page.evaluate(() => globalThis.studio.actions.pause())
  await page.evaluate((t) => globalThis.studio.actions.openExperiment(t, "dragonfly.yaml"), text)
  await page.evaluate(() => globalThis.studio.actions.setSpeed(Number.POSITIVE_INFINITY))
  await page.evaluate(() => globalThis.studio.actions.seek(2000))
  const inPage = async () => {
    await page.evaluate(() => globalThis.studio.actions.play())
    const look = () =>
      page.evaluate(() => ({
        at: performance.now(),
        cycle: globalThis.studio.state.pictures.value.A.status.cycle,
        frames: Number(document.querySelector("canvas").dataset.frames),
      }))
    const seen = async () => ({ ...(await look()), cpu: workerSeconds() })
    await page.waitForTimeout(500)
    const from = await seen()
    await page.waitForTimeout(seconds * 1000)
    const to = await seen()
    await page.evaluate(() => globalThis.studio.actions.pause())
    const time = (to.at - from.at) / 1000
    const cycles = to.cycle - from.cycle
    return { rate: cycles / time, perCpu: cycles / (to.cpu - from.cpu), frames: (to.frames - from.frames) / time }
  }
  const rounds = []
  for (let i = 0; i < Number(o.rounds); i++) {
    // The order alternates from round to round.
    const first = i % 2 === 0 ? await inPage() : await inNode()
    const second = i % 2 === 0 ? await inNode() : await inPage()
    const [worker, node] = i % 2 === 0 ? [first, second] : [second, first]
    const [wall, cpu] = [worker.rate / node.rate, worker.perCpu / node.perCpu]
    rounds.push({ wall, cpu, frames: worker.frames })
    console.log(
      `worker ${worker.rate.toFixed(0)} cycles/s (${worker.perCpu.toFixed(0)} a CPU second) with ` +
        `${worker.frames.toFixed(1)} frames/s, Node ${node.rate.toFixed(0)} (${node.perCpu.toFixed(0)}): ` +
        `ratio ${wall.toFixed(2)} by the clock, ${cpu.toFixed(2)} by CPU time`,
    )
  }
  const [wall, cpu, frames] = ["wall", "cpu", "frames"].map((k) => median(rounds.map((r) => r[k])))
  console.log(
    `medians of ${rounds.length}: ratio ${wall.toFixed(2)} by the clock, ` +
      `${cpu.toFixed(2)} by CPU time, ${frames.toFixed(1)} frames/s`,
  )
  const until = performance.now() + 1000 * Number(o.memory)
  if (Number(o.memory) > 0) await page.evaluate(() => globalThis.studio.actions.play())
  while (performance.now() < until) {
    const { cycle, page: heap } = await page.evaluate(() => ({
      cycle: globalThis.studio.state.pictures.value.A.status.cycle,
      page: performance.memory?.usedJSHeapSize ?? 0,
    }))
    console.log(`cycle ${cycle}, page ${(heap / 2 ** 20).toFixed(1)} MiB`)
    await page.waitForTimeout(Math.min(20_000, (1000 * Number(o.memory)) / 6))
  }
} finally {
  child.stdin.end()
  await browser.close()
  site.close()
}
