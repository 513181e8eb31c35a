// How fast the studio is, in one run: the engine in a worker beside the same run in Node, in turns, while the picture is drawn; time to the first moving picture; memory.
//   node scripts/studio-speed.mjs [--seconds 10] [--rounds 3] [--memory SECONDS]
// A dragonfly of 1,056 endpoints at load 0.3. No part of npm test: a machine with other work tells little.
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { dragonfly, headless, servedStudio } from "./studio-site.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const { values: o } = parseArgs({
  options: {
    seconds: { type: "string", default: "10" },
    rounds: { type: "string", default: "3" },
    memory: { type: "string", default: "0" },
  },
})
const seconds = Number(o.seconds)
const text = dragonfly(10)
const nodeChild = `
import { openRun, plan, readText } from ${JSON.stringify(new URL("../dist/app/web.js", import.meta.url).href)}
const file = readText(${JSON.stringify(text)})
const { runs } = plan(file.ok).ok
const run = (await openRun(runs[0], file.ok.host)).ok
run.step(2000)
const [begun, from, cpu] = [performance.now(), run.now, process.cpuUsage()]
while (performance.now() - begun < ${seconds * 1000}) run.step(256)
const used = process.cpuUsage(cpu)
console.log(JSON.stringify({ rate: (run.now - from) / (performance.now() - begun) * 1000, perCpu: (run.now - from) / ((used.user + used.system) / 1e6) }))
`
const inNode = () =>
  new Promise((told) => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", nodeChild], { stdio: ["ignore", "pipe", "inherit"] })
    let out = ""
    child.stdout.on("data", (d) => {
      out += d
    })
    child.on("close", () => told(JSON.parse(out)))
  })

const site = await servedStudio(root)
const browser = await headless("--enable-precise-memory-info")
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  page.setDefaultTimeout(0)
  const begun = performance.now()
  await page.goto(`http://127.0.0.1:${site.address().port}/`)
  await page.waitForSelector("#play:not([disabled])")
  await page.click("#play")
  await page.waitForFunction(
    () =>
      (globalThis.studio.state.pictures.value.A?.status.cycle ?? 0) > 0 && document.querySelector("canvas")?.dataset.frames !== undefined,
  )
  console.log(`first moving picture after ${((performance.now() - begun) / 1000).toFixed(2)} s (first-curve)`)
  await page.evaluate(() => globalThis.studio.hands.pause())
  await page.evaluate((t) => globalThis.studio.hands.openExperiment(t, "dragonfly.yaml"), text)
  await page.evaluate(() => globalThis.studio.hands.seek(2000))
  const inPage = async () => {
    await page.evaluate(() => globalThis.studio.hands.play())
    const look = () =>
      page.evaluate(() => ({
        at: performance.now(),
        cycle: globalThis.studio.state.pictures.value.A.status.cycle,
        frames: Number(document.querySelector("canvas").dataset.frames),
      }))
    await page.waitForTimeout(500)
    const from = await look()
    await page.waitForTimeout(seconds * 1000)
    const to = await look()
    await page.evaluate(() => globalThis.studio.hands.pause())
    const time = (to.at - from.at) / 1000
    return { rate: (to.cycle - from.cycle) / time, frames: (to.frames - from.frames) / time }
  }
  for (let i = 0; i < Number(o.rounds); i++) {
    const worker = await inPage()
    const node = await inNode()
    console.log(
      `worker ${worker.rate.toFixed(0)} cycles/s with ${worker.frames.toFixed(1)} frames/s, Node ${node.rate.toFixed(0)} (${node.perCpu.toFixed(0)} a CPU second): ratio ${(worker.rate / node.rate).toFixed(2)}`,
    )
  }
  const until = performance.now() + 1000 * Number(o.memory)
  if (Number(o.memory) > 0) await page.evaluate(() => globalThis.studio.hands.play())
  while (performance.now() < until) {
    const { cycle, page: heap } = await page.evaluate(() => ({
      cycle: globalThis.studio.state.pictures.value.A.status.cycle,
      page: performance.memory?.usedJSHeapSize ?? 0,
    }))
    console.log(`cycle ${cycle}, page ${(heap / 2 ** 20).toFixed(1)} MiB`)
    await page.waitForTimeout(Math.min(20_000, (1000 * Number(o.memory)) / 6))
  }
} finally {
  await browser.close()
  site.close()
}
