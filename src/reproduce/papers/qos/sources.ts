// The behaviour of the sources of the evaluation, sampled by the same calls as an engine makes: sizes, destinations,
// gaps.

import { planOf } from "../../../compile/classes.ts"
import { compile } from "../../../compile/compile.ts"
import { hostAt } from "../../../experiment/disk/host.ts"
import { plan } from "../../../experiment/plan.ts"
import { plainSource } from "../../../experiment/source.ts"
import { experimentOf, type Switch } from "./network.ts"
import { networks } from "./networks.ts"

export function compiled(sw: Switch) {
  const planned = plan({
    source: plainSource("levels", experimentOf(sw, networks[0].quick, [0.7])),
    host: hostAt("."),
    name: "levels",
  })
  if ("bad" in planned) throw new Error(planned.bad.map((c) => `${c.path}: ${c.says}`).join("; "))
  const made = compile(planned.ok.runs[0].spec, { read: (path) => path })
  if ("bad" in made) throw new Error(made.bad.map((c) => `${c.path}: ${c.says}`).join("; "))
  return made.ok
}

/** [class] -> VLs that its packets may take, as the first one and their number. */
export function lanes(sw: Switch): { first: number; count: number }[] {
  const { network, streams } = compiled(sw)
  return planOf(network, streams).classes.map(({ first, count }) => ({ first, count }))
}
