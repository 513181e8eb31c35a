// Sends sample packets of every stream through the network to find the mean hops, the load of every channel, and the
// accepted share. A channel beyond its capacity accepts what it can, and a flow gets the share of its worst channel. If
// the routing reads queues, packets are sent in rounds. Channels that earlier rounds loaded have queues then, and so do
// those that lead to full ones.
//
// Limits: one queue for all VCs of a channel; the loss of one flow frees no capacity for others; flows that were not
// sampled are not seen.
import type { Routed } from "../compile/subject.ts"
import { type Offered, Round, type Ways } from "./round.ts"
import { Walk } from "./walk.ts"

/** rounds of an adaptive routing; the results of the first FORGOTTEN ones are dropped */
const ROUNDS = 8
const FORGOTTEN = 3
const FEW = 8
const GOLDEN = 0.6180339887498949

/** Returns the results. `steps`: limit of hops. `reads`: the routing reads queue lengths. */
export function pathsOf(network: Routed, offered: readonly Offered[], steps: number, reads: boolean): Ways {
  const walk = new Walk(network, reads)
  const rounds = reads ? ROUNDS : 1
  let found = new Round(network, offered)
  for (let r = 0; r < rounds; r++) {
    // The first rounds use queue lengths that are not yet realistic.
    if (r > 0 && r <= FORGOTTEN) found = new Round(network, offered)
    for (const [s, o] of offered.entries()) sample(walk, found, o, s, steps / rounds / offered.length, r)
    found.close()
    if (reads) walk.fill(found, r)
  }
  return found.ways()
}

/**
 * Sends packets of one stream: from all senders as often as the steps allow, or from some of them, spread evenly by the
 * golden ratio.
 */
function sample(walk: Walk, round: Round, { stream, load }: Offered, s: number, steps: number, turn: number): void {
  const { ends } = walk.network.topology.graph
  const senders: number[] | undefined = stream.senders === undefined ? undefined : []
  stream.senders?.forEach((on, e) => {
    if (on === 1) senders!.push(e)
  })
  const n = senders?.length ?? ends
  const at = (i: number) => Math.floor(((i * GOLDEN) % 1) * n)
  const ahead = (k: number): number => {
    const from = senders?.[k] ?? k
    const to = stream.pattern.dest(from, walk.rng)
    return to >= 0 && to !== from ? walk.go(from, to) : 0
  }
  // A few packets show how long paths are.
  let few = 0
  for (let i = 0; i < FEW && n > 0; i++) few += ahead(at(i))
  const all = (n * few) / FEW <= steps
  let taken = 0
  let packets = 0
  while (n > 0 && (taken < steps || packets === 0)) {
    const upTo = all ? n : 1
    for (let i = 0; i < upTo; i++) {
      const hops = ahead(all ? i : at(packets + turn))
      packets++
      taken += hops > 0 ? round.take(s, hops, walk) : 1
    }
  }
  round.weigh(s, n, load, packets)
}
