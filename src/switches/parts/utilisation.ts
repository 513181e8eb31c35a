// The utilisation of crossbars, as switches with one crossbar per router report it.
import type { TransferSite } from "../../fabric/transfer.ts"
import type { PluginValues } from "../../model/values.ts"
import type { Clock } from "./clock.ts"
import type { Ports } from "./ports.ts"

/** The value of these switches. */
export const crossbarValues = {
  "switch.crossbar.utilisation": {
    about: "fraction of core steps in which a resource moved a flit: crossbar outputs",
    unit: "fraction",
  },
} satisfies PluginValues

/** Returns the utilisation: flits moved / (ports * core steps). */
export function crossbarUtilisation(
  { site, clock, ports }: { site: TransferSite; clock: Clock; ports: Ports },
  cycles: number,
): Record<string, number> {
  let outputs = 0
  for (let o = 0; o < ports.count; o++) outputs += ports.wired[o]
  let moved = 0
  for (const flits of site.columns.flitHops) moved += flits
  return { "switch.crossbar.utilisation": moved / (outputs * ((cycles * clock.link) / clock.core)) }
}
