// Makes the failures FROM to TO of a seed one after another, and prints a line of JSON for each (stress-failure.mjs).
// Each has new threads, and a random engine, synchronisation, number of workers, place and kind of failure.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { clockedMember, failing, mailWork, modulesOf, ROUNDS } from "./bare.mjs"
import { KINDS, routingText } from "./routing.mjs"

const [dist, seed, from, to] = [process.argv[2], ...process.argv.slice(3).map(Number)]
const load = (file) => import(new URL(file, dist).href)
const { sha256 } = await load("core/sha256.js")
const { Draws } = await load("core/rng.js")
const { loadNamed } = await load("experiment/outside/load.js")
const { hostAt } = await load("experiment/disk/host.js")
const { plainMeasure, plainStream } = await load("compile/plain-run.js")
const { prepare, simulate } = await load("run/open.js")
const { threads } = await load("run/threads.js")
const { GroupThreads } = await load("run/worker-group/threads.js")
const { Leader } = await load("run/clocked/worker-group.js")
const modules = await modulesOf(dist)
const { breakOff, firstFailure, hasFailed, shareFailure, shareChannels, GROUP } = modules

const folder = mkdtempSync(join(tmpdir(), "lacewing-stress-"))
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))

const engines = [
  { name: "packet", sync: "conservative", protocol: "windows" },
  { name: "packet", sync: "conservative", protocol: "null-messages" },
  { name: "packet", sync: "optimistic" },
  { name: "flit" },
]

function specOf(engine, plugins) {
  const packets = engine.name === "packet"
  return {
    network: {
      topology: { name: "mesh", sides: "4x2" },
      routing: { name: "stress.failing" },
      switch: packets
        ? { name: "chunk", vcs: 1, chunk: "1KiB", buffer: "4KiB", bandwidth: "10GB/s", credit: "5ns" }
        : { name: "input-queued", vcs: 1 },
      endpoint: { name: packets ? "rails" : "simple" },
      links: {},
      cycle: "1ns",
      flit: "64B",
    },
    engine,
    traffic: [
      plainStream({
        arrivals: { name: "bernoulli" },
        packet: { name: "fixed", size: packets ? "1KiB" : "1flit" },
        load: 0.5,
      }),
    ],
    measure: plainMeasure({ window: "4000cycles", limit: "5000cycles" }),
    probes: [],
    seed: 1,
    plugins,
  }
}

/** A whole run. The failing router belongs to any of the workers. */
async function wholeRun({ index, engine, workers, kind, failing, after, ring }) {
  const text = routingText({ router: (2 * failing[0] + (index % 2)) % 8, after: after % 300, kind })
  const plugins = [{ file: `./failing-${index}.mjs`, hash: sha256(new TextEncoder().encode(text)) }]
  writeFileSync(join(folder, plugins[0].file), text)
  const bad = await loadNamed(plugins, folder, "this process")
  if (bad.length > 0) throw new Error(JSON.stringify(bad))
  const prepared = prepare(specOf(engine, plugins), hostAt(folder, plugins))
  if ("bad" in prepared) throw new Error(JSON.stringify(prepared.bad))
  const gather = threads.packet
  const apart = {
    ...threads,
    cores: workers,
    packet: (n, plan, ...rest) => gather(n, { ...plan, channels: shareChannels(workers, ring) }, ...rest),
  }
  await simulate(prepared.ok, { workers }, apart)
}

/** A worker group without a network, with the leader in this thread. */
async function bareTeam({ engine, workers: size, kind, failing: who, after, ring }) {
  const failure = shareFailure(size)
  const mail = engine === "bare mail" ? shareChannels(size, ring) : undefined
  const sync = new Int32Array(new SharedArrayBuffer(4 * (GROUP.words + GROUP.line * size)))
  const fails = { workers: who, kind, after }
  const crowded = size > availableParallelism()
  const starts = Array.from({ length: size - 1 }, (_, i) => ({
    workerData: { ...fails, dist, me: i + 1, size, crowded, failure, mail, sync },
  }))
  const team = new GroupThreads(new URL("bare-member.mjs", import.meta.url), starts)
  const leader = await team.start(
    () => {},
    () => new Leader(sync, size, crowded, team, failure),
  )
  const work = failing({ ...fails, me: 0 })
  try {
    if (mail === undefined) {
      leader.call(0, ROUNDS)
      leader.work(clockedMember(size, work), 0, ROUNDS)
    } else
      mailWork(modules, mail, 0, work, (slept) => {
        if (hasFailed(failure)) throw new Error("another worker broke off")
        team.requireAlive(slept)
      })
  } catch (e) {
    breakOff(failure, 0, e)
    void team.terminate()
    throw firstFailure(failure)
  } finally {
    await (mail === undefined ? leader.close() : team.gone())
  }
}

/** One failure in this many is a whole run. */
const WHOLE = 32

async function one(index) {
  const rng = new Draws(seed).at(index, 0)
  const whole = rng.below(WHOLE) === 0
  const engine = whole ? engines[rng.below(engines.length)] : ["bare mail", "bare clocked"][rng.below(2)]
  const workers = 2 + rng.below(3)
  const kinds = whole ? KINDS : [...KINDS, "exit", "make"]
  const kind = kinds[rng.below(kinds.length)]
  // A failure of the leader ends this process, and a leader that cannot build never starts.
  const first = kind === "exit" || kind === "make" ? 1 + rng.below(workers - 1) : rng.below(workers)
  // Sometimes two at the same time.
  const failing =
    rng.below(4) === 0
      ? [first, (first + 1) % workers].filter((w) => w > 0 || (kind !== "exit" && kind !== "make"))
      : [first]
  const after = rng.below(rng.below(2) === 0 ? 10 : 1000)
  // Short rings are full most of the time.
  const ring = 1 << (6 + rng.below(10))
  const name = whole ? (engine.protocol ?? engine.sync ?? "flit") : engine
  const drawn = { index, engine: name, workers, kind, failing, after, ring }
  process.stdout.write(`${JSON.stringify({ ...drawn, begins: true })}\n`)
  let said = ""
  try {
    await (whole ? wholeRun : bareTeam)({ ...drawn, engine })
  } catch (e) {
    said = e.message
  }
  const right = kind === "exit" ? /ended without a message/ : /planted: /
  process.stdout.write(
    `${JSON.stringify({ ...drawn, said, failed: said !== "", right: said === "" || right.test(said) })}\n`,
  )
}

for (let i = from; i < to; i++) await one(i)
