// The answer of `lacewing qos --mix`: for each stream what its service level is guaranteed at a link, with both tables
// of all kinds of ports, and what the simulation measures.
import { type Paint, plainPaint } from "../../terminal/paint.ts"
import { table } from "../../terminal/table.ts"
import { DROP, type QosFabric } from "./fabric.ts"
import { laneOf, limitOf, type Mix, ofAdapters, simulated } from "./mix.ts"
import type { LanePackets } from "./vl-bounds.ts"

export interface StreamAnswer {
  readonly name: string
  readonly sl: number
  /** null: dropped */
  readonly vl: number | null
  /** GB/s of each endpoint, offered and measured; null: not measured */
  readonly offeredGBps: number
  readonly acceptedGBps: number | null
  /** share of the link that the VL gets at least, while all VLs are backlogged, at the port that gives it least */
  readonly share: number
  readonly guaranteedGBps: number
  /** longest wait of its head packet for other VLs at one link; null: without bound */
  readonly worstWaitNs: number | null
  readonly meanNs: number | null
  readonly p99Ns: number | null
  /** fraction of its packets that the tables drop */
  readonly dropped: number
  readonly notes: readonly string[]
}

export interface QosAnswer {
  readonly switch: string
  readonly linkGBps: number
  readonly streams: readonly StreamAnswer[]
  readonly notes: readonly string[]
}

/** Means of the finished runs by name ("mpi.latency.mean"). */
export type Measured = Readonly<Record<string, number | null>>

const GIGA = 1e9
/** Weights are whole credits. */
const TOLERANCE = 0.005
const FLIT = 64

export function answerOf(fabric: QosFabric, mix: Mix, measured: Measured): QosAnswer {
  const main = simulated(fabric)
  const streams = mix.streams.map((s): StreamAnswer => {
    const vl = laneOf(fabric, main, s.sl)
    const offered = s.load * mix.link
    const bounds = vl === DROP ? [] : fabric.ports.map((p) => boundOf(fabric, mix, p.ports, s.sl))
    const share = bounds.length === 0 ? 0 : Math.min(...bounds.map((b) => b.share))
    const wait = Math.max(0, ...bounds.map((b) => b.waitBytes))
    const served = vl !== DROP && fabric.ports.every((p) => p.rules.serves(p.sl2vl[s.sl]))
    const limited = served && limitOf(fabric, mix, s.sl) < 1
    const value = (name: string) => (!served ? null : (measured[`${s.name}.${name}`] ?? null))
    const scaled = (name: string, factor: number) => {
      const x = value(name)
      return x === null || !Number.isFinite(x) ? null : x * factor
    }
    const cycle = (GIGA * FLIT) / mix.link
    const p99Ns = limited ? null : scaled("latency.p99", cycle)
    const waitNs = (GIGA * wait) / mix.link
    const together = mix.streams.filter((x) => laneOf(fabric, main, x.sl) === vl)
    const wanted = together.reduce((sum, x) => sum + x.load, 0)
    return {
      name: s.name,
      sl: s.sl,
      vl: vl === DROP ? null : vl,
      offeredGBps: offered / GIGA,
      acceptedGBps: served ? scaled("accepted", mix.link / GIGA) : 0,
      share,
      guaranteedGBps: (share * mix.link) / GIGA,
      worstWaitNs: vl === DROP || !Number.isFinite(wait) ? null : waitNs,
      // The queue of a source above its limit grows without end.
      meanNs: limited ? null : scaled("latency.mean", cycle),
      p99Ns,
      dropped: vl === DROP ? 1 : 0,
      notes: [
        ...(vl === DROP ? [`SL ${s.sl} is mapped to VL15: its packets are dropped`] : []),
        ...(served || vl === DROP ? [] : [`no table serves VL ${vl}: packets of SL ${s.sl} are never sent`]),
        ...(served && share === 0 ? [`VL ${vl} may starve`] : []),
        ...(share < (fabric.required?.[s.sl] ?? 0) - TOLERANCE
          ? [
              `SL ${s.sl} requires ${percent(fabric.required![s.sl])}, and its packets get ${percent(share)} with these tables`,
            ]
          : []),
        ...(served && waitNs > (fabric.waits?.[s.sl] ?? Number.POSITIVE_INFINITY)
          ? [
              `SL ${s.sl} requires a wait of at most ${nanoseconds(fabric.waits![s.sl])} at a link, and may wait ` +
                `${Number.isFinite(waitNs) ? nanoseconds(waitNs) : "without bound"} with these tables`,
            ]
          : []),
        ...(served && s.latencyNs !== undefined && !(p99Ns !== null && p99Ns <= s.latencyNs)
          ? [
              `${s.name} requires a p99 of at most ${nanoseconds(s.latencyNs)}, and ` +
                (p99Ns === null ? "is not stable" : `has ${nanoseconds(p99Ns)}`),
            ]
          : []),
        ...(limited
          ? [
              `SL ${s.sl} is offered ${percent(wanted)} of a link, and adapters limit it to ${percent(fabric.most![vl])}`,
            ]
          : []),
        ...(vl !== DROP && share > 0 && wanted > share
          ? [`VL ${vl} is offered ${percent(wanted)} of a link and guaranteed ${percent(share)}`]
          : []),
      ],
    }
  })
  const adapters = ofAdapters(fabric)
  const routers = fabric.ports.some((p) => p.ports === "rtr")
  return {
    switch: fabric.switch,
    linkGBps: mix.link / GIGA,
    streams,
    notes: [
      ...fabric.notes,
      ...(adapters === undefined
        ? []
        : [
            `simulated: adapters use the tables of ports ${adapters.ports}, switches those of ports ${main.ports}, and both ` +
              `the SL2VL of ports ${main.ports}; bounds are the worst of all kinds of ports`,
          ]),
      ...(routers ? ["router ports (rtr) count for bounds only: the simulated network has no routers"] : []),
    ],
  }
}

