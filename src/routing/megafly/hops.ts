// The three kinds of hop on a megafly (up, across, down), each to the least loaded of the ports that serve.
// megafly.minimal and megafly.par share them.
import type { Packet, Port, Router } from "../../model/ids.ts"
import type { NetView } from "../../model/routing.ts"
import type { Megafly } from "../../topologies/megafly.ts"
import { leastLoaded } from "../trunk.ts"

export class Hops {
  private readonly t: Megafly
  /** [(here * groups + there) * spines + s] -> first port of spine s of group `here` to group `there`, -1 if none */
  private readonly toward: Int32Array

  constructor(t: Megafly) {
    this.t = t
    const { groups, spines } = t
    this.toward = new Int32Array(groups * groups * spines).fill(-1)
    for (let here = 0; here < groups; here++)
      for (let there = 0; there < groups; there++)
        for (let s = 0; s < spines; s++)
          if (here !== there) this.toward[(here * groups + there) * spines + s] = t.portToward(t.spine(here, s), there)
  }

  /** Returns the port from a leaf to the least loaded spine with a link to `group` (any spine inside its own group).
   *  Ties go to the next spine from the destination's number on. Failed links are skipped. */
  up(p: Packet, at: Router, group: number, net: NetView): Port {
    const { t, toward } = this
    const here = t.group[at]
    const row = (here * t.groups + group) * t.spines
    const { far } = t.graph
    const first = t.graph.firstChan[at]
    const dst = net.dst(p)
    let best = -1
    let least = 0
    let s = dst % t.spines
    for (let i = 0; i < t.spines; i++, s = s + 1 < t.spines ? s + 1 : 0) {
      if (group !== here && toward[row + s] < 0) continue
      const port = t.upPort(s) + leastLoaded(far, first + t.upPort(s), t.links, dst, net)
      if (far[first + port] < 0) continue
      const queued = net.queued(first + port)
      if (best < 0 || queued < least) {
        best = port
        least = queued
      }
    }
    return best
  }

  /** Returns the port from a spine to a leaf of its group. */
  down(p: Packet, at: Router, leaf: Router, net: NetView): Port {
    const { t } = this
    const port = t.downPort(leaf % (t.leaves + t.spines))
    return port + leastLoaded(t.graph.far, t.graph.firstChan[at] + port, t.links, net.dst(p), net)
  }

  /** Returns the least loaded of `draws` links drawn among those of a spine to another group, or -1 if it has none. */
  across(p: Packet, at: Router, group: number, draws: number, net: NetView): Port {
    const { t } = this
    const first = t.portToward(at, group)
    if (first < 0) return -1
    const step = t.groups - 1
    const links = Math.ceil((t.lastPort(at) - first) / step)
    let best = -1
    let least = 0
    for (let i = 0; i < Math.min(draws, links); i++) {
      const port = first + step * (links === 1 ? 0 : net.draw(p, links))
      const queued = net.queued(t.graph.firstChan[at] + port)
      if (best < 0 || queued < least) {
        best = port
        least = queued
      }
    }
    return best
  }
}
