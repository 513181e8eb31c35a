// The cost of a network: routers, endpoint cables and cables between routers by class, electrical or optical by length,
// from a price list. "Fit Fly: a case study on interconnect innovation through parallel simulation", N. McGlohon et
// al., 2019, Table 4. Limits: no adapters in the endpoints, no spares, no labour. Lengths come from layout.ts.

import { place } from "../compile/floor/layout.ts"
import type { Cable, PriceBook } from "../compile/floor/pricebook.ts"
import { type Checked, complain } from "../core/complaint.ts"
import type { Topology } from "../model/topology.ts"

export interface CostRow {
  /** "router", or the link class: end, local, global, … */
  readonly item: string
  readonly medium: "electrical" | "optical" | undefined
  readonly count: number
  /** mean price of one */
  readonly each: number
  readonly price: number
  /** undefined if the price list has no power */
  readonly watts: number | undefined
  /** total length of the cables */
  readonly metres: number | undefined
}

export interface Cost {
  readonly book: string
  readonly currency: string
  readonly rows: readonly CostRow[]
  readonly total: {
    readonly price: number
    readonly routers: number
    readonly links: number
    readonly routerPrice: number
    readonly linkPrice: number
    readonly watts: number | undefined
    readonly pricePerEndpoint: number
    readonly wattsPerEndpoint: number | undefined
    readonly cabinets: number
  }
}

/** Returns the cost of a network, or a complaint if the price list does not fit it. */
export function cost(topology: Topology, book: PriceBook): Checked<Cost> {
  const { graph } = topology
  const placed = place(topology, book.layout)
  const routers = routerRow(topology, book)
  if ("bad" in routers) return routers
  const cables = new CableRows(book)
  const { ends, rails, home, routerOf, chans, far, linkClass, classes } = graph
  // An endpoint is in the cabinet of its first router; cables of further rails may lead to other cabinets.
  for (let e = 0; e < ends; e++) {
    const first = routerOf[home[e * rails]]
    for (let rail = 0; rail < rails; rail++)
      cables.add(classes[0], placed.metres(first, routerOf[home[e * rails + rail]]))
  }
  for (let c = 0; c < chans; c++) {
    const there = far[c]
    // A link is counted at the lower of its two channels; a unidirectional link has only one.
    if (there < 0 || (far[there] === c && there < c)) continue
    cables.add(classes[linkClass[c]], placed.metres(routerOf[c], routerOf[there]))
  }
  if (cables.tooLong > 0) {
    const longest = Math.max(...book.cables.map((c) => c.upTo ?? 0))
    return {
      bad: [
        complain(
          "book.cables",
          `The network needs a cable of ${cables.tooLong.toFixed(1)} m, but the longest has ${longest} m.`,
          "remove upTo from the last cable",
        ),
      ],
    }
  }
  const rows = [routers.ok, ...cables.rows(classes)]
  const sum = (of: (row: CostRow) => number | undefined): number | undefined =>
    rows.reduce<number | undefined>(
      (total, row) => (total === undefined || of(row) === undefined ? undefined : total + of(row)!),
      0,
    )
  const price = rows.reduce((total, row) => total + row.price, 0)
  const watts = sum((row) => row.watts)
  return {
    ok: {
      book: book.name,
      currency: book.currency,
      rows,
      total: {
        price,
        routers: graph.routers,
        links: rows.reduce((n, row) => n + (row.item === "router" ? 0 : row.count), 0),
        routerPrice: routers.ok.price,
        linkPrice: price - routers.ok.price,
        watts,
        pricePerEndpoint: price / ends,
        wattsPerEndpoint: watts === undefined ? undefined : watts / ends,
        cabinets: placed.cabinets,
      },
    },
  }
}

/** Returns the row of the routers. Only ports in use are counted. */
function routerRow({ graph }: Topology, { router, name }: PriceBook): Checked<CostRow> {
  const { routers, firstChan, far, near } = graph
  let ports = 0
  let radix = 0
  for (let r = 0; r < routers; r++) {
    let own = 0
    for (let c = firstChan[r]; c < firstChan[r + 1]; c++) if (far[c] !== -1 || near[c] !== -1) own++
    ports += own
    radix = Math.max(radix, own)
  }
  if (router.ports !== undefined && radix > router.ports) {
    const fix = `choose a network with a radix of at most ${router.ports}, or another price list with --prices`
    return {
      bad: [
        complain(
          "book.router.ports",
          `The network needs routers with ${radix} ports, but those of "${name}" have ${router.ports}.`,
          fix,
        ),
      ],
    }
  }
  const price = routers * router.price + ports * router.perPort
  const watts = router.watts === undefined ? undefined : routers * router.watts
  return {
    ok: { item: "router", medium: undefined, count: routers, each: price / routers, price, watts, metres: undefined },
  }
}

/** Sums of cables by link class and kind of cable. */
class CableRows {
  private readonly book: PriceBook
  private readonly sums = new Map<string, { count: number; metres: number }[]>()
  tooLong = 0
  constructor(book: PriceBook) {
    this.book = book
  }
  /** Adds a cable: the first kind that is long enough. */
  add(linkClass: string, metres: number): void {
    const kind = this.book.cables.findIndex((c) => c.upTo === undefined || metres <= c.upTo)
    if (kind < 0) this.tooLong = Math.max(this.tooLong, metres)
    let kinds = this.sums.get(linkClass)
    if (kinds === undefined) this.sums.set(linkClass, (kinds = this.book.cables.map(() => ({ count: 0, metres: 0 }))))
    const at = kinds[Math.max(kind, 0)]
    at.count++
    at.metres += metres
  }
  rows(classes: readonly string[]): CostRow[] {
    return classes.flatMap((item) =>
      (this.sums.get(item) ?? []).flatMap(({ count, metres }, i) =>
        count === 0 ? [] : [row(item, this.book.cables[i], count, metres)],
      ),
    )
  }
}

function row(item: string, cable: Cable, count: number, metres: number): CostRow {
  const price = count * cable.price + metres * cable.perMetre
  return {
    item,
    medium: cable.medium,
    count,
    each: price / count,
    price,
    watts: cable.watts === undefined ? undefined : count * cable.watts,
    metres,
  }
}
