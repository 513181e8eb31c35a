// VL arbitration of InfiniBand: two tables of VLs and weights. InfiniBand Architecture Specification, volume 1, section
// 7.6.9. The table of high priority is served while one of its VLs can send, until it has sent 4096 bytes times the
// limit. Then the other table has the opportunity to send one packet.
//
// An entry keeps its turn until its weight is used up or its VL cannot send. A packet may start while any weight is
// left; an overdraft is not charged to the next visit. Limits: VL15 (management) is not modelled. An opportunity that
// the table of low priority cannot use counts as given.
import { int, list, maybe, nested, schema } from "../core/schema.ts"
import { MOST_QUEUE, MOST_VL, tableField, WEIGHT_BYTES } from "../model/arbitration.ts"
import type { Plugin } from "../model/plugin.ts"
import type { QosModel, QosScheduler, QosSite, TableEntry } from "../model/scheduler.ts"
import { type Entries, entriesOf, entryFrom, lowest } from "./bits.ts"
import { byLevel, vlsOf } from "./by-level.ts"
import { byPort, type PortPlace, placeComplaints, places } from "./by-port.ts"

type Tables = {
  high: readonly TableEntry[]
  low: readonly TableEntry[]
  limit: number
}
type Params = Tables & {
  /** tables of some outputs of switches */
  ports?: readonly (PortPlace & Tables)[] | undefined
  /** [service level] -> VL of the tables; absent or empty: VL n serves level n */
  sl2vl?: readonly number[]
  /** tables and limit of endpoints; both tables empty: those of switches */
  endpointHigh?: readonly TableEntry[]
  endpointLow?: readonly TableEntry[]
  endpointLimit?: number | undefined
}

const LIMIT_BYTES = 4096
const NO_LIMIT = 255

export function vlArbitration(site: QosSite, params: Params): QosScheduler {
  const p = site.endpoints === true ? ofEndpoints(params) : params
  const { sl2vl = [], ports = [] } = p
  const build = (at: QosSite, tables: Tables) => byLevel(at, sl2vl, (of) => byVl(of, tables))
  return byPort(site, ports, (at) => build(at, p), build)
}

/** Returns whether endpoints have their own tables, as adapters have them in a fabric with OpenSM (`qos_ca_…`). */
function differ({ endpointHigh = [], endpointLow = [] }: Params): boolean {
  return endpointHigh.length + endpointLow.length > 0
}

/** Returns the tables of endpoints. */
function ofEndpoints(p: Params): Params {
  if (!differ(p)) return p
  const { endpointHigh = [], endpointLow = [], endpointLimit = p.limit } = p
  return { ...p, high: endpointHigh, low: endpointLow, limit: endpointLimit }
}

function byVl(site: QosSite, p: Tables): QosScheduler {
  const tables = [entriesOf(p.high), entriesOf(p.low)] as const
  const serves = tables[0].serves | tables[1].serves
  const { unitBytes } = site
  /** [2 * row + table] -> 1 + the entry that was selected last, 0 = none yet; the weight (of 64 bytes) that is left of
   *  it */
  const pointer = site.ints(2 * site.rows)
  const weight = site.ints(2 * site.rows)
  /** [row] -> bytes that the high table has sent since the low one had an opportunity; the table that was picked */
  const since = site.ints(site.rows)
  const turn = site.ints(site.rows)

  /** Returns the VL that table `t` serves among those in `active`, which has at least one. */
  function select(row: number, t: number, table: Entries, active: number): number {
    const i = 2 * row + t
    const now = pointer[i]
    if (weight[i] > 0) {
      const queue = table.queueOf[now - 1]
      if ((active & (1 << queue)) !== 0) return queue
    }
    let low = 0
    let high = 0
    for (let left = active; left !== 0; left &= left - 1) {
      const queue = lowest(left)
      low |= table.low[queue]
      high |= table.high[queue]
    }
    const entry = entryFrom(low, high, now)
    pointer[i] = entry + 1
    weight[i] = table.bytesOf[entry] / WEIGHT_BYTES
    return table.queueOf[entry]
  }

  return {
    columns: { pointer, weight, since, turn },
    hears: false,
    arrived() {},
    pick(row, sendable) {
      const high = sendable & tables[0].serves
      const low = sendable & tables[1].serves
      if ((sendable & serves) === 0) return -1
      const spent = p.limit !== NO_LIMIT && since[row] > 0 && since[row] >= p.limit * LIMIT_BYTES
      if (spent) since[row] = 0
      const t = high === 0 || (spent && low !== 0) ? 1 : 0
      turn[row] = t
      return select(row, t, tables[t], t === 0 ? high : low)
    },
    sent(row, _, size) {
      const t = turn[row]
      weight[2 * row + t] -= Math.ceil((size * unitBytes) / WEIGHT_BYTES)
      if (t === 1) since[row] = 0
      else if (p.limit !== NO_LIMIT) since[row] += size * unitBytes
    },
  }
}

