// Victims of a hot spot on 16 endpoints, protocols against load: the runs of Figs 2 and 3b and of the text of II-B.
import type { Named, TrafficSpec } from "../../../model/experiment.ts"
import { measured, network, stream, to, variantsOf, without } from "./network.ts"

export type HotSpot = {
  readonly title: string
  readonly protocols: Readonly<Record<string, Named>>
  /** who sends at its full rate to whom */
  readonly hot: readonly number[]
  readonly sink: number
  /** where all others send to, from these; and their loads */
  readonly victims: (rest: readonly number[]) => Named
  readonly loads: readonly number[]
  /** of both streams */
  readonly more?: Partial<TrafficSpec>
}

/** Packets of one flit (footnote 1 of the paper). */
export const single: Partial<TrafficSpec> = { packet: { name: "fixed", size: "1flit" } }

export function besideHotSpot(
  { title, protocols, hot, sink, victims, loads, more = {} }: HotSpot,
  times: readonly [number, number],
  seeds: number,
) {
  const rest = without(16, [sink, ...hot])
  return {
    lacewing: 1,
    title,
    network: network(),
    traffic: [stream("victims", loads[0], victims(rest), rest, more), stream("hot", 1, to([sink]), hot, more)],
    measure: measured(...times, ["victims"]),
    probes: [],
    variants: variantsOf(protocols),
    sweep: { "traffic.0.load": loads },
    seeds,
  }
}
