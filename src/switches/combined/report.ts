// Counters of the combined switch as values: how busy its crossbars are.
import type { CombinedState } from "./frame.ts"

/** Utilisation = flits moved / (ports * core steps). */
export function reportValues({ site, clock, ports }: CombinedState, cycles: number): Record<string, number> {
  let outputs = 0
  for (let o = 0; o < ports.count; o++) outputs += ports.wired[o]!
  let moved = 0
  for (const flits of site.columns.flitHops) moved += flits
  return { "switch.crossbar.use": moved / (outputs * ((cycles * clock.link) / clock.core)) }
}
