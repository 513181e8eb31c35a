// Where two networks part: the first cycle after which their states differ, by halving; then the first packet that is elsewhere, and what becomes of it in both.
import type { PacketName } from "./messages.ts"

/** A packet that can be seen, and where. */
export interface Placed extends PacketName {
  readonly to: number
  readonly at: string
}

/** What becomes of a packet. */
export interface Fate {
  readonly entered: number
  /** routers that it reached, and when */
  readonly way: readonly { readonly label: string; readonly since: number }[]
  /** the cycle in which it left the network; absent: it is still there when nobody looks any more */
  readonly left?: number
}

/** A network that can be set to any cycle from its first on. */
export interface Parted {
  readonly first: number
  seek(cycle: number): Promise<unknown>
  fingerprint(): Promise<string>
  places(): Promise<readonly Placed[]>
  /** looked for from this cycle on; undefined: it does not enter within some hundred cycles after the one that is shown */
  fate(name: PacketName, from: number): Promise<Fate | undefined>
}

export interface Parting {
  /** the states differ from this cycle on */
  readonly cycle: number
  /** the first packet that is elsewhere, by its birth, and the cycle at which that is seen; absent: none was within some hundred cycles */
  readonly packet?: Placed & { readonly seen: number; readonly a: Fate | undefined; readonly b: Fate | undefined }
}

/** cycles after the parting in which a packet is looked for: pointers and sources may differ before any packet does */
const MOST = 400

/** Undefined: they do not differ up to `last`. Both stand where the packet was seen afterwards. */
export async function partingOf(a: Parted, b: Parted, last: number): Promise<Parting | undefined> {
  const both = (cycle: number) => Promise.all([a.seek(cycle), b.seek(cycle)])
  const differ = async (cycle: number) => {
    await both(cycle)
    const [x, y] = await Promise.all([a.fingerprint(), b.fingerprint()])
    return x !== y
  }
  if (!(await differ(last))) return undefined
  let [low, high] = [Math.max(a.first, b.first) - 1, last]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (await differ(middle)) high = middle
    else low = middle
  }
  for (let seen = high; seen < high + MOST; seen++) {
    await both(seen)
    const odd = firstOdd(await a.places(), await b.places())
    if (odd === undefined) continue
    // it may have entered before it was seen elsewhere
    const from = Math.max(a.first, b.first, Math.floor(odd.born))
    const [x, y] = await Promise.all([a.fate(odd, from), b.fate(odd, from)])
    return { cycle: high, packet: { ...odd, seen, a: x, b: y } }
  }
  await both(high)
  return { cycle: high }
}

/** The packet with the earliest birth that one side sees elsewhere than the other, or not at all. */
export function firstOdd(a: readonly Placed[], b: readonly Placed[]): Placed | undefined {
  const nameOf = (p: PacketName) => `${p.born} ${p.from} ${p.key}`
  const there = new Map(b.map((p) => [nameOf(p), p.at]))
  const here = new Set(a.map(nameOf))
  const odd = [...a.filter((p) => there.get(nameOf(p)) !== p.at), ...b.filter((p) => !here.has(nameOf(p)))]
  return odd.sort((p, q) => p.born - q.born || p.from - q.from || p.key - q.key)[0]
}

/** In words, one for each side. */
export function tellFate(fate: Fate | undefined): string {
  if (fate === undefined) return "it does not enter the network by then, nor in 400 cycles more"
  const way = fate.way.map((w) => w.label).join(", ")
  return `it enters in cycle ${Math.floor(fate.entered)}, goes over ${way}, and ${fate.left === undefined ? "is still under way" : `leaves in cycle ${fate.left}`}`
}
