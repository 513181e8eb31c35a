// The path of one packet, and the attribution of its time. The studio calls `look` after each cycle. Each cycle of the
// packet's age is counted once, so the parts add up to its age exactly. `source` is the time until its head left the
// endpoint, the second part the propagation delay of the links. `pipelines` is the remaining time of hops without
// contention. `credits` and `output` count cycles at the head of a queue without and with credits. `behind` counts
// cycles in a queue behind other packets.
import type { Graph } from "../model/graph.ts"
import type { Seen, Whereabouts } from "./observation.ts"

export const traceParts = ["source", "wires", "pipelines", "credits", "output", "behind"] as const
export type TracePart = (typeof traceParts)[number]

/** One router on the path. */
export interface Stay {
  readonly router: number
  /** first cycle after which the packet was on the link to the router */
  readonly since: number
  /** the channel that it requested or took; -1: none yet */
  chan: number
  /** cycles on the link to the router, and in the router */
  wires: number
  pipelines: number
  credits: number
  output: number
  behind: number
}

export class PacketTrace {
  readonly stays: Stay[] = []
  private readonly graph: Graph
  private readonly pipeline: number
  private readonly seen: Pick<Seen, "createdAt" | "entered" | "from">
  private latency = 0
  private onWire = -1

  constructor(graph: Graph, pipeline: number, seen: Pick<Seen, "createdAt" | "entered" | "from">) {
    this.graph = graph
    this.pipeline = pipeline
    this.seen = seen
    this.arriving(graph.entry[seen.from * graph.rails], seen.entered + 1)
  }

  /** Records where the packet was at the end of cycle `now - 1`. undefined: in a queue of its router, behind others. */
  look(now: number, at: Whereabouts | undefined, cycles = 1): void {
    if (at?.at === "wire" && at.input !== this.onWire) this.arriving(at.input, now)
    const stay = this.stays.at(-1)!
    if (at === undefined) stay.behind += cycles
    else if (at.at === "wire") {
      const free = Math.max(0, this.latency - stay.wires)
      stay.wires += Math.min(free, cycles)
      // If the core is faster than the link, a packet leaves the crossbar earlier than it appears on the link.
      stay.output += Math.max(0, cycles - free)
    } else {
      stay.chan = at.chan
      if (at.at === "front" && !at.hasCredits) stay.credits += cycles
      else stay.output += cycles
    }
  }

  /** Returns the cycles of each part. */
  parts(): Record<TracePart, number> {
    const sum: Record<TracePart, number> = { ...nothing, source: this.seen.entered - this.seen.createdAt }
    for (const stay of this.settled()) for (const part of stayParts) sum[part] += stay[part]
    return sum
  }

  /**
   * Returns the stays with their pipeline time. Waiting up to the pipeline delay occurs without contention too, so it
   * is moved from `output`, then `behind`, to `pipelines`.
   */
  settled(): readonly Stay[] {
    return this.stays.map((stay) => {
      let need = Math.max(0, this.pipeline - stay.pipelines)
      const take = (cycles: number) => {
        const taken = Math.min(need, cycles)
        need -= taken
        return cycles - taken
      }
      const output = take(stay.output)
      const behind = take(stay.behind)
      return { ...stay, output, behind, pipelines: stay.pipelines + stay.output - output + stay.behind - behind }
    })
  }

  /** Starts a stay at the next router. */
  private arriving(input: number, since: number): void {
    const { near, latency, entryLatency, routerOf, rails } = this.graph
    const over = near[input]
    // An endpoint with several rails may inject over another link than the first one, which the constructor assumed.
    if (over < 0) this.stays.length = 0
    else if (this.stays.length > 0) this.stays.at(-1)!.chan = over
    this.onWire = input
    this.latency = over >= 0 ? latency[over] : entryLatency[this.seen.from * rails]
    this.stays.push({
      router: routerOf[input],
      since,
      chan: -1,
      wires: 0,
      pipelines: 0,
      credits: 0,
      output: 0,
      behind: 0,
    })
  }
}

const stayParts = ["wires", "pipelines", "credits", "output", "behind"] as const
const nothing: Record<TracePart, number> = { source: 0, wires: 0, pipelines: 0, credits: 0, output: 0, behind: 0 }
