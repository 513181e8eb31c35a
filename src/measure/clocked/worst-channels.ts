// The table `channels-worst`: the channels that packets waited for most, and the flows of these packets. The class
// samples all queues of the network while the window is measured: for each queue its length, the channel that its head
// packet requests, and the source and destination of that packet.
//
// A long queue does not make a channel the bottleneck. Upstream of a bottleneck, queues also grow in front of channels
// that are blocked by it (tree saturation). Therefore only flits whose channel has credits count against that channel,
// weighted with its utilisation. A channel that is never idle counts with its whole queue: with a core faster than the
// links, its credits run out before the link does, although it is the bottleneck itself.
//
// The same samples show why a saturated network accepts no more (measure/bottleneck/decide.ts).
import type { ClockedEngine } from "../../engines/flit/clocked.ts"
import type { Table } from "../../model/experiment.ts"
import { endOf, type Graph } from "../../model/graph.ts"
import type { Queues } from "../bottleneck/decide.ts"
import { columnIn, named, type Saved, type TypedArray } from "../saved.ts"

/**
 * Maximum number of samples of the network. A network with many channels gets fewer (at least 8), because each sample
 * visits all its buffers: CHANNELS bounds the product.
 */
const LOOKS = 64
const CHANNELS = 4_000_000
/** Maximum number of stored head packets, and the number of channels and of flows in the table. */
const SAMPLES = 400_000
const WORST = 10
const FLOWS = 3
/** utilisation from which a channel counts as never idle */
const NEVER_IDLE = 0.95

export class QueueSamples {
  /** [channel] -> sum over all samples of the flits queued for it */
  private readonly queued: Float64Array
  /** [channel] -> the part of `queued` that the channel could have sent, because it had credits */
  private readonly guilty: Float64Array
  /** [channel] -> the part of `queued` without credits although no packet waits where the channel leads to */
  private readonly returning: Float64Array
  /** [input port] -> the last sample in which a packet waited there; [router] -> the same for its internal queues */
  private readonly waitedAt: Int32Array
  private readonly waitedIn: Int32Array
  private readonly graph: Graph
  /** one element for each sampled head packet: the channel it requests, its source, its destination */
  private channel: number[] = []
  private src: number[] = []
  private dst: number[] = []
  private looks = 0
  private readonly most: number

  constructor(graph: Graph) {
    this.most = Math.max(8, Math.min(LOOKS, Math.floor(CHANNELS / graph.chans)))
    this.queued = new Float64Array(graph.chans)
    this.guilty = new Float64Array(graph.chans)
    this.returning = new Float64Array(graph.chans)
    this.waitedAt = new Int32Array(graph.chans)
    this.waitedIn = new Int32Array(graph.routers)
    this.graph = graph
  }

  /** Samples all queues once, unless the limits are reached. */
  look(engine: ClockedEngine): void {
    if (this.looks === this.most || this.channel.length > SAMPLES) return
    this.looks++
    const { looks, waitedAt, waitedIn } = this
    const { routerOf, far } = this.graph
    const stalled: number[] = []
    engine.queues((chan, flits, src, dst, hasCredits, _vc, _key, _packet, input) => {
      this.queued[chan] += flits
      if (hasCredits) this.guilty[chan] += flits
      else stalled.push(chan, flits)
      if (input >= 0) waitedAt[input] = looks
      else waitedIn[routerOf[chan]] = looks
      this.channel.push(chan)
      this.src.push(src)
      this.dst.push(dst)
    })
    for (let i = 0; i < stalled.length; i += 2) {
      const next = far[stalled[i]]
      if (next < 0 || waitedAt[next] === looks || waitedIn[routerOf[next]] === looks) continue
      this.returning[stalled[i]] += stalled[i + 1]
    }
  }

  /** Returns the means over all samples; undefined without a sample. */
  means(): Queues | undefined {
    const { looks, queued, guilty, returning } = this
    if (looks === 0) return undefined
    const mean = (sums: Float64Array) => sums.map((x) => x / looks)
    return { queued: mean(queued), ready: mean(guilty), returning: mean(returning) }
  }

  save(): { looks: number; columns: Record<string, TypedArray> } {
    const { looks, queued, guilty, returning, channel, src, dst } = this
    const columns = {
      queued: queued.slice(),
      guilty: guilty.slice(),
      returning: returning.slice(),
      channel: ints(channel),
      src: ints(src),
      dst: ints(dst),
    }
    return { looks, columns: named("samples.", columns) }
  }

  resume(looks: number, saved: Saved): void {
    this.looks = looks
    this.queued.set(columnIn(saved, "samples.queued", Float64Array, this.queued.length))
    this.guilty.set(columnIn(saved, "samples.guilty", Float64Array, this.guilty.length))
    this.returning.set(columnIn(saved, "samples.returning", Float64Array, this.returning.length))
    const channel = columnIn(saved, "samples.channel", Int32Array)
    this.channel = Array.from(channel)
    this.src = Array.from(columnIn(saved, "samples.src", Int32Array, channel.length))
    this.dst = Array.from(columnIn(saved, "samples.dst", Int32Array, channel.length))
  }

  /**
   * Returns the table of the worst channels, or undefined if no packet ever waited. `carried`: [channel] -> flits that
   * it sent in a window of `cycles` cycles.
   */
  table(graph: Graph, carried: ArrayLike<number>, cycles: number): Table | undefined {
    if (this.looks === 0 || cycles === 0) return undefined
    const busy = (c: number) => carried[c] / cycles
    const queue = (c: number) => this.queued[c] / this.looks
    const blame = (c: number) => busy(c) * (busy(c) > NEVER_IDLE ? this.queued[c] : this.guilty[c])
    const worst = [...this.queued.keys()].filter((c) => this.queued[c] > 0).sort((a, b) => blame(b) - blame(a) || a - b)
    const ten = worst.slice(0, WORST)
    if (ten.length === 0) return undefined
    const shares = this.flowsOf(ten)
    return {
      channel: ten,
      from: ten.map((c) => `router ${graph.routerOf[c]} port ${c - graph.firstChan[graph.routerOf[c]]}`),
      to: ten.map((c) =>
        graph.far[c] >= 0 ? `router ${graph.routerOf[graph.far[c]]}` : `endpoint ${endOf(graph.far[c])}`,
      ),
      utilisation: ten.map(busy),
      queued: ten.map(queue),
      flows: ten.map((c) => shares.get(c)!),
    }
  }

  /** Returns, for each of these channels, the most frequent pairs of source and destination in its samples. */
  private flowsOf(channels: readonly number[]): Map<number, string> {
    const counts = new Map(channels.map((c) => [c, new Map<string, number>()]))
    for (const [i, c] of this.channel.entries()) {
      const of = counts.get(c)
      if (of === undefined) continue
      const name = `${this.src[i]} to ${this.dst[i]}`
      of.set(name, (of.get(name) ?? 0) + 1)
    }
    return new Map([...counts].map(([c, of]) => [c, commonest(of)]))
  }
}

const ints = (values: readonly number[]) => Int32Array.from(values)

/** Returns the most frequent flows with their shares. Ties are sorted by name, so that the text is deterministic. */
function commonest(of: ReadonlyMap<string, number>): string {
  const all = [...of.values()].reduce((s, x) => s + x, 0)
  const first = [...of].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).slice(0, FLOWS)
  const named = first.map(([name, n]) => `${name} (${Math.round((100 * n) / all)} %)`)
  return of.size > FLOWS ? `${named.join(", ")} and ${of.size - FLOWS} more` : named.join(", ")
}
