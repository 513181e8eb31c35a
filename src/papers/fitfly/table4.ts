// Table 4: what the networks cost, from the prices of one shop (price books fitfly-edr and fitfly-fdr).
import { type Cost, cost } from "../../lab/cost.ts"
import { exactly, type PaperFigure, type Row, within } from "../../lab/paper.ts"
import { bookNamed } from "../../lab/pricebook.ts"
import { cites, misprint, type Network, network } from "./networks.ts"

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

function costOf({ network: name, book }: Column): Cost["total"] {
  const prices = bookNamed(book)
  if ("bad" in prices) throw new Error(prices.bad[0]!.says)
  const made = cost(network(name), prices.ok)
  if ("bad" in made) throw new Error(made.bad[0]!.says)
  return made.ok.total
}

function rowsOf(column: Column): Row[] {
  const { network: name, book, printed, wrong } = column
  const [links, routers, link, router, allLinks, allRouters, total] = printed
  const sum = costOf(column)
  const of = (what: string) => `${name} ${book === "fitfly-edr" ? "EDR" : "FDR"}: ${what}`
  return [
    exactly(of("links"), links, sum.links),
    exactly(of("routers"), routers, sum.routers),
    exactly(of("cost of a link"), link, sum.linkPrice / sum.links),
    exactly(of("cost of a router"), router, sum.routerPrice / sum.routers),
    exactly(of("cost of all links"), allLinks, sum.linkPrice),
    wrong === undefined
      ? exactly(of("cost of all routers"), allRouters, sum.routerPrice)
      : misprint(of("cost of all routers"), allRouters, wrong.routers, `${routers} x ${router}, and its total needs it`, sum.routerPrice),
    exactly(of("cost of the network"), total, sum.price),
  ]
}

export default {
  id: "fitfly/table4",
  cites,
  title: "Cost of Slim Fly, Fit Fly, Dragonfly and Megafly",
  claim: "Slim Fly is cheapest, then Dragonfly, Megafly, Fit Fly of FDR, Fit Fly of EDR",
  rows: () => [...columns.flatMap(rowsOf), order()],
} satisfies PaperFigure

/** Slim Fly is the cheapest, Fit Fly of EDR the dearest. */
function order(): Row {
  const inOrder = [columns[0]!, columns[3]!, columns[4]!, columns[2]!, columns[1]!].map((c) => costOf(c).price)
  const rising = inOrder.filter((price, i) => i > 0 && price > inOrder[i - 1]!).length
  const paper = "Slim Fly < Dragonfly < Megafly < Fit Fly FDR < Fit Fly EDR"
  return within({ claim: "order of cost: steps that rise", paper, value: rising, low: 4, high: 4 })
}
