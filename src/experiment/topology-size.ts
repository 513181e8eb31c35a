// How much memory a network takes, from its numbers alone: what is far too large is refused before anything is built.
import { type Complaint, complain } from "../core/complaint.ts"

export interface Size {
  readonly ends: number
  readonly routers: number
  readonly chans: number
}

/** Bytes that building and measuring take at most: columns of the graph, the same again while searching. Measured 30 to 50 for each channel. */
export function bytesFor({ ends, routers, chans }: Size): number {
  return 48 * chans + 24 * ends + 40 * routers
}

/** Bytes that the clocked engine takes at least: state of the VCs, wheels and packets of a router of 32 VCs, the smallest there is. */
export function bytesToRun({ ends, routers }: Size): number {
  return 32 * 40 * routers + 100 * ends
}

/** Columns are 32-bit: what has more of anything cannot be numbered, whatever the memory. */
const mostOfAny = 2 ** 31 - 2 ** 16

/** A complaint when the numbers are not finite, too large to be counted, or take more bytes than there are. `fix`: how more can be allowed. */
export function tooLarge(size: Size, bytes: number, most: number, path: string, fix: string): Complaint[] {
  const { ends, routers, chans } = size
  if (bytes <= most && Math.max(ends, routers, chans) <= mostOfAny) return []
  const factor = Math.ceil(Math.max(bytes / most, Math.max(ends, routers, chans) / mostOfAny))
  const told = `${count(ends)} endpoints on ${count(routers)} routers need about ${gib(bytes)}, ${gib(most)} are allowed`
  return [complain(path, told, `make it ${Number.isFinite(factor) ? `about ${count(factor)} times ` : ""}smaller${fix}`)]
}

function count(n: number): string {
  return Number.isFinite(n) ? n.toLocaleString("en") : "too many"
}

function gib(bytes: number): string {
  const value = bytes / 2 ** 30
  return `${value >= 100 ? Math.round(value).toLocaleString("en") : Number(value.toPrecision(2))} GiB`
}
