// The largest load of a link whose input buffer is smaller than the round trip of its credits. A flit of the buffer
// occupies its space from its departure until the credit is back: latency of the link, pipeline of the next router,
// one cycle to send the credit, latency of the link. Only switches that move flits have such a bound here. Switches of
// whole packets reserve and release space in other units, so they get no note.
import { classesOf, compileNetwork } from "../compile/build-network.ts"
import type { Network } from "../compile/network.ts"
import { canonical } from "../core/canonical.ts"
import type { RunSpec } from "../model/experiment.ts"
import type { Host } from "../model/host.ts"

export interface CreditLimit {
  /** cycles of the slowest links between routers, and of the round trip of their credits */
  readonly link: number
  readonly roundTrip: number
  /** flits of the input buffer of a port, of all VCs together */
  readonly buffer: number
  /** fraction of the bandwidth of the link */
  readonly load: number
  /** value with which the credits of one VC are enough for the whole bandwidth */
  readonly enough: string
}

/** Returns undefined if the buffers are large enough, or if the bound is not known. */
export function creditLimitOf({ topology, switch: sw }: Pick<Network, "topology" | "switch">): CreditLimit | undefined {
  if (sw.moves !== "flits" || sw.timing.batch > 0) return undefined
  const { far, latency } = topology.graph
  let link = 0
  // Links whose directions differ have no common round trip.
  for (let c = 0; c < far.length; c++)
    if (far[c] >= 0 && latency[c] === latency[far[c]]) link = Math.max(link, latency[c])
  const { depth, reserve, total } = sw.buffer
  const roundTrip = 2 * link + sw.timing.pipeline + sw.timing.creditDelay + 1
  if (link === 0 || total >= roundTrip) return undefined
  const isShared = reserve < depth
  const enough = isShared ? `total: ${roundTrip + total - depth}flits` : `buffer: ${roundTrip}flits`
  return { link, roundTrip, buffer: total, load: total / roundTrip, enough }
}

/** Networks that are built for the notes of one experiment. */
const MOST = 16

/** Returns one sentence for each kind of link that cannot be filled. */
export function creditNotes(specs: readonly RunSpec[], hostFor: (spec: RunSpec) => Host): string[] {
  const networks = new Map(specs.map((spec) => [canonical({ ...spec.network, classes: classesOf(spec) }), spec]))
  if (networks.size > MOST) return []
  const notes = [...networks.values()].flatMap((spec) => {
    const made = compileNetwork(spec.network, classesOf(spec), spec.seed, hostFor(spec), true)
    const limit = "ok" in made ? creditLimitOf(made.ok) : undefined
    return limit === undefined ? [] : [noteOf(limit)]
  })
  return [...new Set(notes)]
}

function noteOf({ link, roundTrip, buffer, load, enough }: CreditLimit): string {
  const percent = load < 0.1 ? (Math.ceil(load * 1000) / 10).toFixed(1) : String(Math.ceil(load * 100))
  return (
    `note: links of ${link} cycles carry at most ${percent} % of their bandwidth, because their input buffers of ` +
    `${buffer} flits are smaller than the credit round trip of ${roundTrip} cycles; ` +
    `with switch.${enough}, credits no longer limit them`
  )
}