/** The guarantee of a service level at one kind of port. */
function boundOf(fabric: QosFabric, mix: Mix, ports: string, sl: number) {
  const tables = fabric.ports.find((p) => p.ports === ports)!
  const packets = new Map<number, LanePackets>()
  for (const s of mix.streams) {
    if (laneOf(fabric, tables, s.sl) === DROP) continue
    const vl = tables.sl2vl[s.sl]!
    const had = packets.get(vl)
    packets.set(vl, {
      least: Math.min(had?.least ?? s.message, s.message),
      most: Math.max(had?.most ?? s.message, s.message),
    })
  }
  return tables.rules.guarantees(packets).find((g) => g.vl === tables.sl2vl[sl])!
}

const percent = (x: number): string => `${(100 * x).toFixed(1)} %`
const nanoseconds = (x: number): string => `${Math.round(x).toLocaleString("en")} ns`
const right = (head: string) => ({ head, align: "right" as const })
const number = (x: number | null, digits: number): string =>
  x === null ? "–" : x.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits })

/** The answer as a table; with `other`, the answer of another configuration, each value as "before -> after". */
export function answerText(
  a: QosAnswer,
  other?: QosAnswer,
  paint: Paint = plainPaint,
  width = Number.POSITIVE_INFINITY,
): string {
  const rows = a.streams.map((s, i) => {
    const then = other?.streams[i]
    const both = (of: (x: StreamAnswer) => string) =>
      then === undefined || of(then) === of(s) ? of(s) : `${of(s)} -> ${of(then)}`
    return [
      s.name,
      `${s.sl}`,
      both((x) => (x.vl === null ? "drop" : `${x.vl}`)),
      both((x) => number(x.offeredGBps, 2)),
      both((x) => number(x.acceptedGBps, 2)),
      both((x) => percent(x.share)),
      both((x) => (x.dropped > 0 ? "–" : x.worstWaitNs === null ? "none" : number(x.worstWaitNs, 0))),
      both((x) => number(x.meanNs, 0)),
      both((x) => number(x.p99Ns, 0)),
      both((x) => percent(x.dropped)),
    ]
  })
  const notes = (x: QosAnswer) => [...x.streams.flatMap((s) => s.notes), ...x.notes]
  const all = [...new Set([...notes(a), ...(other === undefined ? [] : notes(other).map((n) => `then: ${n}`))])]
  return [
    paint.bold(`${a.switch}, links of ${a.linkGBps} GB/s`),
    "",
    table(
      [
        { head: "stream" },
        right("SL"),
        right("VL"),
        right("offered GB/s"),
        right("accepted"),
        right("guaranteed"),
        right("worst wait ns"),
        right("mean ns"),
        right("p99 ns"),
        right("dropped"),
      ],
      rows,
      paint,
      width,
    ),
    "",
    ...all.map((n) => `- ${n}`),
    paint.dim(
      "guaranteed, worst wait: at one link, with all VLs backlogged; mean, p99: creation to last byte, simulated",
    ),
  ].join("\n")
}
