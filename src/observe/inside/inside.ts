// The internal state of one router, for the studio: contents of its buffers, owners and credits of its output VCs,
// pointers of its arbiters, and its pools. Ports are numbered within the router. The state is read from the columns of
// the engine on request, router by router, so a running simulation pays nothing for it.
import type { Column } from "../../fabric/columns.ts"
import type { Layout } from "../../fabric/layout.ts"

/** The buffer of an input VC. */
export interface InsideBuffer {
  readonly input: number
  readonly vc: number
  readonly flits: number
  /** capacity; for shared buffers the reserved part plus the whole shared part */
  readonly of: number
  /** record of its head packet, -1 = none */
  readonly packet: number
  /** what the head packet waits for, as text */
  readonly does: string
}

/** An output VC. */
export interface InsideOutput {
  readonly port: number
  readonly vc: number
  /** input VC that holds it now, -1 = none */
  readonly input: number
  readonly inputVc: number
  /** credits now, and at most; -1: an endpoint, which accepts every flit */
  readonly credits: number
  readonly of: number
  /** flits in the output buffer; -1: it has none */
  readonly buffered: number
}

/** Buffer of a port in which packets are isolated or stashed. */
export interface InsidePool {
  readonly port: number
  readonly flits: number
  readonly of: number
}

export interface Inside {
  readonly buffers: readonly InsideBuffer[]
  readonly outputs: readonly InsideOutput[]
  /** round-robin pointers, and transfers that are in progress */
  readonly arbiters: readonly { readonly name: string; readonly says: string }[]
  readonly pools: readonly InsidePool[]
  /** columns of the switch with one word for each port, unprocessed */
  readonly state: readonly { readonly name: string; readonly values: readonly number[] }[]
}

/** Returns the internal number of a router, its first port in the layout, and the number of its ports. */
export function portsAt(
  { graph, innerRouter, PS }: Layout,
  router: number,
): { r: number; first: number; count: number } {
  const r = innerRouter[router]
  return { r, first: r * PS, count: graph.firstChan[router + 1] - graph.firstChan[router] }
}

/** Returns the columns with one word for each port. They are recognised by their length. */
export function byPort(columns: Readonly<Record<string, Column>>, l: Layout, router: number): Inside["state"] {
  const { first, count } = portsAt(l, router)
  return Object.entries(columns)
    .filter(([, c]) => c.length === l.routers * l.PS)
    .map(([name, c]) => ({ name, values: Array.from(c.subarray(first, first + count)) }))
}
