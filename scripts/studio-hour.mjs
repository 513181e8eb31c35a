// Endurance test of the studio: runs an engine in a worker while its picture is drawn, and records the heaps of page
// and worker and the memory of their process once a minute.
//   node scripts/studio-hour.mjs [--minutes 60] [--every 60] [--speed all|CYCLES_PER_SECOND]
// The exit code is 1 if memory grows: the maximum of the second half exceeds that of the first half (without its first
// tenth) by more than 5 % and 4 MiB. Halves are compared, because the thinning of snapshots makes the memory rise and
// fall. The slopes are printed. Chromium: CHROMIUM, or the usual locations.
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { dragonfly, headless, servedStudio } from "./studio-site.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const { values: o } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    every: { type: "string", default: "60" },
    speed: { type: "string", default: "all" },
  },
})
const text = dragonfly(100)
const site = await servedStudio(root)
const browser = await headless()

/** A protocol session with the worker of the engine. Its messages are nested in those of the page's session. */
async function workerOf(session) {
  const workers = []
  const open = new Map()
  let next = 1
  session.on("Target.attachedToTarget", ({ sessionId, targetInfo }) => {
    if (targetInfo.type === "worker") workers.push({ sessionId, url: targetInfo.url })
  })
  session.on("Target.detachedFromTarget", ({ sessionId }) => {
    const at = workers.findIndex((w) => w.sessionId === sessionId)
    if (at >= 0) workers.splice(at, 1)
  })
  session.on("Target.receivedMessageFromTarget", ({ message }) => {
    const { id, result } = JSON.parse(message)
    open.get(id)?.(result)
    open.delete(id)
  })
  await session.send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: false, flatten: false })
  return (method) => {
    const engine = workers.filter((w) => w.url.endsWith("/engine.js")).at(-1)
    if (engine === undefined) throw new Error("there is no engine")
    const id = next++
    return new Promise((told) => {
      open.set(id, told)
      void session.send("Target.sendMessageToTarget", {
        sessionId: engine.sessionId,
        message: JSON.stringify({ id, method }),
      })
    })
  }
}

const mib = (bytes) => bytes / 2 ** 20
/** Returns the size of a heap: objects, and the memory of arrays. */
const whole = ({ usedSize, backingStorageSize = 0 }) => mib(usedSize + backingStorageSize)

let failed = true
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  page.setDefaultTimeout(0)
  const session = await page.context().newCDPSession(page)
  const inWorker = await workerOf(session)
  await page.goto(`http://127.0.0.1:${site.address().port}/`)
  await page.waitForFunction(() => globalThis.studio?.state.sides.value.length > 0)
  await page.evaluate((t) => globalThis.studio.actions.openExperiment(t, "dragonfly.yaml"), text)
  await page.evaluate(() => globalThis.studio.actions.setSpeed(Number.POSITIVE_INFINITY))
  if (o.speed !== "all") await page.evaluate((n) => globalThis.studio.actions.setSpeed(n), Number(o.speed))
  await page.evaluate(() => globalThis.studio.actions.play())
  const browserSession = await browser.newBrowserCDPSession()
  const resident = async () => {
    const { processInfo } = await browserSession.send("SystemInfo.getProcessInfo")
    // The renderer with the most CPU time is that of the page.
    const renderer = processInfo.filter((p) => p.type === "renderer").sort((a, b) => b.cpuTime - a.cpuTime)[0]
    const status = readFileSync(`/proc/${renderer.id}/status`, "utf8")
    return Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024
  }
  const samples = []
  const begun = performance.now()
  const minutes = Number(o.minutes)
  while (performance.now() - begun < minutes * 60_000) {
    await page.waitForTimeout(Math.min(Number(o.every), minutes * 60) * 1000)
    await session.send("HeapProfiler.collectGarbage")
    await inWorker("HeapProfiler.collectGarbage")
    const { cycle, frames, trouble } = await page.evaluate(() => ({
      cycle: globalThis.studio.state.pictures.value.A.status.cycle,
      frames: Number(document.querySelector("canvas").dataset.frames),
      trouble: globalThis.studio.state.trouble.value,
    }))
    if (trouble !== "") throw new Error(trouble)
    const now = {
      at: (performance.now() - begun) / 60_000,
      page: whole(await session.send("Runtime.getHeapUsage")),
      worker: whole(await inWorker("Runtime.getHeapUsage")),
      process: await resident(),
    }
    samples.push(now)
    console.log(
      `minute ${now.at.toFixed(1)}: cycle ${cycle}, ${frames} frames; page ${now.page.toFixed(1)}, ` +
        `worker ${now.worker.toFixed(1)}, process ${now.process.toFixed(0)} MiB`,
    )
  }
  const settled = samples.slice(Math.ceil(samples.length / 10))
  const half = Math.ceil(settled.length / 2)
  failed = settled.length < 4
  if (failed) console.log("too few samples")
  for (const what of ["page", "worker", "process"]) {
    const first = Math.max(...settled.slice(0, half).map((s) => s[what]))
    const second = Math.max(...settled.slice(half).map((s) => s[what]))
    const grows = second > first * 1.05 && second > first + 4
    failed ||= grows
    console.log(
      `${what}: at most ${first.toFixed(1)} MiB in the first half, ${second.toFixed(1)} in the second: ` +
        `${grows ? "GROWS" : "flat"} (slope ${slope(settled, what).toFixed(3)} MiB a minute)`,
    )
  }
} finally {
  await browser.close()
  site.close()
}
process.exitCode = failed ? 1 : 0

/** Returns the slope by least squares. */
function slope(list, what) {
  const n = list.length
  const [x, y] = [list.reduce((sum, s) => sum + s.at, 0) / n, list.reduce((sum, s) => sum + s[what], 0) / n]
  const over = list.reduce((sum, s) => sum + (s.at - x) ** 2, 0)
  return over === 0 ? 0 : list.reduce((sum, s) => sum + (s.at - x) * (s[what] - y), 0) / over
}
