// A router from inside, in its own numbers of ports: what its buffers hold, who has its output VCs, whose turn is next, what lies in its pools. Read from the columns
// of the machine, router by router, when somebody asks: nothing here runs while a network does.
import type { Column } from "../../../fabric/columns.ts"
import type { Layout } from "../../../fabric/layout.ts"

/** The buffer of an input VC. */
export interface InsideBuffer {
  readonly input: number
  readonly vc: number
  readonly flits: number
  /** the most that it can hold; of rooms that VCs share: its own part and all that is shared */
  readonly of: number
  /** record of its front packet, -1 = none */
  readonly packet: number
  /** what that waits for */
  readonly does: string
}

/** An output VC. */
export interface InsideOutput {
  readonly port: number
  readonly vc: number
  /** who has it now, -1 = nobody */
  readonly input: number
  readonly inputVc: number
  /** flits that may still be sent, and the most that this can be; -1: an endpoint, which takes everything */
  readonly room: number
  readonly of: number
  /** flits in the buffer of the output; -1: it has none */
  readonly buffered: number
}

/** Room of a port where packets are put aside. */
export interface InsidePool {
  readonly port: number
  readonly flits: number
  readonly of: number
}

export interface Inside {
  readonly buffers: readonly InsideBuffer[]
  readonly outputs: readonly InsideOutput[]
  /** whose turn is next, and which transfers are under way */
  readonly arbiters: readonly { readonly name: string; readonly says: string }[]
  readonly pools: readonly InsidePool[]
  /** columns of the switch that have a word for each port, as they are */
  readonly state: readonly { readonly name: string; readonly values: readonly number[] }[]
}

/** Ports of a router of the network: its number in the layout, the first port there, how many. */
export function portsAt({ graph, innerRouter, PS }: Layout, router: number): { r: number; first: number; count: number } {
  const r = innerRouter[router]!
  return { r, first: r * PS, count: graph.firstChan[router + 1]! - graph.firstChan[router]! }
}

/** Columns with one word for each port. */
export function byPort(columns: Readonly<Record<string, Column>>, l: Layout, router: number): Inside["state"] {
  const { first, count } = portsAt(l, router)
  return Object.entries(columns)
    .filter(([, c]) => c.length === l.routers * l.PS)
    .map(([name, c]) => ({ name, values: Array.from(c.subarray(first, first + count)) }))
}
