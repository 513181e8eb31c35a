// Table 4: what the networks cost, from the prices of one shop (price books fitfly-edr and fitfly-fdr).
import { cost } from "../../src/lab/cost.ts"
import { bookNamed } from "../../src/lab/pricebook.ts"
import { exact, misprint, type Network, network, type Row } from "./networks.ts"

interface Column {
  readonly network: Network
  readonly book: "fitfly-edr" | "fitfly-fdr"
  /** as printed: links, routers, cost of a link, of a router, of all links, of all routers, of the network */
  readonly printed: readonly [number, number, number, number, number, number, number]
  readonly wrong?: { readonly routers: number }
}

const columns: readonly Column[] = [
  { network: "Slim Fly", book: "fitfly-edr", printed: [6253, 338, 134, 25633, 837902, 8663954, 9501856] },
  { network: "Fit Fly", book: "fitfly-edr", printed: [12506, 676, 134, 25633, 1675804, 17327908, 19003712] },
  { network: "Fit Fly", book: "fitfly-fdr", printed: [12506, 676, 86, 19803, 1075516, 13868828, 14462344], wrong: { routers: 13386828 } },
  { network: "Dragonfly", book: "fitfly-edr", printed: [7524, 342, 134, 25633, 1008216, 8766486, 9774702] },
  { network: "Megafly", book: "fitfly-edr", printed: [8100, 360, 134, 25633, 1085400, 9277880, 10313280], wrong: { routers: 9227880 } },
]

function rowsOf({ network: name, book, printed, wrong }: Column): Row[] {
  const [links, routers, link, router, allLinks, allRouters, total] = printed
  const prices = bookNamed(book)
  if ("bad" in prices) throw new Error(prices.bad[0]!.says)
  const made = cost(network(name), prices.ok)
  if ("bad" in made) throw new Error(made.bad[0]!.says)
  const { total: sum } = made.ok
  const of = (what: string) => `${name} ${book === "fitfly-edr" ? "EDR" : "FDR"}: ${what}`
  return [
    exact(of("links"), links, sum.links),
    exact(of("routers"), routers, sum.routers),
    exact(of("cost of a link"), link, sum.linkPrice / sum.links),
    exact(of("cost of a router"), router, sum.routerPrice / sum.routers),
    exact(of("cost of all links"), allLinks, sum.linkPrice),
    wrong === undefined
      ? exact(of("cost of all routers"), allRouters, sum.routerPrice)
      : misprint(of("cost of all routers"), allRouters, wrong.routers, `${routers} x ${router}, and its total needs it`, sum.routerPrice),
    exact(of("cost of the network"), total, sum.price),
  ]
}

export default {
  id: "fitfly/table4",
  title: "Cost of Slim Fly, Fit Fly, Dragonfly and Megafly",
  claim: "Slim Fly is cheapest, then Dragonfly, Megafly, Fit Fly of FDR, Fit Fly of EDR",
  rows: (): Row[] => [...columns.flatMap(rowsOf), order()],
}

function order(): Row {
  const price = (c: Column): number => {
    const prices = bookNamed(c.book)
    const made = "ok" in prices ? cost(network(c.network), prices.ok) : prices
    return "ok" in made ? made.ok.total.price : Number.NaN
  }
  const name = (c: Column) => `${c.network} ${c.book === "fitfly-edr" ? "EDR" : "FDR"}`
  const value = [...columns]
    .map((c) => ({ name: name(c), price: price(c) }))
    .sort((a, b) => a.price - b.price)
    .map((c) => c.name)
    .join(" < ")
  const paper = "Slim Fly EDR < Dragonfly EDR < Megafly EDR < Fit Fly FDR < Fit Fly EDR"
  return { claim: "order of cost", paper, value, pass: value === paper }
}