/** Bits of the levels whose VL has an entry at all ports of switches and at endpoints. */
function served(p: Params): number {
  const { ports = [] } = p
  return ports.reduce((bits, row) => bits & servedBy({ ...p, ...row }), servedBy(p) & servedBy(ofEndpoints(p)))
}

function servedBy({ high, low, sl2vl = [] }: Params): number {
  const vls = entriesOf(high).serves | entriesOf(low).serves
  let levels = 0
  for (const [level, vl] of vlsOf(sl2vl, MOST_QUEUE + 1).entries()) levels |= ((vls >> vl) & 1) << level
  return levels
}

export default {
  kind: "qos",
  name: "vl-arbitration",
  about:
    "VL arbitration of InfiniBand: a high-priority and a low-priority table of VLs with weights, and " +
    "a limit of high priority.",
  cites: "InfiniBand Architecture Specification, volume 1, section 7.6.9, InfiniBand Trade Association",
  limits: "VL15 is not modelled; at most 64 entries in each table; with limit 255 the low table may starve",
  params: schema({
    high: tableField({ about: "High-priority table, VL:weight in units of 64 bytes", most: MOST_VL, default: "" }),
    low: tableField({ about: "Low-priority table, VL:weight in units of 64 bytes", most: MOST_VL }),
    limit: int({
      about:
        "Limit of high priority in units of 4096 bytes before the low table may send a packet; 0 = one " +
        "packet, 255 = no limit",
      min: 0,
      max: 255,
      default: 0,
    }),
    sl2vl: list(int({ about: "VL of a service level", min: 0, max: MOST_VL }), {
      about: "VL of service level 0, 1, … in the tables; levels may share a VL (default: VL n serves level n)",
      default: [],
    }),
    endpointHigh: tableField({
      about: "High-priority table of endpoints, if they have their own",
      most: MOST_VL,
      default: "",
    }),
    endpointLow: tableField({
      about: "Low-priority table of endpoints, if they have their own",
      most: MOST_VL,
      default: "",
    }),
    endpointLimit: maybe(
      int({ about: "Limit of high priority at endpoints with their own tables (default: limit)", min: 0, max: 255 }),
    ),
    ports: maybe(
      list(
        nested(
          schema({
            ...places,
            high: tableField({ about: "High-priority table of these ports", most: MOST_VL, default: "" }),
            low: tableField({ about: "Low-priority table of these ports", most: MOST_VL }),
            limit: int({ about: "Limit of high priority of these ports", min: 0, max: 255, default: 0 }),
          }),
        ),
        {
          about:
            "Tables of some ports of switches, of which the last that fits counts; the others have the tables above",
          atLeast: 1,
        },
      ),
    ),
  }),
  make: (p): QosModel => ({
    serves: served(p),
    check: (_, network) => placeComplaints("ports", p.ports ?? [], network),
    build: (site) => vlArbitration(site, p),
  }),
} satisfies Plugin<Params, QosModel, unknown>
