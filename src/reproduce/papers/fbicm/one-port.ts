// One input port of a leaf switch on the bench, for the drawings of figures 3.1 to 4.1: packets are handed to it while
// one of its outputs is held, and what its CAM lines say is read off.
import { transferEngine } from "../../../compile/clocked/transfers.ts"
import { DST, FLITS } from "../../../fabric/packets.ts"
import { prepareFlit } from "../../../run/simulate.ts"
import { measured, stream, treeNetwork } from "./network.ts"

/** The leaf switch of endpoints 16 to 19 of 64: everything to other leaves with a last digit of 0 goes up by its fifth
 *  port. */
const ROUTER = 4
export const HELD = 4
const LINES = 8
const PACKET = 64

export interface Port {
  /** a packet to endpoint d comes in, and 64 cycles go by */
  arrive(d: number): void
  /** lists of the lines in use */
  lists(): number[][]
  /** a number of line i: `lineHops`, `linePackets`, … */
  line(name: string, i: number): number
  /** a number of the port: `normal`, `lines`, … */
  port(name: string): number
  /** queues, and flits of memory */
  readonly queues: number
  readonly memory: number
}

export function portOf(params: Readonly<Record<string, unknown>>): Port {
  const network = treeNetwork(3)
  const got = prepareFlit(
    {
      network: { ...network, switch: { ...network.switch, scheme: "fbicm-2", ...params } },
      engine: { name: "flit" },
      traffic: [stream("none", 0)],
      measure: measured(0, 10),
      probes: [],
      seed: 1,
    },
    { read: (path) => path },
  )
  if ("bad" in got) throw new Error(got.bad.map((c) => `${c.path}: ${c.says}`).join("; "))
  const model = got.ok.compiled.network.switch
  const { sw, columns, constants, layout } = transferEngine(got.ok.compiled, { horizon: 10_000, series: 1024 })
  const { packets, fresh } = columns
  const column = (name: string): Int32Array => Int32Array.from(sw.columns[name] ?? [])
  const base = ROUTER * layout.PS
  const words = Math.ceil(layout.graph.ends / 32)
  sw.enter(0)
  const busy = sw.columns["busyOut"]
  if (busy !== undefined) busy[ROUTER] = 1 << HELD
  let t = 0
  return {
    arrive(d) {
      const p = ++fresh[0] * constants.stride
      packets[p + DST] = d
      packets[p + FLITS] = PACKET
      sw.arrive(base << layout.LV, p, t)
      for (const end = t + PACKET; t < end; t++) sw.core(t, t)
    },
    lists() {
      const [on, list] = [column("lineOn"), column("lineList")]
      return Array.from({ length: LINES }, (_, i) => base * LINES + i)
        .filter((line) => on[line] !== 0)
        .map((line) =>
          Array.from({ length: 32 * words }, (_, d) => d).filter(
            (d) => ((list[line * words + (d >> 5)] >>> d) & 1) !== 0,
          ),
        )
    },
    line: (name, i) => column(name)[base * LINES + i],
    port: (name) => column(name)[base],
    queues: column("heads").length / (layout.routers * layout.PS),
    memory: model.moves === "packets" ? (model.extensions?.lanes?.flits ?? 0) : 0,
  }
}
