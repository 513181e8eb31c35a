// Tables that differ by switch or port. Each row of such a list names routers and outputs, and has its own values; the
// last row that names an output counts. The others have the values of the plug-in. One scheduler serves each row. All of
// them write the same columns, of which each output has a part of its own.
import { type Complaint, complain } from "../core/complaint.ts"
import { membersOf, namesOf } from "../core/ranges.ts"
import type { Field } from "../core/schema.ts"
import type { QosNetwork, QosScheduler, QosSite } from "../model/scheduler.ts"

/** Where the values of a row apply: numbers and ranges such as 0-3, or "all". */
export interface PortPlace {
  readonly routers: readonly string[]
  readonly outputs: readonly string[]
}

/** The fields of a row besides its values. */
export const places: { readonly [key in keyof PortPlace]: Field<readonly string[]> } = {
  routers: namesOf("Routers with these tables"),
  outputs: namesOf("Their ports with these tables"),
}

/** Returns complaints about places that the network does not have. */
export function placeComplaints(key: string, rows: readonly PortPlace[], network: QosNetwork | undefined): Complaint[] {
  if (network === undefined) return []
  return rows.flatMap((row, i) => {
    const bad = (side: keyof PortPlace, word: string, count: number) =>
      complain(
        `${key}.${i}.${side}`,
        `"${row[side].join(",")}" does not name ${word} from 0 to ${count - 1}`,
        `write numbers or ranges such as 0-${count - 1}`,
      )
    const routers = membersOf(row.routers, network.routers)
    if (routers === undefined) return [bad("routers", "routers", network.routers)]
    // Routers may have different numbers of ports: one that has the ports is enough.
    const most = routers.reduce((n, r) => Math.max(n, network.ports(r)), 0)
    return membersOf(row.outputs, most) === undefined ? [bad("outputs", "ports of these routers", most)] : []
  })
}

/** Builds the scheduler of a site: `rest` serves the outputs that no row names. */
export function byPort<R extends PortPlace>(
  site: QosSite,
  rows: readonly R[],
  rest: (site: QosSite) => QosScheduler,
  own: (site: QosSite, row: R) => QosScheduler,
): QosScheduler {
  const { outputs } = site
  if (rows.length === 0 || outputs === undefined) return rest(site)
  const { routers, radix } = outputs
  const of = new Map<number, number>()
  for (const [i, row] of rows.entries())
    for (const router of membersOf(row.routers, routers) ?? [])
      for (const port of membersOf(row.outputs, radix) ?? []) of.set(router * radix + port, i + 1)
  const which = Int32Array.from({ length: site.rows }, (_, row) => {
    const router = outputs.router(row)
    return router < 0 ? 0 : (of.get(router * radix + outputs.port(row)) ?? 0)
  })
  const ints: Int32Array[] = []
  const reals: Float64Array[] = []
  const kept = <T>(list: T[], made: T): T => {
    list.push(made)
    return made
  }
  const first = rest({ ...site, ints: (n) => kept(ints, site.ints(n)), reals: (n) => kept(reals, site.reals(n)) })
  /** The site of another row: its scheduler requests the same memory in the same order, and gets that of the first. */
  const again = (): QosSite => {
    let [i, f] = [0, 0]
    return { ...site, ints: () => ints[i++], reals: () => reals[f++] }
  }
  const all = [first, ...rows.map((row) => own(again(), row))]
  return {
    columns: first.columns,
    ...(first.digest === undefined ? {} : { digest: first.digest }),
    hears: first.hears,
    arrived: (row, queue, size, now) => all[which[row]].arrived(row, queue, size, now),
    pick: (row, sendable, sizes, created, at) => all[which[row]].pick(row, sendable, sizes, created, at),
    sent: (row, queue, size, now) => all[which[row]].sent(row, queue, size, now),
  }
}
