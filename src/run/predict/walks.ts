// Sample packets of every stream, sent one by one through the network to see where its traffic goes: mean hops, the load of every channel, and how much of what is
// offered gets through. A channel beyond its capacity lets through what it can, and every flow as much as the worst channel of its way does. Where the routing
// looks at queues, packets go in rounds: a channel that the rounds before loaded has a queue, and so have those that lead to full ones.
// Limits: one queue for all VCs of a channel; flows do not make room for each other; what was not sampled is not seen.
import type { Routed } from "../../compile/subject.ts"
import { type Offered, Round, type Ways } from "./round.ts"
import { Walk } from "./walk.ts"

const ROUNDS = 8
const FORGOTTEN = 3
const FEW = 8
const GOLDEN = 0.6180339887498949

/** `steps`: hops that may be walked in all. `reads`: does the routing look at queues? */
export function waysOf(network: Routed, offered: readonly Offered[], steps: number, reads: boolean): Ways {
  const walk = new Walk(network, reads)
  const rounds = reads ? ROUNDS : 1
  let found = new Round(network, offered)
  for (let r = 0; r < rounds; r++) {
    // the first ones go by queues that are not yet true
    if (r > 0 && r <= FORGOTTEN) found = new Round(network, offered)
    for (const [s, o] of offered.entries()) sample(walk, found, o, s, steps / rounds / offered.length, r)
    found.close()
    if (reads) walk.fill(found, r)
  }
  return found.ways()
}

/** Whole sweeps over all senders as far as the steps reach; else some of them, spread evenly. */
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
  // a few packets tell how long ways are
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
