// Converts a topology into the data that the page draws.
import { placesOf } from "../../src/draw/topology/places.ts"
import type { Topology } from "../../src/model/topology.ts"
import type { Observation } from "../../src/observe/observation.ts"
import type { Scene } from "../shared/messages.ts"
import { MOST_ROUTERS } from "./frames.ts"
import { ringOf } from "./ring.ts"

/** `crossing`: cycles that a packet spends on the links. */
export function sceneOf(topology: Topology, vcs: number, crossing?: Observation["crossing"]): Scene {
  const { graph, group } = topology
  const places = placesOf(topology)
  const farRouter = Int32Array.from(graph.far, (far) => (far >= 0 ? graph.routerOf[far] : far))
  // Networks of several planes have a ring of groups for each, so they keep their places.
  const ring = places.kind === "groups" && group !== undefined && graph.rails === 1 && graph.routers <= MOST_ROUTERS
  const { x, y, out, step, rings } = ring ? ringOf(group) : places
  const wraps = wrapping(topology.sides ?? [], graph.routerOf, farRouter)
  return {
    ...{ routers: graph.routers, ends: graph.ends, chans: graph.chans, vcs, x, y, out, step, rings },
    kind: ring ? "ring" : places.kind,
    group: group?.slice(),
    routerOf: graph.routerOf.slice(),
    firstChan: graph.firstChan.slice(),
    farRouter,
    linkClass: graph.linkClass.slice(),
    classes: graph.classes,
    labels: Array.from({ length: graph.routers }, (_, r) => topology.label(r)),
    straight: Uint8Array.from(farRouter, (far, c) =>
      far < 0 || places.straight(graph.routerOf[c], far) ? 1 : wraps ? 2 : 0,
    ),
    latency: (crossing?.links ?? graph.latency).slice(),
    entryLatency: everyRail(crossing?.entries ?? graph.entryLatency, graph.rails),
    home: everyRail(graph.home, graph.rails),
    entryRouter: everyRail(graph.entry, graph.rails).map((port) => graph.routerOf[port]),
  }
}

/** Returns the entries of the first rail of each endpoint. */
function everyRail(of: Int32Array, rails: number): Int32Array {
  return of.filter((_, i) => i % rails === 0)
}

/** Returns true for a torus in the plane: every link leads to a neighbour or around the grid. */
function wrapping(sides: readonly number[], routerOf: Int32Array, farRouter: Int32Array): boolean {
  if (sides.length !== 2) return false
  const [width, height] = sides
  return farRouter.every((far, c) => {
    if (far < 0) return true
    const across = Math.abs((far % width) - (routerOf[c] % width))
    const down = Math.abs(Math.floor(far / width) - Math.floor(routerOf[c] / width))
    return (
      (down === 0 && (across === 1 || across === width - 1)) || (across === 0 && (down === 1 || down === height - 1))
    )
  })
}
