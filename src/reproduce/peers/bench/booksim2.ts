// Speed compared with BookSim2: the seventeen `speed` configurations, in flit-hops per CPU second. Each run has a
// separate process, because V8 would otherwise reuse code that it compiled for another configuration.
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { RunSpec } from "../../../model/experiment.ts"
import { compileHere } from "../../../run/compile-here.ts"
import { type Entry, entries, specOf } from "../booksim2/config.ts"
import { recordedSpeed } from "../booksim2/speed.ts"
import { PeerFailed, runPeer } from "../program.ts"

export interface BenchRow {
  readonly name: string
  readonly work: string
  readonly cycles: number
  readonly flitHops: number
  readonly cpuSeconds: number
  /** flit-hops per CPU second */
  readonly rate: number
  readonly peerRate: number
  readonly ratio: number
  /** the whole process on a run of BookSim2's length */
  readonly shortCpuSeconds: number
  readonly shortRatio: number
  /** packets of several flits with cut-through and packet hold (and a core as fast as the links): flit-hops per CPU
   *  second flit by flit, and in one piece */
  readonly held?: { readonly flits: number; readonly packets: number }
  readonly peer: "measured" | "recorded"
  readonly rss: number
}

/** How many times longer than BookSim2's own run a long run is. */
const LONGER: Readonly<Record<string, number>> = { mesh8x8: 10 }

export interface BenchOptions {
  /** path of BookSim2's program; without it its recorded figures are compared with */
  readonly booksim?: string | undefined
  readonly match?: RegExp
  /**
   * The best of this many runs counts, for lacewing and for BookSim2, because V8 compiles the same code a little
   * differently each time and other load disturbs the machine.
   */
  readonly tries?: number
  onRow?(row: BenchRow): void
}

export function benchBookSim2(o: BenchOptions): BenchRow[] {
  const rows: BenchRow[] = []
  for (const e of entries().filter((x) => x.group === "speed" && (o.match === undefined || o.match.test(x.id)))) {
    const longer = Object.entries(LONGER).find(([k]) => e.id.includes(k))?.[1] ?? 5
    const { booksim, tries = 3 } = o
    const times = Array.from({ length: tries })
    const peers: number[] = []
    const longs: Timed[] = []
    const shorts: Timed[] = []
    for (let k = 0; k < tries; k++) {
      if (booksim !== undefined && peers.length < 2) peers.push(runBookSim(booksim, e))
      longs.push(runOurs(e, longer))
      shorts.push(runOurs(e, 1))
    }
    const peerRate = booksim !== undefined ? Math.max(...peers) : recordedSpeed(e.id)
    const long = longs.reduce((a, b) => (b.cpu < a.cpu ? b : a))
    const short = shorts.reduce((a, b) => (b.whole < a.whole ? b : a))
    const several = Number(e.config["packet_size"] ?? 1) > 1
    const heldRate = (transfer: "flits" | "packets") => {
      return Math.max(...times.map(() => runOurs(e, longer, transfer)).map((r) => r.flitHops / r.cpu))
    }
    const row: BenchRow = {
      name: e.id,
      work: `${e.nodes} endpoints, ${long.cycles} cycles`,
      cycles: long.cycles,
      flitHops: long.flitHops,
      cpuSeconds: long.cpu,
      rate: long.flitHops / long.cpu,
      peerRate,
      ratio: long.flitHops / long.cpu / peerRate,
      shortCpuSeconds: short.whole,
      shortRatio: short.flitHops / short.whole / peerRate,
      peer: o.booksim !== undefined ? "measured" : "recorded",
      rss: long.rss,
      ...(several ? { held: { flits: heldRate("flits"), packets: heldRate("packets") } } : {}),
    }
    rows.push(row)
    o.onRow?.(row)
  }
  return rows
}

interface Timed {
  readonly cycles: number
  readonly flitHops: number
  /** CPU seconds of the run loop, and of the process from its start */
  readonly cpu: number
  readonly whole: number
  readonly rss: number
  /** flits of the packets that crossed routers in one piece; 0 = flit by flit */
  readonly held: number
}

function runOurs(e: Entry, longer: number, transfer?: "flits" | "packets"): Timed {
  const child = fileURLToPath(new URL("./flit-child.js", import.meta.url))
  const spec = transfer === undefined ? specOf(e, 1) : heldSpec(e, transfer)
  const got = spawnSync(process.execPath, [...compileHere, child, JSON.stringify(spec), String(e.cycles * longer)], {
    encoding: "utf8",
  })
  if (got.status !== 0) throw new Error(`${e.id}: ${got.stderr}`)
  const timed = JSON.parse(got.stdout) as Timed
  if (transfer !== undefined && timed.held > 0 !== (transfer === "packets"))
    throw new Error(`${e.id}: packets were not moved by ${transfer}`)
  return timed
}

/** The same with cut-through and packet hold, moved in one piece or flit by flit. */
export function heldSpec(e: Entry, transfer: "flits" | "packets"): RunSpec {
  const spec = specOf(e, 1)
  const flits = Math.max(Number(e.config["packet_size"] ?? 1), Number(e.config["vc_buf_size"] ?? 8))
  const held = { speed: 1, hold: true, flow: "cut-through", transfer, buffer: `${flits}flits` }
  return { ...spec, network: { ...spec.network, switch: { ...spec.network.switch, ...held } } }
}

const runBookSim = (program: string, e: Entry): number => bookSimRate(program, e.id, e.nodes, e.config)

/** flit-hops per CPU second of BookSim2 on this configuration */
export function bookSimRate(
  program: string,
  name: string,
  nodes: number,
  given: Readonly<Record<string, string>>,
): number {
  const config = Object.entries({ ...given, stopping_thres: "0.0", acc_stopping_thres: "0.0" })
  // this one it reads only with a decimal point
  const written = (k: string, v: string) => (k === "internal_speedup" && !v.includes(".") ? `${v}.0` : v)
  const text = config.map(([k, v]) => `${k} = ${written(k, v)};`).join("\n")
  const { cpu, out, last: printed } = runPeer(program, ["config"], { config: text })
  const last = (re: RegExp) => Number([...out.matchAll(re)].at(-1)?.[1])
  const cycles = last(/Time taken is (\d+) cycles/g)
  const hops = last(/Hops average = ([\d.]+)/g)
  const accepted = last(/Accepted flit rate average = ([\d.]+)/g)
  if (!(cpu > 0 && cycles > 0 && hops > 0 && accepted > 0))
    throw new PeerFailed(`${name}: BookSim2 gave no result\n${printed}`)
  return (accepted * nodes * hops * cycles) / cpu
}
