// Measures the speed of custom plug-ins compared with the same plug-ins of the library: the congestion control nscc and
// the switch combined, each bundled from its source into a module, and examples/plugins/input-first.mjs, which is
// `combined` with an arbiter that is written to be read. Both of a pair deliver the same packets over the same hops.
//   node bench/outside.mjs [subject=nscc|combined|arbiter|all] [pairs=6] [cycles=60000]
// Prints for each subject the ratio of the CPU times, library to module, with its 95 % interval over the pairs, as one
// JSON line. The runs of a pair are separate processes, which alternate.
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { clockedEngine } from "../dist/compile/clocked/engine.js"
import { Moments } from "../dist/core/stats.js"
import { moduleFrom } from "../dist/experiment/gate.js"
import { bringing } from "../dist/experiment/outside/known.js"
import { loadModules } from "../dist/experiment/outside/load.js"
import { plan } from "../dist/experiment/plan.js"
import { readText } from "../dist/experiment/text.js"
import { prepareFlit } from "../dist/run/simulate.js"

const given = Object.fromEntries(process.argv.slice(2).map((a) => a.split("=")))
const cycles = Number(given.cycles ?? 60_000)
const pairs = Number(given.pairs ?? 6)
const root = fileURLToPath(new URL("..", import.meta.url))

/** 64 endpoints with UGAL; a quarter sends to one endpoint. */
const experiment = (name, sw, congestion) => `lacewing: 1
${name === undefined ? "" : `plugins: [${name}]`}
network:
  topology: { name: hyperx, sides: 4x4, p: 4 }
  routing: hyperx.ugal-l
  switch: { ${sw}, vcs: 6, buffer: 64flits, output: 16flits }
  endpoint: { name: queue-pairs, ack: 0flits }
  congestion: ${congestion}
  links: { link: 10cycles, end: 1cycle }
traffic:
  - { name: hot, pattern: { name: to-set, set: [3] }, from: [5, 17, 29, 41], load: 0.5, packet: 8flits }
  - { name: rest, pattern: uniform, load: 0.4, packet: 8flits }
measure: { warmup: 1kcycles, window: 1kcycles, limit: 2kcycles }
`
const inputFirst = join(root, "examples/plugins/input-first.mjs")
/** [subject] -> the experiment with the library, and the one with the module. */
const subjects = {
  nscc: (folder) => [
    experiment(undefined, "name: combined", "nscc"),
    experiment(join(folder, "nscc.mjs"), "name: combined", "my.nscc"),
  ],
  combined: (folder) => [
    experiment(undefined, "name: combined", "none"),
    experiment(join(folder, "combined.mjs"), "name: my.combined", "none"),
  ],
  arbiter: () => [
    experiment(undefined, "name: combined, allocator: input-first", "none"),
    experiment(inputFirst, "name: my.input-first", "none"),
  ],
}

/** Writes a plug-in of the library and all that it imports into one module, under another name. */
async function bundle(folder, name, file) {
  const { rolldown } = await import("rolldown")
  const entry = join(folder, `${name}.entry.ts`)
  const source = JSON.stringify(join(root, file))
  writeFileSync(entry, `import plugin from ${source}\nexport default { ...plugin, name: "my.${name}" }\n`)
  const made = await rolldown({ input: entry, platform: "neutral", logLevel: "warn" })
  const { output } = await made.generate({ format: "esm" })
  await made.close()
  writeFileSync(join(folder, `${name}.mjs`), output[0].code)
}

/** Simulates one experiment. Returns the CPU time, and the packets delivered and their hops. */
async function measure(text) {
  const read = readText(text)
  const modules = read.ok.source.value.plugins ?? []
  const paths = modules.map((path) => moduleFrom("command line", path).ok)
  const outside = await loadModules(paths, ".", (i) => `plugins.${i}`)
  if ("bad" in outside) throw new Error(outside.bad.map((c) => c.says).join("\n"))
  const planned = plan(read.ok, { outside: outside.ok })
  if ("bad" in planned) throw new Error(planned.bad.map((c) => `${c.path} ${c.says}`).join("\n"))
  const { spec } = planned.ok.runs[0]
  const ready = prepareFlit(spec, bringing(read.ok.host, spec.plugins))
  if ("bad" in ready) throw new Error(ready.bad.map((c) => `${c.path} ${c.says}`).join("\n"))
  const engine = clockedEngine(ready.ok.compiled, { parts: 1, horizon: cycles + 1, series: 10_000 })
  const before = process.cpuUsage()
  engine.advance(cycles)
  const { user, system } = process.cpuUsage(before)
  return { seconds: (user + system) / 1e6, work: `${engine.stat("delivered")} ${engine.packetHops()}` }
}

function measured(text) {
  const child = [fileURLToPath(import.meta.url), `cycles=${cycles}`, `text=${Buffer.from(text).toString("base64url")}`]
  return JSON.parse(execFileSync(process.execPath, child, { encoding: "utf8" }))
}

if (given.text !== undefined)
  console.log(JSON.stringify(await measure(Buffer.from(given.text, "base64url").toString())))
else {
  const folder = mkdtempSync(join(tmpdir(), "lacewing-outside-"))
  await bundle(folder, "nscc", "src/congestion/nscc.ts")
  await bundle(folder, "combined", "src/switches/combined/plugin.ts")
  for (const [subject, textsOf] of Object.entries(subjects)) {
    if (![undefined, "all", subject].includes(given.subject)) continue
    const [library, module] = textsOf(folder)
    const ratios = []
    const works = new Set()
    for (let k = 0; k < pairs; k++) {
      // The order alternates, so that a trend of the machine cancels.
      const order = k % 2 === 0 ? [library, module] : [module, library]
      const times = order.map(measured)
      for (const { work } of times) works.add(work)
      const [a, b] = k % 2 === 0 ? times : [times[1], times[0]]
      ratios.push(a.seconds / b.seconds)
    }
    const all = new Moments().addAll(ratios)
    const [mean, half] = [all.mean, all.half()]
    console.log(JSON.stringify({ subject, ratio: mean, half, work: [...works], ratios }))
  }
  rmSync(folder, { recursive: true })
}
