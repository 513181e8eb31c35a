// Tornado on the square network, alone or with a hot spot. These are the runs of Figs 9a and 9b and of section V-B. If
// there is a hot spot, the first endpoints of all routers but the first send to endpoint 0; all others continue the
// tornado.
import type { MeasureSpec, Named } from "../../../model/experiment.ts"
import type { PaperRuns } from "../paper.ts"
import { at, counted, type Net, nets, network, range, routings, stream, to, without } from "./network.ts"

export const worst: Named = { name: "tornado" }
export const next = (net: Net): Named => ({ name: "group-adversarial", size: nets[net].p })

export function sendersTo0(net: Net): number[] {
  return range(nets[net].ends).filter((e) => e % nets[net].p === 0 && e !== 0)
}

/** `first`: thousands of cycles of the hot spot alone. `measure`: `measured` where a row reads latency. */
export function tornado(
  net: Net,
  pattern: Named,
  hot: boolean,
  protocols: Readonly<Record<string, Named>>,
  loads: readonly number[],
  [warm, window]: readonly [number, number],
  seeds: number,
  first = 0,
  measure: (warm: number, window: number) => MeasureSpec = counted,
) {
  const senders = sendersTo0(net)
  const rest = without(nets[net].ends, [0, ...senders])
  const victims = stream("victims", loads[0], pattern, hot ? rest : "all", { start: `${first}kcycles` })
  return {
    lacewing: 1,
    title: hot ? "adversarial traffic with a hot spot" : "adversarial traffic",
    network: network({ name: "none" }, routings.UGAL, net),
    traffic: hot ? [victims, stream("hot", 1, to([0]), senders)] : [victims],
    measure: measure(first + warm, window),
    probes: [],
    variants: Object.fromEntries(
      Object.entries(protocols).map(([name, c]) => [name, { network: network(c, routings.UGAL, net) }]),
    ),
    sweep: { "traffic.0.load": loads },
    seeds,
  }
}

/** The most that is accepted, in parts of the channels of those that send. `name`: of a stream, with its dot. */
export function mostOf(runs: PaperRuns, from: string, variant: string, loads: readonly number[], name = ""): number {
  const of = (load: number, value: string) => at(runs, from, { variant, load }, `${name}${value}`)
  return Math.max(...loads.map((load) => (load * of(load, "accepted")) / of(load, "offered")))
}
