// What the paper leaves open, each over its range, on 64 endpoints: which rows of figures 5.1a and 5.2a (event of 140
// us) come out otherwise than with the defaults. Those of adapters are in adapters.ts.
import { Draws } from "../../../core/rng.ts"
import { assumptionFigure, type Keys, type Variation } from "./varied.ts"

/** A quarter of the endpoints, drawn; not the hot one. */
function drawn(): number[] {
  const draws = new Draws(0x686f74)
  const left = Array.from({ length: 64 }, (_, e) => e).filter((e) => e !== 32)
  return Array.from({ length: 16 }, () => left.splice(draws.below(left.length), 1)[0]).sort((a, b) => a - b)
}

const message = (packets: number): Keys => ({ message: { name: "fixed", size: `${packets}packets` } })

const variations: readonly Variation[] = [
  { name: "stop rule: line", fbicm: { stopRule: "line" } },
  { name: "cascade: off", fbicm: { cascade: false } },
  { name: "stop rule: line, cascade: off", fbicm: { stopRule: "line", cascade: false } },
  { name: "thresholds halved", fbicm: { detect: 4, stop: 4, go: 2 } },
  { name: "thresholds doubled", fbicm: { detect: 16, stop: 16, go: 8 } },
  { name: "static split", fbicm: { split: "static" } },
  { name: "static split, credits of the NFQ", fbicm: { split: "static", credits: "nfq" } },
  { name: "timer 0", fbicm: { timer: "0cycles" } },
  { name: "timer 2 us", fbicm: { timer: "2000cycles" } },
  { name: "messages of 0 B", fbicm: { header: "0flits", each: "0flits" } },
  { name: "messages of 64 B", fbicm: { header: "64flits", each: "0flits" } },
  { name: "hot sources drawn", hot: drawn() },
  { name: "backlog of hot sources without a bound", endpoint: { capped: [] } },
  { name: "three iterations of iSLIP", all: { iterations: 3 } },
  { name: "pipeline of 16 ns", all: { pipeline: "16cycles" } },
  { name: "pipeline of 64 ns", all: { pipeline: "64cycles" } },
  { name: "slots of 64 ns", all: { slot: "64cycles" } },
  { name: "messages of 8 packets", stream: message(8) },
  { name: "messages of 64 packets", stream: message(64) },
]

export default assumptionFigure(
  { id: "fbicm/assumptions", title: "What the paper leaves open, on 64 endpoints" },
  variations,
)
