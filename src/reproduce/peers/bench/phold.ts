// `lacewing bench phold`: events per CPU second compared with ROSS' sequential scheduler, on its model PHOLD. Sizes and
// parameters are those that were measured for ROSS. With look-ahead 1 every event is exactly 1.0 later and all logical
// processes tie; with 0.1 delays are random. Each row has a separate process.
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { pholdLoop, TICK } from "../../../engines/packet/phold.ts"
import { compileHere } from "../../../run/compile-here.ts"
import { readRecorded } from "../recorded.ts"
import { type PholdRun, runRossPeer } from "../ross.ts"

export interface PholdRow {
  readonly name: string
  readonly work: string
  readonly events: number
  readonly cpuSeconds: number
  /** events per CPU second */
  readonly rate: number
  readonly peerRate: number
  readonly ratio: number
  readonly peer: "measured" | "recorded"
  /** measured: events of ROSS, and those that are recorded */
  readonly peerEvents?: { readonly here: number; readonly recorded: number }
  /** MiB of the process, ours and ROSS' as recorded */
  readonly memory: number
  readonly peerMemory: number
}

const columns = ["lps", "lookahead", "starts", "remote", "end", "events", "cpu_rate", "loop_rate", "memory"] as const

/** Returns the recorded runs of ROSS (codes/phold.tsv). Its speed is the better of two figures: per CPU second, and per
 *  second of its run loop. */
export function pholdRuns(): PholdRun[] {
  return readRecorded("codes/phold.tsv", columns).map((row) => ({
    lps: Number(row.lps),
    lookahead: Number(row.lookahead),
    starts: Number(row.starts),
    remote: Number(row.remote),
    end: Number(row.end),
    seed: 1,
    peerEvents: Number(row.events),
    peerRate: Math.max(Number(row.cpu_rate), Number(row.loop_rate)),
    peerMemory: Number(row.memory),
  }))
}

/** Runs it in this process: events, CPU seconds of the loop, hash of the final state. */
export function runPhold(p: PholdRun): { events: number; cpu: number; hash: number } {
  const loop = pholdLoop(p)
  loop.start()
  const width = 1 << loop.shift
  // events at the end itself do not count, those before it all do
  const whole = p.end * TICK
  const epoch = 2 ** 30
  const slice = Math.max(width, 2 ** 24)
  const start = process.cpuUsage()
  for (let t = 0; loop.base() + t < whole; ) {
    t = Math.min(t + slice, Math.ceil((whole - loop.base()) / width) * width, epoch)
    loop.run(t)
    if (t < epoch) continue
    loop.rebase()
    t = 0
  }
  return { events: loop.events(), cpu: process.cpuUsage(start).user / 1e6, hash: loop.hash() }
}

export interface PholdOptions {
  /** path of ROSS' program phold; without it its recorded figures are compared with */
  readonly ross?: string | undefined
  readonly match?: RegExp
  /** the best of this many runs counts, for lacewing and for ROSS */
  readonly tries?: number
  onRow?(row: PholdRow): void
}

export function benchPhold(o: PholdOptions = {}): PholdRow[] {
  const rows: PholdRow[] = []
  pholdRuns().forEach((p, i) => {
    const name = `${p.lps} LPs, look-ahead ${p.lookahead}, ${p.starts} start, remote ${p.remote}`
    if (o.match !== undefined && !o.match.test(name)) return
    const peers: Peer[] = []
    const ours: Ours[] = []
    for (let k = 0; k < (o.tries ?? 1); k++) {
      if (o.ross !== undefined) peers.push(runRoss(o.ross, p))
      ours.push(runOurs(i))
    }
    const { events, cpu, rss } = ours.reduce((a, b) => (b.cpu < a.cpu ? b : a))
    const peer = peers[0]
    const peerRate = peer === undefined ? p.peerRate : peer.events / (least(peers, "cpu") - least(peers, "startUp"))
    const row: PholdRow = {
      name,
      work: `${events} events`,
      events,
      cpuSeconds: cpu,
      rate: events / cpu,
      peerRate,
      ratio: events / cpu / peerRate,
      peer: peer === undefined ? "recorded" : "measured",
      ...(peer === undefined ? {} : { peerEvents: { here: peer.events, recorded: p.peerEvents } }),
      memory: Math.round(rss),
      peerMemory: p.peerMemory,
    }
    rows.push(row)
    o.onRow?.(row)
  })
  return rows
}

interface Ours {
  readonly events: number
  readonly cpu: number
  readonly rss: number
}

function runOurs(row: number): Ours {
  const child = fileURLToPath(new URL("./phold-child.js", import.meta.url))
  const got = spawnSync(process.execPath, [...compileHere, child, String(row)], { encoding: "utf8" })
  if (got.status !== 0) throw new Error(got.stderr)
  return JSON.parse(got.stdout) as Ours
}

interface Peer {
  readonly events: number
  readonly cpu: number
  readonly startUp: number
}

function runRoss(program: string, p: PholdRun): Peer {
  // nothing happens before the look-ahead has passed
  const { cpu: startUp } = runRossPeer(program, p, p.lookahead / 10)
  return { ...runRossPeer(program, p, p.end), startUp }
}

function least(of: readonly Peer[], key: "cpu" | "startUp"): number {
  return Math.min(...of.map((x) => x[key]))
}
