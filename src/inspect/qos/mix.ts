// The traffic of `lacewing qos --mix`: streams by service level, the network and the bandwidth of its links, and the
// experiment that simulates them.
import { type Checked, type Complaint, complain } from "../../core/complaint.ts"
import { bytes, fraction, int, join, list, maybe, nested, rate, schema, text, time } from "../../core/schema.ts"
import { plainScale } from "../../core/units.ts"
import { DROP, type PortRules, type QosFabric } from "./fabric.ts"

const FLIT = 64
const BITS = 8
/** in a nanosecond */
const PICOSECONDS = 1000

export interface MixStream {
  readonly name: string
  readonly sl: number
  readonly message: number
  readonly load: number
  /** its goal for the 99th percentile of the latency */
  readonly latencyNs: number | undefined
  /** pattern and arrivals, as an experiment has them */
  readonly more: Readonly<Record<string, unknown>>
}

export interface Mix {
  /** bytes per second */
  readonly link: number
  readonly streams: readonly MixStream[]
  readonly network: Readonly<Record<string, unknown>>
  /** cycles */
  readonly warmup: number
  readonly window: number
  readonly seeds: number
}

const fields = schema({
  link: rate({ about: "Bandwidth of a link in one direction", default: "12.5GB/s" }),
  warmup: int({ about: "Cycles (of 64 bytes on a link) before the measurement", min: 0, default: 8000 }),
  window: int({ about: "Cycles of the measurement", min: 1000, default: 40_000 }),
  seeds: int({ about: "Number of runs with different random numbers", min: 1, max: 100, default: 1 }),
  traffic: list(
    nested(
      schema({
        name: text({ about: "Name of the stream" }),
        sl: maybe(int({ about: "Its service level", min: 0, max: 15 })),
        use: maybe(text({ about: "Instead of sl: a protocol, virtual fabric or traffic class of the files" })),
        message: bytes({ about: "Size of its messages", min: 1 }),
        load: fraction({ about: "Load of each endpoint, as a fraction of its link" }),
        latency: maybe(time({ about: "Its goal: 99 % of its messages take at most this time, e.g. 5us" })),
      }),
    ),
    { about: "Streams of messages", atLeast: 1 },
  ),
})

type Raw = Record<string, unknown>
const isRaw = (x: unknown): x is Raw => typeof x === "object" && x !== null && !Array.isArray(x)

/** Keys of a stream that go to the experiment as they are. */
const passed = ["pattern", "arrivals", "from"]

/** `names`: protocols, virtual fabrics and classes -> SL. */
export function readMix(value: unknown, names: Readonly<Record<string, number>>): Checked<Mix> {
  const raw: Raw = isRaw(value) ? { ...value } : {}
  const network = raw["network"]
  delete raw["network"]
  const listed = Array.isArray(raw["traffic"]) ? raw["traffic"] : []
  const extra = listed.map(
    (s): Raw => (isRaw(s) ? Object.fromEntries(passed.flatMap((k) => (k in s ? [[k, s[k]]] : []))) : {}),
  )
  if (listed.length > 0)
    raw["traffic"] = listed.map((s) =>
      isRaw(s) ? Object.fromEntries(Object.entries(s).filter(([k]) => !passed.includes(k))) : s,
    )
  const got = fields.parse(raw, "", plainScale)
  if ("bad" in got) return got
  const bad: Complaint[] = []
  if (network !== undefined && !isRaw(network))
    bad.push(complain("network", "is not a network", "write for example { topology: { name: tree, k: 8, n: 2 } }"))
  const streams = got.ok.traffic.map((s, i): MixStream => {
    const path = join("traffic", i)
    const sl = s.sl ?? (s.use === undefined ? undefined : names[s.use])
    if (sl === undefined) {
      const known = Object.keys(names)
      const fix =
        known.length === 0 ? "give it sl" : `give it sl, or use: one of ${known.map((n) => `"${n}"`).join(", ")}`
      bad.push(complain(path, s.use === undefined ? "has no service level" : `there is no "${s.use}"`, fix))
    }
    return {
      name: s.name,
      sl: sl ?? 0,
      message: s.message,
      load: s.load,
      latencyNs: s.latency === undefined ? undefined : s.latency / PICOSECONDS,
      more: extra[i] ?? {},
    }
  })
  if (new Set(streams.map((s) => s.name)).size < streams.length)
    bad.push(complain("traffic", "two streams have the same name", "give each stream a name"))
  if (bad.length > 0) return { bad }
  const { link, warmup, window, seeds } = got.ok
  return { ok: { link: link / BITS, warmup, window, seeds, streams, network: isRaw(network) ? network : {} } }
}

