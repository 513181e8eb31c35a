// Figure 13: a separate VC for throttled flows, or shared VCs and 0.99 / N. 16 endpoints of 256, drawn once, send to
// another from the 500th interval on; all others exchange uniform traffic of load 0.4. Before the throttles act, 16
// senders put up to 66,000 flits into the network (16 x 4,130 cycles), which leave it at one flit per cycle. The runs
// are four times as long as that.
import { type Mode, type PaperFigure, type PaperRuns, type Row, within } from "../paper.ts"
import {
  at,
  cites,
  counted,
  drawnEnds,
  type Net,
  nets,
  network,
  routerOf,
  routings,
  stream,
  to,
  without,
} from "./network.ts"
import { drawn, transient } from "./transients.ts"

const onset = { quick: 100, full: 500 } as const
const netOf = (mode: Mode): Net => (mode === "full" ? "line" : "smallLine")
const variants = ["dedicated", "shared"] as const

function experiment(mode: Mode, until: number, seeds: number) {
  const net = netOf(mode)
  const [sink, ...hot] = drawnEnds(net, 1 + nets[net].ends / 16) as [number, ...number[]]
  const rest = without(nets[net].ends, [sink, ...hot])
  const start = onset[mode] / 10
  const protocol = { name: "cbcm", hot: "shared", rate: 0.99 }
  const shared = network(protocol, routings.UGAL, net)
  return {
    lacewing: 1,
    title: "a VC for throttled flows",
    network: network({ name: "cbcm" }, routings.UGAL, net),
    traffic: [stream("victims", 0.4, to(rest), rest), stream("hot", 1, to([sink]), hot, { start: `${start}kcycles` })],
    // hot throughput is that of the second half of the time behind the onset
    measure: counted(start + (until - start) / 2, (until - start) / 2, "100cycles"),
    probes: ["series"],
    variants: { dedicated: {}, shared: { network: { ...shared, switch: routerOf(protocol, 5) } } },
    seeds,
  }
}

function rows(runs: PaperRuns, mode: Mode): Row[] {
  const of = (variant: string) => transient(runs, "onset", variant, onset[mode])
  const [own, shared] = [of("dedicated"), of("shared")]
  const hot = (variant: string) => at(runs, "onset", { variant }, "hot.accepted") * nets[netOf(mode)].ends
  return [
    within({
      claim: "settling time, shared VCs over a separate VC",
      paper: 13.2,
      value: shared.settled / own.settled,
      low: 4,
      high: Number.POSITIVE_INFINITY,
      note: "from the onset until means of ten intervals stay within 10 % of the level before for twenty",
    }),
    within({
      claim: "highest latency of an interval, a separate VC over shared VCs",
      paper: "lower",
      value: own.peak / shared.peak,
      low: 0,
      high: 1 - Number.EPSILON,
    }),
    within({
      claim: "hot throughput with a separate VC",
      paper: 0.93,
      value: hot("dedicated"),
      low: 0.88,
      high: 0.98,
    }),
    within({ claim: "hot throughput with shared VCs", paper: 1, value: hot("shared"), low: 0.97, high: 1.01 }),
  ]
}

export default {
  id: "cbcm/fig13",
  cites,
  title: "A separate VC for throttled flows",
  claim: "with it victims settle 13.2 times as fast, and hot throughput is 93 % instead of 100 %",
  quick: {
    experiments: { onset: experiment("quick", 150, 1) },
    scaled:
      "4 senders among 64 endpoints, onset in the 100th interval of 1,500, one seed " +
      "instead of 16 among 256, the 500th of 5,000, three",
  },
  full: { experiments: { onset: experiment("full", 500, 3) } },
  rows,
  figures: (runs) => [drawn(runs, "onset", variants, "Victims around the onset of a hot spot")],
} satisfies PaperFigure
