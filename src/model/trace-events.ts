// Trace events: a row with a cycle, a kind and three ints, for the probe `events`. Engines, switches and endpoint
// protocols record them if a probe needs them, and nothing otherwise. A new kind is appended to this list: its position
// is its number, and at most 32 fit.
import type { Ability } from "./abilities.ts"

export interface TraceEventInfo {
  readonly about: string
  /** meaning of its three ints, in the network's own numbers; packets are identified by their unique key */
  readonly ints: readonly [string, string, string]
  /** abilities of a switch that are required to request this kind by name */
  readonly needs?: readonly Ability[]
}

const packet = ["source", "destination", "packet"] as const
const control = ["from", "to", "kind"] as const
const inside: readonly Ability[] = ["packetEvents"]
/** a port and one of its lines: port * 256 + line */
const line = ["router", "port and line"] as const
const lines: readonly Ability[] = ["lineEvents"]

export const traceEvents = {
  injected: {
    about: "the head of a data packet leaves its source, for the first time or as a retransmission",
    ints: packet,
  },
  delivered: { about: "the tail of a data packet reaches its destination", ints: packet },
  dropped: { about: "a switch drops or loses a packet", ints: packet, needs: inside },
  marked: {
    about: "a congested input marks a packet",
    ints: ["router", "port", "packet"],
    needs: [...inside, "marks"],
  },
  sent: {
    about: "an acknowledgement or control packet leaves its endpoint, or a switch creates one",
    ints: control,
    needs: inside,
  },
  received: { about: "an acknowledgement or control packet reaches its endpoint", ints: control, needs: inside },
  lineAllocated: {
    about: "a CAM line is allocated at an input port",
    ints: [...line, "hops and output"],
    needs: lines,
  },
  lineFreed: { about: "a CAM line is freed", ints: [...line, "cycles it lived"], needs: lines },
  lineStopped: {
    about: "the CAM line at the other end of an output stops the lines that are linked to it",
    ints: [...line, "hops"],
    needs: lines,
  },
  lineGo: {
    about: "the CAM line at the other end of an output restarts the lines that are linked to it, or is freed",
    ints: [...line, "hops"],
    needs: lines,
  },
} as const satisfies Record<string, TraceEventInfo>

export type TraceEventName = keyof typeof traceEvents

export const traceEventNames = Object.keys(traceEvents) as TraceEventName[]

/** [name] -> number */
export const TRACE = Object.fromEntries(traceEventNames.map((name, i) => [name, i])) as Readonly<
  Record<TraceEventName, number>
>

/** The request of a probe: number of rows to store, and the kinds; no kinds means all. */
export interface EventsRequest {
  readonly rows: number
  readonly kinds: readonly TraceEventName[]
}
/** Returns a mask with a bit for each kind. */
/** A bit for each kind. */
export function kindsMask(kinds: readonly TraceEventName[]): number {
  return kinds.length === 0 ? -1 : kinds.reduce((mask, name) => mask | (1 << TRACE[name]), 0)
}
