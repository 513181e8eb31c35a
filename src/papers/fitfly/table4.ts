// Table 4: what the networks cost, from the prices of one shop (price books fitfly-edr and fitfly-fdr).

import { bookNamed } from "../../compile/floor/pricebook.ts"
import { type Cost, cost } from "../../inspect/cost.ts"
import { exactly, type Facts, type PaperFigure, type Read, type Row, within } from "../paper.ts"
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

const nameOf = ({ network: name, book }: Column): string => `${name} ${book === "fitfly-edr" ? "EDR" : "FDR"}`
const what = [
  "links",
  "routers",
  "cost of a link",
  "cost of a router",
  "cost of all links",
  "cost of all routers",
  "cost of the network",
] as const

function inspect(): Facts {
  const facts: Record<string, number> = {}
  for (const column of columns) {
    const { links, routers, linkPrice, routerPrice, price } = costOf(column)
    const read = [links, routers, linkPrice / links, routerPrice / routers, linkPrice, routerPrice, price]
    what.forEach((of, i) => {
      facts[`${nameOf(column)}: ${of}`] = read[i]!
    })
  }
  return facts
}

function rowsOf(column: Column, read: Read): Row[] {
  const [, routers, , router] = column.printed
  return what.map((of, i) => {
    const claim = `${nameOf(column)}: ${of}`
    const right = of === "cost of all routers" ? column.wrong?.routers : undefined
    return right === undefined
      ? exactly(claim, column.printed[i]!, read(claim))
      : misprint(claim, column.printed[i]!, right, `${routers} x ${router}, and its total needs it`, read(claim))
  })
}

/** Slim Fly is the cheapest, Fit Fly of EDR the dearest. */
function order(read: Read): Row {
  const inOrder = [0, 3, 4, 2, 1].map((i) => read(`${nameOf(columns[i]!)}: cost of the network`))
  const rising = inOrder.filter((price, i) => i > 0 && price > inOrder[i - 1]!).length
  const paper = "Slim Fly < Dragonfly < Megafly < Fit Fly FDR < Fit Fly EDR"
  return within({ claim: "order of cost: steps that rise", paper, value: rising, low: 4, high: 4 })
}

export default {
  id: "fitfly/table4",
  cites,
  title: "Cost of Slim Fly, Fit Fly, Dragonfly and Megafly",
  claim: "Slim Fly is cheapest, then Dragonfly, Megafly, Fit Fly of FDR, Fit Fly of EDR",
  inspect,
  rows: (_runs, _mode, read) => [...columns.flatMap((column) => rowsOf(column, read)), order(read)],
} satisfies PaperFigure
