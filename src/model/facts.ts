// Facts: what happened in which cycle, a row of a kind and three ints, for the probe `events`. Engines, switches and endpoint protocols write them where a
// probe asks, and nothing otherwise. A new kind is a line at the end of this list: its place is its number, and at most 32 fit.
import type { Ability } from "./abilities.ts"

export interface FactInfo {
  readonly about: string
  /** what its three ints are, by the network's own numbers; packets by their key, which is theirs alone */
  readonly ints: readonly [string, string, string]
  /** what a switch must be able to do before one asks for this kind by name */
  readonly needs?: readonly Ability[]
}

const packet = ["source", "destination", "packet"] as const
const control = ["from", "to", "kind"] as const
const inside: readonly Ability[] = ["packetEvents"]
/** a port and one of its lines: port * 256 + line */
const line = ["router", "port and line"] as const
const lines: readonly Ability[] = ["lineEvents"]

export const facts = {
  injected: { about: "the head of a packet of data leaves its source, for the first time or again", ints: packet },
  delivered: { about: "the tail of a packet of data reaches its destination", ints: packet },
  dropped: { about: "a switch drops a packet, or loses it", ints: packet, needs: inside },
  marked: { about: "a congested input marks a packet", ints: ["router", "port", "packet"], needs: [...inside, "marks"] },
  sent: { about: "an acknowledgement or control packet leaves its endpoint, or is made by a switch", ints: control, needs: inside },
  received: { about: "an acknowledgement or control packet reaches its endpoint", ints: control, needs: inside },
  lineBorn: { about: "a CAM line is allocated at an input port", ints: [...line, "hops and output"], needs: lines },
  lineDied: { about: "it is free again", ints: [...line, "cycles it lived"], needs: lines },
  lineStopped: { about: "the line behind an output stops those that are linked to it", ints: [...line, "hops"], needs: lines },
  lineGoes: { about: "it lets them go on, or is gone", ints: [...line, "hops"], needs: lines },
} as const satisfies Record<string, FactInfo>

export type FactName = keyof typeof facts

export const factNames = Object.keys(facts) as FactName[]

/** [name] -> number */
export const FACT = Object.fromEntries(factNames.map((name, i) => [name, i])) as Readonly<Record<FactName, number>>

/** What a probe asks for: rows that are kept, and which kinds; none named = all that there are. */
export interface EventsWish {
  readonly rows: number
  readonly kinds: readonly FactName[]
}

/** A bit for each kind. */
export function kindsMask(kinds: readonly FactName[]): number {
  return kinds.length === 0 ? -1 : kinds.reduce((mask, name) => mask | (1 << FACT[name]), 0)
}
