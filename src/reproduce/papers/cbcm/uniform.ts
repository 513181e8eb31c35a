// Uniform traffic on the square network, alone or with a hot spot: the runs of Figs 8a and 8b.
import type { Named } from "../../../model/experiment.ts"
import {
  drawnEnds,
  measured,
  type Net,
  nets,
  network,
  routings,
  stream,
  to,
  variantsOf,
  type Way,
  without,
} from "./network.ts"

/** Loads of one set of runs: where curves are judged, and where single points are. */
export type Part = {
  readonly protocols: Readonly<Record<string, Named>>
  readonly ways: readonly Way[]
  readonly loads: readonly number[]
  readonly seeds: number
}

/** 40 senders and their destination of 512, in proportion; drawn once. */
export function hotSpot(net: Net): { sink: number; hot: readonly number[]; rest: readonly number[] } {
  const [sink, ...hot] = drawnEnds(net, 1 + Math.round((40 * nets[net].ends) / 512)) as [number, ...number[]]
  return { sink, hot, rest: without(nets[net].ends, [sink, ...hot]) }
}

/** `first`: thousands of cycles of the hot spot alone. */
export function uniformRuns(net: Net, hot: boolean, part: Part, [warm, window]: readonly [number, number], first = 0) {
  const spot = hotSpot(net)
  const load = part.loads[0]
  return {
    lacewing: 1,
    title: hot ? "uniform traffic with a hot spot" : "uniform traffic",
    network: network({ name: "none" }, routings.UGAL, net),
    traffic: hot
      ? [
          stream("victims", load, to(spot.rest), spot.rest, { start: `${first}kcycles` }),
          stream("hot", 1, to([spot.sink]), spot.hot),
        ]
      : [stream("all", load, { name: "uniform" })],
    measure: measured(first + warm, window, hot ? ["victims"] : undefined),
    probes: [],
    variants: variantsOf(part.protocols, part.ways, net),
    sweep: { "traffic.0.load": part.loads },
    seeds: part.seeds,
  }
}
