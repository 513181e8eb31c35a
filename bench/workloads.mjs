// What parallel programs cost, on one core, each in CPU seconds:
//   dumpi    reading DUMPI from bytes in memory to operations of ranks; goal: 50 MB/s or more
//   replay   chunks that ranks send beside the same number as plain traffic on the same network: CPU time of a chunk-hop; goal: at most 1.3 times
//   amg      a cycle of AMG on 1,728 ranks of the 3,042-endpoint Fit Fly: time and memory
//   simai    one step of a SimAI list on the ideal network; goal: 9,216 GPUs in less than 2 GiB
//   node bench/workloads.mjs [dumpi] [replay] [amg] [simai=FILE] [megabytes=64]
import { readFileSync } from "node:fs"
import { cpuUsage } from "node:process"
import { gunzipSync } from "node:zlib"
import { check } from "../dist/api.js"
import { defineExperiment } from "../dist/app/index.js"
import { idealEnds } from "../dist/peers/ideal.js"
import { prepare, simulate } from "../dist/run/simulate.js"
import { readTrace, readTraceHere } from "../dist/workloads/formats/read.js"
import { dumpiRing } from "../test/support/dumpi-ring.mjs"

const asked = process.argv.slice(2).filter((a) => !a.startsWith("megabytes="))
const wants = (name) => asked.length === 0 || asked.some((a) => a.split("=")[0] === name)
const given = (name) => process.argv.find((a) => a.startsWith(`${name}=`))?.slice(name.length + 1)
const seconds = ({ user, system }) => (user + system) / 1e6
const megabytes = () => Math.round(process.resourceUsage().maxRSS / 1024)

async function dumpi() {
  const wanted = Number(given("megabytes") ?? 64)
  const ranks = 16
  // 3 calls of some 60 bytes in each turn
  const files = Array.from({ length: ranks }, (_, r) => [
    `ring-${String(r).padStart(4, "0")}.bin`,
    dumpiRing(r, ranks, Math.ceil((wanted * 1e6) / ranks / 171)),
  ])
  const bytes = files.reduce((sum, [, b]) => sum + b.length, 0)
  async function* chunks(b) {
    for (let at = 0; at < b.length; at += 2 ** 18) yield b.subarray(at, at + 2 ** 18)
  }
  async function* sources() {
    for (const [name, b] of files) yield { name, chunks: chunks(b) }
  }
  for (let round = 0; round < 3; round++) {
    const begun = cpuUsage()
    const { trace } = await readTrace("ring", sources)
    const took = seconds(cpuUsage(begun))
    if (trace.bad.length > 0 || trace.missing.length > 0) throw new Error(JSON.stringify(trace.bad))
    const calls = trace.summary.totals.records
    console.log(
      `dumpi: ${(bytes / 1e6).toFixed(0)} MB, ${calls} calls, ${ranks} ranks: ${took.toFixed(2)} CPU s, ${(bytes / 1e6 / took).toFixed(0)} MB/s, ${Math.round((took * 1e9) / calls)} ns a call`,
    )
  }
}

async function timed(tree) {
  const got = await check(defineExperiment({ lacewing: 1, ...tree }))
  if ("bad" in got) throw new Error(JSON.stringify(got.bad))
  const ready = prepare(got.ok.runs[0].spec, { read: () => "" })
  if ("bad" in ready) throw new Error(JSON.stringify(ready.bad))
  const begun = cpuUsage()
  const result = await simulate(ready.ok, { threads: false })
  return { ...result, took: seconds(cpuUsage(begun)) }
}

const chunks = { name: "chunk", vcs: 4, chunk: "4KiB", buffer: "64KiB", bandwidth: "12.5GiB/s", delay: "90ns", credit: "90ns" }

/** Messages of 64 KiB between all endpoints: as all-to-all steps of ranks, and as uniform traffic. Three rounds; the last counts. */
async function replay() {
  const network = {
    topology: { name: "dragonfly", p: 4, a: 8, h: 4 },
    routing: "dragonfly.minimal",
    switch: chunks,
    endpoint: "rails",
    flit: "64B",
  }
  const ranks = {
    network,
    engine: "packet",
    jobs: [
      {
        workload: { name: "halo", grid: "11x12x8", bytes: "64KiB", turns: 4, compute: "0us" },
        place: "random",
        mpi: { eager: "1MiB" },
      },
    ],
    measure: { until: "jobs", limit: "20ms" },
  }
  const plain = {
    network,
    engine: "packet",
    traffic: { pattern: "uniform", arrivals: "poisson", packet: "4KiB", message: "16packets", load: 0.5 },
    measure: { warmup: "0us", window: "250us", limit: "250us", drain: "none" },
  }
  for (let round = 0; round < 3; round++) {
    const [a, b] = [await timed(ranks), await timed(plain)]
    const each = ({ took, values }) => (took * 1e9) / values["chunk-hops"]
    console.log(
      `replay: ranks ${a.values["chunk-hops"]} chunk-hops, ${each(a).toFixed(0)} ns each; plain ${b.values["chunk-hops"]}, ${each(b).toFixed(0)} ns each: ${(each(a) / each(b)).toFixed(2)} times`,
    )
  }
}

async function amg() {
  const network = {
    topology: { name: "fitfly", q: 13, p: 9, rails: 2 },
    routing: "slimfly.ugal-l",
    switch: chunks,
    endpoint: { name: "rails", select: "congestion" },
    links: { end: "0ns", local: "0ns", global: "0ns" },
    flit: "64B",
  }
  const mpi = { eager: "8192B", limit: "below", copy: "0.55ns", software: "2500ns", nic: "1000ns", sends: "left", compute: 0 }
  const { took, values } = await timed({
    network,
    engine: "packet",
    jobs: [{ workload: { name: "amg", turns: 1 }, place: "random", mpi }],
    measure: { until: "jobs", limit: "20ms" },
  })
  console.log(
    `amg: 1,728 ranks, one cycle: ${took.toFixed(1)} CPU s, ${(values["jobs.time"] / 1000).toFixed(0)} us simulated, ${values["chunk-hops"]} chunk-hops, ${megabytes()} MB`,
  )
}

function simai(file) {
  const pieces = () => [{ name: file, pieces: [readFileSync(file)] }]
  const { trace, bad } = readTraceHere(file, pieces, {}, "simai", gunzipSync)
  if (trace === undefined) throw new Error(JSON.stringify(bad))
  const begun = cpuUsage()
  // 400 Gbit/s, a microsecond
  const ends = idealEnds(trace.program, { L: 1e6, o: 0, g: 0, G: 20, O: 0 }, { eager: "1TiB" })
  if ("bad" in ends) throw new Error(JSON.stringify(ends.bad))
  const last = ends.ok.reduce((a, b) => Math.max(a, b), 0)
  console.log(
    `simai: ${trace.ranks} ranks, one step: ${(last / 1e12).toFixed(3)} s simulated, ${seconds(cpuUsage(begun)).toFixed(1)} CPU s, ${megabytes()} MB at most`,
  )
}

if (wants("dumpi")) await dumpi()
if (wants("replay")) await replay()
if (wants("amg")) await amg()
if (given("simai") !== undefined) simai(given("simai"))
