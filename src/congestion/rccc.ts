// Receiver-credit congestion control (RCCC) of Ultra Ethernet. A source announces its backlog for a destination, and
// sends only data that it has credits for. A destination grants credits at the rate of its channel, round-robin among
// the sources with a backlog. The arriving load therefore never exceeds the channel for long. Ultra Ethernet
// Specification 1.0, Ultra Ethernet Consortium, 2025. Quantities that it leaves to the implementation are parameters.
//
// By default, each message is requested once, and credits never lapse. With `rules: uec`, rccc-uec/ grants them.
import { choice, flits, int, maybe, real, schema } from "../core/schema.ts"
import type { CongestionModel, CongestionPlugin } from "../model/congestion.ts"
import { type EndpointProtocol, type EndpointSite, KIND, RETURNED } from "../model/protocol.ts"
import { CONTROLLED } from "./control.ts"
import { makeFlows } from "./flows.ts"
import { makeUecRccc } from "./rccc-uec/protocol.ts"
import { withRepeats } from "./repeats.ts"
import { makeRetransmitQueue, RETRANSMIT_WORDS } from "./reservation/retransmit-queue.ts"

type Params = { quantum: number; rate: number; initialCredit: number; rules?: "uec" | undefined; flows: number }

const REQUEST = KIND.own
const CREDIT = KIND.own + 1
/** Bytes of a pull quantum of Ultra Ethernet. */
const PULL_QUANTUM = 256
/** A cycle far in the future: the flow waits for an event. */
const FAR = 0x10000000

export function makeRccc(site: EndpointSite, p: Params): EndpointProtocol {
  const { packets, rows, maxPacket } = site
  // Source: [row] -> flits that were created and not sent, credits, flits that were requested and not granted, initial
  // credits that no message has been charged to.
  const flows = makeFlows(rows, Math.min(p.flows, site.ends), site.column, 4)
  const queued = flows.word(0)
  const credit = flows.word(1)
  const open = flows.word(2)
  const initial = flows.word(3)
  // Destination: [row] -> backlog of a source without credits; row that was served last; time of the next grant.
  const TRIMS = site.trims === true
  const words = TRIMS ? 1 + RETRANSMIT_WORDS : 1
  const demands = makeFlows(rows, Math.min(p.flows, site.ends), site.column, words)
  const demand = demands.word(0)
  /** [row] -> headers of trimmed packets that wait for their turn */
  const headers = makeRetransmitQueue(site, demands, 1)
  const turn = site.column(rows)
  const nextAt = site.column(rows)
  // A grant must cover at least one packet, otherwise a flow could wait forever.
  const QUANTUM = p.quantum > maxPacket ? p.quantum : maxPacket

  function rowOf(e: number, to: number): number {
    return flows.count(e) === 0 ? -1 : flows.find(e, to)
  }

  /** Opens a flow with this initial credit. Returns -1 if no row is left. */
  function start(e: number, to: number, most: number): number {
    const row = flows.open(e, to)
    if (row < 0) return -1
    queued[row] = 0
    credit[row] = most
    initial[row] = most
    open[row] = 0
    return row
  }

  function generated(e: number, to: number, flits: number): void {
    let row = rowOf(e, to)
    if (row < 0) row = start(e, to, p.initialCredit)
    // No row is left: the flow sends without credits.
    if (row < 0) return
    queued[row] += flits
    const charged = flits < initial[row] ? flits : initial[row]
    initial[row] -= charged
    if (flits > charged) ask(e, row, flits - charged)
  }

  function ask(e: number, row: number, flits: number): void {
    open[row] += flits
    site.send(e, flows.to(row), REQUEST, flits, 1, site.firstClass)
  }

  function mayInject(e: number, to: number, f: number, now: number): number {
    const row = rowOf(e, to)
    if (row < 0 || credit[row] >= f) return 0
    // Messages that found no row used the credits of this one, so it must request more.
    if (open[row] === 0) ask(e, row, f)
    return now + FAR
  }

  function injected(e: number, to: number, packet: number): void {
    const row = rowOf(e, to)
    if (row < 0) return
    const f = packets.flits(packet)
    queued[row] -= f
    credit[row] -= f
    settle(e, row)
  }

  /** The header of a trimmed packet is a credit for it. */
  function headerReturned(e: number, to: number, flits: number): void {
    const known = rowOf(e, to)
    const row = known < 0 ? start(e, to, 0) : known
    if (row < 0) return
    queued[row] += flits
    credit[row] += flits
  }

  /** Closes a flow when everything was sent and all credits have arrived. */
  function settle(e: number, row: number): void {
    if (queued[row] <= 0 && open[row] === 0) flows.close(e, flows.to(row))
  }

  function received(e: number, packet: number, now: number): boolean {
    const from = packets.src(packet)
    const value = packets.value(packet)
    if (packets.kind(packet) === REQUEST) demanded(e, from, value, now)
    else if (packets.kind(packet) === CREDIT) {
      const row = rowOf(e, from)
      if (row < 0) return false
      credit[row] += value
      open[row] -= value
      settle(e, row)
      site.wake(e)
    }
    return false
  }

  function demanded(e: number, from: number, flits: number, now: number): void {
    const row = demands.open(e, from)
    if (row < 0) {
      // No row is left: grant everything at once.
      site.send(e, from, CREDIT, flits, 1, site.firstClass)
      return
    }
    demand[row] += flits
    site.wakeAt(e, nextAt[e] > now ? nextAt[e] : now)
  }

  /** Keeps the header until it is the turn of its source, so that the packet comes again at the granted rate. */
  function headerArrived(e: number, packet: number, now: number): boolean {
    const row = demands.open(e, packets.src(packet))
    if (row < 0) return false
    headers.push(row, packet)
    site.wakeAt(e, nextAt[e] > now ? nextAt[e] : now)
    return true
  }

  function due(e: number, now: number): void {
    if (demands.count(e) === 0) return
    if (nextAt[e] <= now) grant(e, now)
    if (demands.count(e) > 0) site.wakeAt(e, nextAt[e])
  }

  /**
   * Grants one quantum to the next source in round-robin order. The next grant follows when the channel could have sent
   * it.
   */
  function grant(e: number, now: number): void {
    const first = demands.firstRow(e)
    const used = demands.used(e)
    let n = turn[e]
    for (let i = 0; i < used; i++) {
      n = n + 1 >= used ? 0 : n + 1
      if (demands.to(first + n * demands.size) >= 0) break
    }
    turn[e] = n
    const row = first + n * demands.size
    const to = demands.to(row)
    const returned = TRIMS ? returnHeaders(e, row) : 0
    const left = QUANTUM - returned
    const flits = demand[row] < left ? demand[row] : left
    demand[row] -= flits
    if (flits > 0) site.send(e, to, CREDIT, flits, 1, site.firstClass)
    nextAt[e] = now + Math.ceil((flits + returned) / p.rate)
    if (demand[row] === 0 && !(TRIMS && headers.head(row) !== 0)) demands.close(e, to)
  }

  /** Returns headers of packets that fit into one quantum. Returns the flits of these packets. */
  function returnHeaders(e: number, row: number): number {
    let flits = 0
    for (let header = headers.head(row); header !== 0; header = headers.head(row)) {
      const f = packets.answered(header)
      if (flits + f > QUANTUM) break
      headers.pop(row)
      site.recall(e, header, RETURNED, site.firstClass)
      flits += f
    }
    return flits
  }

  const protocol: EndpointProtocol = {
    columns: {
      ...flows.columns,
      ...Object.fromEntries(Object.entries(demands.columns).map(([name, column]) => [`demands.${name}`, column])),
      turn,
      nextAt,
    },
    mayInject,
    injected,
    generated,
    received,
    headerReturned,
    headerArrived,
    ...(TRIMS ? { kept: headers.count } : {}),
    due,
    digest(add) {
      for (let e = 0; e < rows; e++) {
        if (site.outer(e) < 0) continue
        add(site.outer(e), demands.count(e), nextAt[e])
        for (let row = flows.firstRow(e); row < flows.endRow(e); row += flows.size)
          if (flows.to(row) >= 0) add(site.outer(e) * site.ends + flows.to(row), queued[row], credit[row])
        for (let row = demands.firstRow(e); row < demands.endRow(e); row += demands.size) {
          if (demands.to(row) < 0) continue
          const key = (site.outer(e) * site.ends + demands.to(row)) ^ 0x2545f491
          add(key, demand[row])
          if (TRIMS) add(key + 1, headers.flits(row))
        }
      }
    },
  }
  return withRepeats(site, protocol, p.flows)
}

