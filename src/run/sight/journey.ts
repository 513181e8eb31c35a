// The way of one packet and where its time went, from looks after every cycle: each cycle of its age is counted once, so the parts add up to it exactly.
//   source     from its creation until its head left the endpoint
//   wires      latency of the links
//   pipelines  what a hop takes besides when nothing is in the way
//   credits    first of its queue, and the buffer behind its channel is full
//   output     first of its queue with room behind the channel: waiting for a VC, the crossbar or the link
//   behind     in a queue behind others
import type { Graph } from "../../model/graph.ts"
import type { Seen, Whereabouts } from "./sight.ts"

export const journeyParts = ["source", "wires", "pipelines", "credits", "output", "behind"] as const
export type JourneyPart = (typeof journeyParts)[number]

/** A router on its way. */
export interface Stay {
  readonly router: number
  /** the first cycle after which it was on the wire to it, and after which it was there */
  readonly since: number
  /** the channel that it asked for or left over, -1 = none yet */
  chan: number
  /** cycles on the wire to it and in it */
  wires: number
  pipelines: number
  credits: number
  output: number
  behind: number
}

export class Journey {
  readonly stays: Stay[] = []
  private readonly graph: Graph
  private readonly pipeline: number
  private readonly seen: Pick<Seen, "born" | "entered" | "from">
  private latency = 0
  private onWire = -1

  constructor(graph: Graph, pipeline: number, seen: Pick<Seen, "born" | "entered" | "from">) {
    this.graph = graph
    this.pipeline = pipeline
    this.seen = seen
    this.arriving(graph.entry[seen.from * graph.rails]!, seen.entered + 1)
  }

  /** Where it was when cycle `now - 1` had ended; undefined: in a queue of its router, behind others. */
  look(now: number, at: Whereabouts | undefined, cycles = 1): void {
    if (at?.at === "wire" && at.input !== this.onWire) this.arriving(at.input, now)
    const stay = this.stays.at(-1)!
    if (at === undefined) stay.behind += cycles
    else if (at.at === "wire") {
      const free = Math.max(0, this.latency - stay.wires)
      stay.wires += Math.min(free, cycles)
      // with a core faster than the link it leaves later than it crosses
      stay.output += Math.max(0, cycles - free)
    } else {
      stay.chan = at.chan
      if (at.at === "front" && !at.room) stay.credits += cycles
      else stay.output += cycles
    }
  }

  parts(): Record<JourneyPart, number> {
    const sum: Record<JourneyPart, number> = { ...nothing, source: this.seen.entered - this.seen.born }
    for (const stay of this.settled()) for (const part of stayParts) sum[part] += stay[part]
    return sum
  }

  /** Waiting that a hop needs anyway is its pipeline's. */
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

  private arriving(input: number, since: number): void {
    const { near, latency, entryLatency, routerOf, rails } = this.graph
    const over = near[input]!
    // endpoints with several links may take another than the first
    if (over < 0) this.stays.length = 0
    else if (this.stays.length > 0) this.stays.at(-1)!.chan = over
    this.onWire = input
    this.latency = over >= 0 ? latency[over]! : entryLatency[this.seen.from * rails]!
    this.stays.push({ router: routerOf[input]!, since, chan: -1, wires: 0, pipelines: 0, credits: 0, output: 0, behind: 0 })
  }
}

const stayParts = ["wires", "pipelines", "credits", "output", "behind"] as const
const nothing: Record<JourneyPart, number> = { source: 0, wires: 0, pipelines: 0, credits: 0, output: 0, behind: 0 }
