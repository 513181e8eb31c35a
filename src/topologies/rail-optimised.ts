// Rail-optimised network of islands of GPUs. All GPUs of an island share a fast scale-up network, and each GPU has one
// network interface. GPU r of every island is connected to the switches of rail r, so collectives among GPUs of the
// same number stay below one switch. "Rail-only: a low-cost high-performance network for training LLMs with trillion
// parameters", W. Wang and others, 2023.
//
// An island is one router, the scale-up switch, and a router for each GPU. The router of a GPU stands for its memory:
// it connects the endpoint, the scale-up link and the network interface, so a GPU can forward data of others. `reach`
// islands share the leaf switches, one for each rail. Every leaf is linked to every spine. With `spines: 0` the rails
// are separate networks (rail-only).
//
// With `wiring: islands`, the interfaces of an island are on one leaf, or on as few as possible: a leaf-spine network
// whose endpoints are islands. The links of the rail `slow` have a separate class, so it can have another bandwidth.
//
// GPUs are numbered island by island. Routers: GPUs, scale-up switches, leaves (rail by rail), spines. Limits: a
// scale-up network is one switch; its planes are not modelled.
import { type Complaint, complain } from "../core/complaint.ts"
import { Distances } from "../core/csr.ts"
import { choice, int, maybe, schema } from "../core/schema.ts"
import { type Graph, GraphBuilder } from "../model/graph.ts"
import type { End, Port, Router } from "../model/ids.ts"
import { neighbours } from "../model/neighbours.ts"
import type { TopologyPlugin } from "../model/plugin.ts"
import type { Topology } from "../model/topology.ts"

type Params = {
  islands: number
  gpus: number
  reach: number | undefined
  spines: number
  links: number
  wiring: "rails" | "islands"
  slow: number | undefined
}

/** Ports of the router of a GPU. */
const ENDPOINT: Port = 0
const SCALE_UP: Port = 1
const INTERFACE: Port = 2

export class RailOptimised implements Topology {
  readonly name = "rail-optimised"
  readonly graph: Graph
  /** ports of the router of a GPU */
  readonly ports = { endpoint: ENDPOINT, scaleUp: SCALE_UP, interface: INTERFACE } as const
  readonly islands: number
  readonly gpus: number
  /** islands that share the leaves */
  readonly reach: number
  /** leaves of each rail */
  readonly pods: number
  readonly spines: number
  readonly links: number
  readonly representatives: readonly Router[]
  readonly classSizes: readonly number[]
  private readonly byIsland: boolean
  private readonly slow: number
  private readonly firstSwitch: number
  private readonly firstLeaf: number
  private readonly firstSpine: number
  private distances: Distances | undefined

  constructor({ islands, gpus, reach, spines, links, wiring, slow }: Params) {
    this.byIsland = wiring === "islands"
    this.slow = slow ?? -1
    this.islands = islands
    this.gpus = gpus
    this.reach = reach ?? islands
    this.pods = islands / this.reach
    this.spines = spines
    this.links = links
    this.firstSwitch = islands * gpus
    this.firstLeaf = this.firstSwitch + islands
    this.firstSpine = this.firstLeaf + gpus * this.pods
    const sizes = [this.firstSwitch, islands, gpus * this.pods, spines]
    const firsts = [0, this.firstSwitch, this.firstLeaf, this.firstSpine]
    this.representatives = firsts.filter((_, i) => sizes[i] > 0)
    this.classSizes = sizes.filter((n) => n > 0)
    this.graph = this.build()
  }

  islandOf(e: End): number {
    return Math.floor(e / this.gpus)
  }
  railOf(e: End): number {
    return e % this.gpus
  }
  isGpu(r: Router): boolean {
    return r < this.firstSwitch
  }
  isIslandSwitch(r: Router): boolean {
    return r >= this.firstSwitch && r < this.firstLeaf
  }
  isSpine(r: Router): boolean {
    return r >= this.firstSpine
  }
  /** Returns the island of a scale-up switch. */
  islandAt(r: Router): number {
    return r - this.firstSwitch
  }
  /** Returns the leaf of an endpoint's network interface. */
  leafOf(e: End): Router {
    const pod = Math.floor(this.islandOf(e) / this.reach)
    return this.leaf(this.byIsland ? Math.floor(this.inPod(e) / this.reach) : this.railOf(e), pod)
  }
  /** Returns the port of a leaf that leads down to an endpoint. */
  downPort(e: End): Port {
    return this.byIsland ? this.inPod(e) % this.reach : this.islandOf(e) % this.reach
  }
  /** Returns the first of the parallel ports of a leaf to spine s. */
  upPort(s: number): Port {
    return this.reach + s * this.links
  }
  /** Returns the first of the parallel ports of a spine to a leaf. */
  spinePort(leaf: Router): Port {
    return (leaf - this.firstLeaf) * this.links
  }