export default {
  kind: "congestion",
  name: "rccc",
  about:
    "Destinations grant credits at the rate of their channel, round-robin to the sources that have packets for them.",
  cites: "Ultra Ethernet Specification 1.0, Ultra Ethernet Consortium, 2025",
  limits:
    "one request for each message, unless with rules: uec; sources above `flows` of a destination get all credits " +
    "that they request",
  needs: () => ["protocols", "windows"],
  revision: 2,
  guarantees: { sink: 0.55, because: "each message is requested separately, and those of the test have 16 flits" },
  params: schema({
    quantum: flits({
      about: "Number of flits of one credit, at least one packet",
      min: 1,
      max: 1e6,
      default: "128flits",
    }),
    rate: real({
      about: "Rate at which a destination grants credits, as a fraction of its channel",
      above: 0,
      max: 4,
      default: 1,
    }),
    initialCredit: flits({
      aliases: ["free"],
      about:
        "Flits that a source may send to a destination before it has received credits; with rules: uec also its " +
        "largest credit, and 0 stands for 1.5 round trips",
      min: 0,
      max: 1e6,
      default: "0flits",
    }),
    rules: maybe(
      choice(["uec"], {
        about:
          "Grant credits exactly as the specification does: pull targets on packets, an initial credit that lapses, " +
          "and slow pulls (default: one request for each message)",
        needed: false,
      }),
    ),
    flows: int({
      about: "Maximum number of destinations, and of sources, for which an endpoint stores state",
      min: 1,
      max: 4096,
      default: 256,
    }),
  }),
  make: (p): CongestionModel => {
    const common = { ...CONTROLLED, onCreate: true, repeats: true } as const
    const longestGrant = Math.ceil(1e6 / p.rate)
    if (p.rules !== "uec")
      return {
        ...common,
        controlSlots: p.flows + 64,
        longestTimer: longestGrant,
        endpoint: (site) => makeRccc(site, p),
      }
    const uec = { ...common, controlSlots: 2 * p.flows + 64 }
    return {
      ...uec,
      fit({ roundTrip, flit }) {
        const silent = 16 * roundTrip
        const unit = Math.ceil(PULL_QUANTUM / flit)
        const most = p.initialCredit > 0 ? p.initialCredit : Math.ceil(1.5 * roundTrip)
        const longestTimer = Math.max(longestGrant, 2 * silent)
        return { ok: { ...uec, longestTimer, endpoint: (site) => makeUecRccc(site, { ...p, most, silent, unit }) } }
      },
    }
  },
} satisfies CongestionPlugin<Params>
