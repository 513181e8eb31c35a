// A paper of a user: a folder with an experiment file and a figure file, outside the package and without TypeScript.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { Exit, type Io } from "../../src/cli/command.ts"
import { paperCommand } from "../../src/reproduce/cli/paper/paper.ts"
import { figuresAt } from "../../src/reproduce/papers/data/folder.ts"
import { papers } from "../../src/reproduce/papers/index.ts"
import { plainPaint } from "../../src/terminal/paint.ts"
import { built } from "../support/build.ts"

const base = mkdtempSync(join(tmpdir(), "lacewing-own-"))
const folder = join(base, "mine")
beforeAll(() => {
  built()
  mkdirSync(folder)
  writeFileSync(join(folder, "paper.yaml"), "cites: On Small Meshes, A. Author, 2020\n")
  writeFileSync(join(folder, "curve.yaml"), experiment)
  writeFileSync(join(folder, "fig1.figure.yaml"), figure)
})
afterAll(() => rmSync(base, { recursive: true, force: true }))

const experiment = `lacewing: 1
network:
  topology: {name: mesh, sides: 4x4}
  routing: mesh.dimension-order
  switch: {name: input-queued, vcs: 2, buffer: 8flits}
traffic: {pattern: uniform, load: 0.1, packet: 1flits}
measure: {warmup: 500cycles, window: 2000cycles, limit: 5000cycles}
variants:
  short: {}
  long: {traffic: {packet: 4flits}}
sweep: {traffic.load: [0.1, 0.2]}
seeds: 3
`
const figure = `title: Latency of long packets
claim: long packets take longer, and all of them arrive
experiments: {curve: curve.yaml}
quick:
  scaled: one seed
  all: {seeds: 1}
rows:
  - claim: latency at load 0.1, long over short
    paper: longer
    expect: latency.mean(long, load=0.1) / latency.mean(short, load=0.1) > 1
    source: "Section 3: “long packets take longer”"
  - each: {packets: [short, long]}
    claim: "{packets}: accepted less than offered, most of all loads"
    paper: 0
    expect: max(offered({packets}) - accepted({packets})) within -0.02..0.02
  - claim: latency at load 0.2 of short packets (cycles)
    paper: 300
    expect: latency.mean(short, load=0.2) within 290..310
figures:
  - id: latency
    title: Latency against load
    x: Offered load
    y: Latency (cycles)
    lines:
      - each: {of: [short, long]}
        name: "{of}"
        y: latency.mean({of})
`

function recorder(): Io & { readonly said: string[]; readonly errors: string[] } {
  const [said, errors]: [string[], string[]] = [[], []]
  return {
    said,
    errors,
    out: (t) => said.push(t),
    err: (t) => errors.push(t),
    raw: () => undefined,
    live: false,
    width: 100,
    fits: 200,
    paint: plainPaint,
  }
}
const options = () => ({ workers: 1, out: join(base, "runs") })

test("a folder is run, recorded beside its figures, drawn, and then shown without running", async () => {
  const io = recorder()
  await expect(paperCommand(folder, { ...options(), run: true, full: true, record: true }, io, papers)).rejects.toThrow(
    Exit,
  )
  const text = io.said.join("\n")
  expect(text).toContain("mine/fig1: Figure 1. Latency of long packets")
  expect(text).toMatch(/latency at load 0\.1, long over short +longer .* agrees/)
  // the paper is made up: no packet takes 300 cycles
  expect(text).toMatch(/latency at load 0\.2 of short packets .* FAILS/)
  expect(existsSync(join(folder, "fig1.recorded.json"))).toBe(true)
  expect(readFileSync(join(folder, "index.html"), "utf8")).toContain("On Small Meshes")
  const shown = recorder()
  await expect(paperCommand(folder, options(), shown, papers)).rejects.toThrow(Exit)
  expect(shown.said.join("\n")).toContain("does not agree with the paper (full, 12 runs")
  expect(shown.said.join("\n")).toMatch(/recorded \d{4}-\d\d-\d\d with lacewing/)
})

test("a bound that other seeds might cross makes a row open; one far away does not", () => {
  const { full } = JSON.parse(readFileSync(join(folder, "fig1.recorded.json"), "utf8"))
  const [ratio] = full.rows
  expect(ratio.half).toBeGreaterThan(0)
  const close = figure.replace("> 1", `> ${ratio.value + ratio.half / 2}`)
  writeFileSync(join(folder, "fig1.figure.yaml"), close)
  const io = recorder()
  return paperCommand(folder, { ...options(), json: true }, io, papers).catch(() => {
    const [said] = JSON.parse(io.said[0] ?? "").rows
    expect([said.pass, said.verdict]).toEqual([false, "open"])
  })
})

test.each([
  ["long, load=0.1", "longer, load=0.1", "no run has latency.mean(variant=longer, load=0.1)"],
  ["long, load=0.1", "long", 'latency at load 0.1, long over short" has 2 values, not one'],
  ["latency.mean(long", "latency.men(long", '"latency.men" is not a measured value'],
  ["> 1", "> ", "ends too early"],
  ["claim: long packets", "clam: long packets", "is not a key"],
  ["{curve: curve.yaml}", "{curve: other.yaml}", "other.yaml"],
])("a mistake is found before anything runs: %s as %s", async (right, wrong, says) => {
  writeFileSync(join(folder, "fig1.figure.yaml"), figure.replace(right, wrong))
  await expect(paperCommand(folder, { ...options(), run: true, full: true }, recorder(), papers)).rejects.toThrow(says)
})

test("a folder without figure files is no paper", async () => {
  expect(figuresAt(base)).toBe(undefined)
  await expect(paperCommand(base, options(), recorder(), papers)).rejects.toThrow("No figure, paper or folder")
})