/** Returns the rules that the simulation uses: those of external ports of switches, or of all ports. */
export function simulated({ ports }: QosFabric): PortRules {
  return ports.find((p) => p.ports === "swe") ?? ports.find((p) => p.ports === "all") ?? ports[0]!
}

/** Returns the rules of adapters, if they differ from those that switches use. */
export function ofAdapters(fabric: QosFabric): PortRules | undefined {
  const switches = simulated(fabric)
  const { ports } = fabric
  const own = ports.find((p) => p.ports === "ca") ?? ports.find((p) => p.ports === "all")
  return own === undefined || own === switches ? undefined : own
}

/** The VL of a service level; DROP if some kind of port drops it. */
export function laneOf({ ports }: QosFabric, of: PortRules, sl: number): number {
  return ports.some((p) => p.sl2vl[sl] === DROP) ? DROP : (of.sl2vl[sl] ?? DROP)
}

type Simulation = {
  readonly lacewing: 1
  readonly network: Raw
  readonly traffic: readonly Raw[]
  readonly [key: string]: unknown
}

/**
 * Returns the factor by which adapters reduce a stream, because its class has an upper limit: the streams of a VL send
 * no more than the limit together.
 */
export function limitOf(fabric: QosFabric, mix: Mix, sl: number): number {
  const of = (s: number) => laneOf(fabric, simulated(fabric), s)
  const most = fabric.most?.[of(sl)]
  if (most === undefined) return 1
  const wanted = mix.streams.reduce((sum, s) => sum + (of(s.sl) === of(sl) ? s.load : 0), 0)
  return Math.min(1, most / wanted)
}

/**
 * Returns the experiment, or undefined if no stream is served. Levels and VLs are numbered anew, because the
 * simulator has only those that send.
 */
export function experimentOf(fabric: QosFabric, mix: Mix): Simulation | undefined {
  const main = simulated(fabric)
  const adapters = ofAdapters(fabric)
  const streams = mix.streams.filter((s) => {
    const vl = laneOf(fabric, main, s.sl)
    return main.rules.serves(vl) && (adapters === undefined || adapters.rules.serves(vl))
  })
  if (streams.length === 0) return undefined
  const sls = [...new Set(streams.map((s) => s.sl))].sort((a, b) => a - b)
  const vls = [...new Set(sls.map((sl) => laneOf(fabric, main, sl)))].sort((a, b) => a - b)
  const map = sls.map((sl) => vls.indexOf(laneOf(fabric, main, sl))).join(",")
  const mapping =
    fabric.switch === "infiniband" ? { sl2vl: map } : { sl2sc: sls.map((_, i) => i).join(","), sc2vl: map }
  const given = isRaw(mix.network["switch"]) ? mix.network["switch"] : {}
  const vcs = Math.max(vls.length, sls.length)
  return {
    lacewing: 1,
    title: "service levels",
    network: {
      topology: { name: "tree", k: 8, n: 2 },
      routing: "tree.destination-digit",
      endpoint: "service-levels",
      ...mix.network,
      switch: { name: fabric.switch, vcs, ...mapping, ...given },
      qos: main.rules.scheduler({ vls, sl2vl: map }, adapters?.rules),
      cycle: `${(1e9 * FLIT) / mix.link}ns`,
      flit: `${FLIT}B`,
    },
    traffic: streams.map((s) => ({
      name: s.name,
      class: sls.indexOf(s.sl),
      packet: `${s.message}B`,
      load: s.load * limitOf(fabric, mix, s.sl),
      ...s.more,
    })),
    measure: {
      warmup: `${mix.warmup}cycles`,
      window: `${mix.window}cycles`,
      limit: `${mix.warmup + mix.window}cycles`,
      drain: "none",
      saturation: "never",
    },
    seeds: mix.seeds,
  }
}
