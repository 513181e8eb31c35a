// Estimates the memory of a network from its size, so that a network that is far too large is refused before it is
// built.
import { type Complaint, complain } from "../core/complaint.ts"

export interface Size {
  readonly ends: number
  readonly routers: number
  readonly chans: number
}

/**
 * Upper bound of the bytes to build and measure a network: columns of the graph, and the same again while searching.
 * Measured: 30 to 50 for each channel.
 */
export function bytesFor({ ends, routers, chans }: Size): number {
  return 48 * chans + 24 * ends + 40 * routers
}

/** Lower bound of the bytes of the clocked engine: state of VCs, timing wheels and packets of a router with 32 VCs. */
export function bytesToRun({ ends, routers }: Size): number {
  return 32 * 40 * routers + 100 * ends
}

/** Indices have 32 bits, so a larger network cannot be numbered. */
const mostOfAny = 2 ** 31 - 2 ** 16

/**
 * Returns a complaint if the size is not finite, cannot be numbered, or needs too much memory. `fix`: how to allow
 * more.
 */
export function tooLarge(size: Size, bytes: number, most: number, path: string, fix: string): Complaint[] {
  const { ends, routers, chans } = size
  if (bytes <= most && Math.max(ends, routers, chans) <= mostOfAny) return []
  const factor = Math.ceil(Math.max(bytes / most, Math.max(ends, routers, chans) / mostOfAny))
  const told = `${count(ends)} endpoints on ${count(routers)} routers need about ${gib(bytes)}, ${gib(most)} are allowed`
  return [
    complain(path, told, `make it ${Number.isFinite(factor) ? `about ${count(factor)} times ` : ""}smaller${fix}`),
  ]
}

function count(n: number): string {
  return Number.isFinite(n) ? n.toLocaleString("en") : "too many"
}

function gib(bytes: number): string {
  const value = bytes / 2 ** 30
  return `${value >= 100 ? Math.round(value).toLocaleString("en") : Number(value.toPrecision(2))} GiB`
}