  hops(a: Router, b: Router): number {
    if (a === b) return 0
    this.distances ??= new Distances(neighbours(this.graph))
    return this.distances.between(a, b)
  }

  label(r: Router): string {
    if (this.isGpu(r)) return `island ${this.islandOf(r)} GPU ${this.railOf(r)}`
    if (this.isIslandSwitch(r)) return `island ${this.islandAt(r)} switch`
    if (this.isSpine(r)) return `spine ${r - this.firstSpine}`
    const leaf = r - this.firstLeaf
    return `rail ${Math.floor(leaf / this.pods)} leaf ${leaf % this.pods}`
  }

  /** Returns the number of an endpoint in its pod. */
  private inPod(e: End): number {
    return e % (this.reach * this.gpus)
  }
  private leaf(rail: number, pod: number): Router {
    return this.firstLeaf + rail * this.pods + pod
  }

  private build(): Graph {
    const { islands, gpus, reach, pods, spines, links, firstSwitch, firstLeaf, firstSpine } = this
    const ends = islands * gpus
    const leaves = gpus * pods
    const ports = new Int32Array(firstSpine + spines)
      .fill(3, 0, firstSwitch)
      .fill(gpus, firstSwitch, firstLeaf)
      .fill(reach + spines * links, firstLeaf, firstSpine)
      .fill(leaves * links, firstSpine)
    const b = new GraphBuilder(ends, firstSpine + spines, ports, {
      classes: ["end", "scale-up", "nic", "spine", "slow"],
    })
    for (let e = 0; e < ends; e++) {
      b.attach(e, e, ENDPOINT)
      b.link(e, SCALE_UP, firstSwitch + this.islandOf(e), this.railOf(e), 1)
      b.link(e, INTERFACE, this.leafOf(e), this.downPort(e), this.railOf(e) === this.slow ? 4 : 2)
    }
    for (let leaf = firstLeaf; leaf < firstSpine; leaf++)
      for (let s = 0; s < spines; s++)
        for (let k = 0; k < links; k++) b.link(leaf, this.upPort(s) + k, firstSpine + s, this.spinePort(leaf) + k, 3)
    return b.finish()
  }
}

function check({ islands, gpus, reach, spines, wiring, slow }: Params): Complaint[] {
  const bad: Complaint[] = []
  if (slow !== undefined && slow >= gpus)
    bad.push(complain("slow", `there is no rail ${slow}`, `choose one of 0..${gpus - 1}`))
  if (wiring === "islands" && spines === 0)
    bad.push(complain("spines", "without spines, the leaves are not connected", "add spines, or set wiring: rails"))
  if (reach !== undefined && islands % reach !== 0)
    bad.push(complain("reach", `${islands} islands are no multiple of ${reach}`, "set it to a divisor of islands"))
  else if (spines === 0 && reach !== undefined && reach < islands)
    bad.push(
      complain("spines", "without spines, the leaves of a rail are not connected", "add spines, or leave reach out"),
    )
  return bad
}

export default {
  kind: "topology",
  name: "rail-optimised",
  aliases: ["rail-only"],
  about: "Islands of GPUs with a fast scale-up network; GPU r of every island is on the switches of rail r.",
  cites:
    "Rail-only: a low-cost high-performance network for training LLMs with trillion parameters, W. Wang and others, 2023",
  limits: "one scale-up switch for each island; one network interface for each GPU; leaves and one level of spines",
  params: schema({
    islands: int({
      about: "Number of islands (servers or racks with a scale-up network)",
      min: 1,
      max: 65_536,
      default: 8,
    }),
    gpus: int({ about: "Number of GPUs of each island, which is the number of rails", min: 1, max: 1024, default: 8 }),
    reach: maybe(
      int({
        about: "Number of islands that share the leaves of the rails (default: all)",
        min: 1,
        max: 65_536,
        needed: false,
      }),
    ),
    spines: int({
      about: "Number of spines that connect all leaves; 0: separate rails",
      min: 0,
      max: 65_536,
      default: 8,
    }),
    links: int({ about: "Number of parallel links between a leaf and a spine", min: 1, max: 1024, default: 1 }),
    wiring: choice(["rails", "islands"], {
      about: "Leaf of a network interface: that of its rail, or that of its island",
      default: "rails",
    }),
    slow: maybe(
      int({ about: "Rail whose interfaces have links of the class slow (default: none)", min: 0, needed: false }),
    ),
  }),
  check,
  size({ islands, gpus, reach = islands, spines, links }) {
    const leaves = (gpus * islands) / reach
    return {
      ends: islands * gpus,
      routers: islands * (gpus + 1) + leaves + spines,
      chans: islands * gpus * 5 + 2 * leaves * spines * links,
    }
  },
  make: (p) => new RailOptimised(p),
} satisfies TopologyPlugin<Params, RailOptimised>
