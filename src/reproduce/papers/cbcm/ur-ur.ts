// Half of the endpoints of each router exchange messages of four packets (UR1), the other half single packets at load
// 0.9 (UR2): Figs 5b and 8c.
import type { Named } from "../../../model/experiment.ts"
import { measured, type Net, nets, network, range, routings, stream, to, variantsOf, type Way } from "./network.ts"

export function urUr(
  net: Net,
  protocols: Readonly<Record<string, Named>>,
  ways: readonly Way[],
  loads: readonly number[],
  times: readonly [number, number],
  seeds: number,
) {
  const { ends, p } = nets[net]
  const long = range(ends).filter((e) => e % p < p / 2)
  const short = range(ends).filter((e) => e % p >= p / 2)
  return {
    lacewing: 1,
    title: "long and short messages",
    network: network({ name: "none" }, routings.UGAL, net),
    traffic: [
      stream("UR1", loads[0], to(long), long),
      stream("UR2", 0.9, to(short), short, { message: { name: "fixed", size: "1packets" } }),
    ],
    measure: measured(...times, ["UR1"]),
    probes: [],
    variants: variantsOf(protocols, ways, net),
    sweep: { "traffic.0.load": loads },
    seeds,
  }
}
