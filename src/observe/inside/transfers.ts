// The internal state of a router that moves whole packets: space in its input and output buffers
// (src/fabric/shared-buffers.ts), and the state of its crossbar (src/switches/parts) or of its row buses, tiles,
// multiplexers and pools (src/switches/tiled). Which of these exist follows from the columns that the switch has.
import type { TransferEngine } from "../../engines/flit/transfers/engine.ts"
import type { Column } from "../../fabric/columns.ts"
import { byPort, type Inside, type InsideBuffer, type InsideOutput, portsAt } from "./inside.ts"

/**
 * Returns the state of one router. `pools`: capacity of the pool of each port, taken from the columns when all pools
 * were empty; undefined if it is not known or there are no pools.
 */
export function transfersInside(engine: TransferEngine, router: number, pools: Column | undefined): Inside {
  const { layout: l, sw, sharedBuffers, now } = engine
  const { r, first, count } = portsAt(l, router)
  const { OUT, held, reserve, left, cap, shared } = sharedBuffers
  const c = sw.columns as Readonly<Record<string, Column | undefined>>
  const fronts = frontsAt(engine, router)
  const { link, core } = engine.spec.model.layout.clock
  const step = Math.ceil((now * link) / core)

  /** capacity and free space of a buffer slot: its unused reserve plus its share of the common part */
  const most = (slot: number) => reserve[slot] + Math.min(cap[slot >> l.LV], shared[slot >> l.LV])
  const hasCredits = (slot: number) => {
    const over = Math.max(0, held[slot] - reserve[slot])
    return Math.max(0, reserve[slot] - held[slot]) + Math.max(0, Math.min(cap[slot >> l.LV] - over, left[slot >> l.LV]))
  }
  // A router may have one more input for packets that it creates itself; it has no port number.
  const local = (port: number) => (port < l.routers * l.PS ? port - first : -1)
  const ins: InsideBuffer[] = []
  const outs: InsideOutput[] = []
  const busyOut = c["busyOut"]
  /** returns true if a transfer to this output is in progress (bit of busyOut) */
  const crossed = (port: number) => {
    const bits = busyOut?.[(r << 1) + (port >> 5)]
    return bits !== undefined && ((bits >>> (port & 31)) & 1) === 1
  }
  for (let port = 0; port < count; port++)
    for (let vc = 0; vc < engine.spec.model.vcs; vc++) {
      const id = ((first + port) << l.LV) + vc
      const up = l.up[first + port]
      if (up >= 0) {
        const front = fronts.get(id)
        const does = front === undefined ? "empty" : `for output ${front.output}${front.credits ? "" : ": no credits"}`
        ins.push({ input: port, vc, flits: held[up + vc], of: most(up + vc), packet: front?.packet ?? -1, does })
      }
      const from = c["from"]
      const holds =
        crossed(port) && from !== undefined && c["moving"] !== undefined && c["moving"][first + port] >> 16 === vc
      const ends = l.down[first + port] < 0
      outs.push({
        ...{ port, vc, input: holds ? local(from[first + port]) : -1, inputVc: holds ? vc : -1 },
        ...(ends ? { credits: -1, of: -1 } : { credits: hasCredits(id), of: most(id) }),
        buffered: most(OUT + id) > 0 ? held[OUT + id] : -1,
      })
    }

  const arbiters: { name: string; says: string }[] = []
  const say = (name: string, says: string) => void arbiters.push({ name, says })
  const [from, until, inNext, outNext, turn] = [c["from"], c["until"], c["inNext"], c["outNext"], c["turn"]]
  // Switches with a crossbar have these columns, tiled switches have those below.
  if (from !== undefined && until !== undefined && inNext !== undefined && outNext !== undefined && turn !== undefined)
    for (let port = 0; port < count; port++) {
      const I = inNext.length / l.routers
      const O = outNext.length / l.routers
      const next =
        `as an input VC ${turn[first + port]} next, output ${inNext[r * I + port]} ` +
        `next; as an output input ${outNext[r * O + port]} next`
      const busy = crossed(port)
        ? `; takes a packet of input ${local(from[first + port])} until core step ${until[first + port]} (now ${step})`
        : ""
      say(`port ${port}`, next + busy)
    }
  const [busBusy, rowNext, muxUntil, muxTurn, linkUntil] = [
    c["busBusy"],
    c["rowNext"],
    c["muxUntil"],
    c["muxTurn"],
    c["linkUntil"],
  ]
  if (
    busBusy !== undefined &&
    rowNext !== undefined &&
    muxUntil !== undefined &&
    muxTurn !== undefined &&
    linkUntil !== undefined
  )
    for (let port = 0; port < count; port++) {
      const at = first + port
      const bus = `row bus ${busBusy[at] === 0 ? "free" : "busy"}, VC ${rowNext[at]} next`
      const mux =
        "multiplexer " +
        `${muxUntil[at] > step ? `busy until core step ${muxUntil[at]} (now ${step})` : "free"}, ` +
        `VC ${muxTurn[at]} next`
      say(`port ${port}`, `${bus}; ${mux}; link ${linkUntil[at] > now ? `busy until cycle ${linkUntil[at]}` : "free"}`)
    }

  const free = c["poolFree"]
  const found =
    free === undefined || pools === undefined || pools.length !== free.length || free.length < l.routers * l.PS
      ? []
      : range(count)
  return {
    ...{ buffers: ins, outputs: outs, arbiters },
    pools: found
      .map((port) => ({ port, flits: pools![first + port] - free![first + port], of: pools![first + port] }))
      .filter((p) => p.of > 0),
    state: byPort(sw.columns, l, router),
  }
}

/**
 * Returns, for each input VC with packets, the request of the head of its longest queue (there may be one for each
 * output).
 */
function frontsAt(
  { layout: l, sw }: TransferEngine,
  router: number,
): Map<number, { output: number; packet: number; credits: boolean; flits: number }> {
  const fronts = new Map<number, { output: number; packet: number; credits: boolean; flits: number }>()
  const { r, first } = portsAt(l, router)
  const see = (port: number, flits: number, packet: number, hasCredits: boolean, input: number) => {
    if (input >= 0 && (fronts.get(input)?.flits ?? -1) < flits)
      fronts.set(input, { output: port - first, packet, credits: hasCredits, flits })
  }
  sw.queues(see, r, r + 1)
  return fronts
}

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i)
