// Counters of the combined switch as values: how busy its crossbars are.
import type { CombinedState } from "./frame.ts"

/** Utilisation = flits moved / (ports * core steps). */
export function reportValues({ site, clock, ports, marking, sensing }: CombinedState, cycles: number): Record<string, number> {
  let outputs = 0
  for (let o = 0; o < ports.count; o++) outputs += ports.wired[o]!
  let moved = 0
  for (const flits of site.columns.flitHops) moved += flits
  let marks = 0
  for (const column of [marking?.columns["marked"], sensing?.columns["contended"]])
    for (let r = 0; r < (column?.length ?? 0); r++) marks += column![r]!
  return { "ecn.marked": marks, "switch.crossbar.use": moved / (outputs * ((cycles * clock.link) / clock.core)) }
}
