// Finds the first difference of two networks: the first cycle after which their states differ, by bisection on
// fingerprints; then the first packet at a different position, and its path in both networks.
import type { PacketName } from "./messages.ts"

/** A visible packet and its position. */
export interface Placed extends PacketName {
  readonly to: number
  readonly at: string
}

/** The path of a packet through the network. */
export interface Fate {
  readonly entered: number
  /** The routers that it reached, with the times. */
  readonly way: readonly { readonly label: string; readonly since: number }[]
  /** The cycle in which it left the network; undefined: it was still there at the end of the search. */
  readonly left?: number
}

/** A network that can seek any cycle from its first one on. */
export interface Parted {
  readonly first: number
  seek(cycle: number): Promise<unknown>
  fingerprint(): Promise<string>
  places(): Promise<readonly Placed[]>
  /**
   * Searches from this cycle on; undefined: the packet does not enter within some hundred cycles after the shown one.
   */
  fate(name: PacketName, from: number): Promise<Fate | undefined>
}

export interface Divergence {
  /** The states differ from this cycle on. */
  readonly cycle: number
  /**
   * The first packet at a different position, by creation time, and the cycle in which it was found; undefined: none
   * within some hundred cycles.
   */
  readonly packet?: Placed & { readonly seen: number; readonly a: Fate | undefined; readonly b: Fate | undefined }
}

/**
 * Maximum cycles after the first difference in which a packet is searched. Pointers and sources may differ earlier than
 * any packet.
 */
const MOST = 400

/**
 * Returns the first difference, or undefined if there is none up to `last`. Afterwards both networks are at the cycle
 * in which the packet was found.
 */
export async function divergenceOf(a: Parted, b: Parted, last: number): Promise<Divergence | undefined> {
  const both = (cycle: number) => Promise.all([a.seek(cycle), b.seek(cycle)])
  const differ = async (cycle: number) => {
    await both(cycle)
    const [x, y] = await Promise.all([a.fingerprint(), b.fingerprint()])
    return x !== y
  }
  if (!(await differ(last))) return undefined
  // Invariant: the states are equal at `low` and differ at `high`. Once they differ they stay different in practice, so
  // bisection finds the first cycle.
  let [low, high] = [Math.max(a.first, b.first) - 1, last]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (await differ(middle)) high = middle
    else low = middle
  }
  // The states can differ in pointers and random numbers before any packet moves differently.
  for (let seen = high; seen < high + MOST; seen++) {
    await both(seen)
    const odd = firstOdd(await a.places(), await b.places())
    if (odd === undefined) continue
    // The packet may have entered before the difference was found.
    const from = Math.max(a.first, b.first, Math.floor(odd.createdAt))
    const [x, y] = await Promise.all([a.fate(odd, from), b.fate(odd, from)])
    return { cycle: high, packet: { ...odd, seen, a: x, b: y } }
  }
  await both(high)
  return { cycle: high }
}

/**
 * Returns the packet with the earliest creation time that has different positions on the two sides, or is missing on
 * one.
 */
export function firstOdd(a: readonly Placed[], b: readonly Placed[]): Placed | undefined {
  const nameOf = (p: PacketName) => `${p.createdAt} ${p.from} ${p.key}`
  const there = new Map(b.map((p) => [nameOf(p), p.at]))
  const here = new Set(a.map(nameOf))
  const odd = [...a.filter((p) => there.get(nameOf(p)) !== p.at), ...b.filter((p) => !here.has(nameOf(p)))]
  return odd.sort((p, q) => p.createdAt - q.createdAt || p.from - q.from || p.key - q.key)[0]
}

/** Returns a sentence about the path of a packet on one side. */
export function tellFate(fate: Fate | undefined): string {
  if (fate === undefined) return "it does not enter the network by then, nor in the next 400 cycles"
  const way = fate.way.map((w) => w.label).join(", ")
  return (
    `it enters in cycle ${Math.floor(fate.entered)}, takes ${way}, and ` +
    `${fate.left === undefined ? "is still in the network" : `leaves in cycle ${fate.left}`}`
  )
}
