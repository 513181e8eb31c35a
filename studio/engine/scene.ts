// Converts a topology into the data that the page draws.
import { placesOf } from "../../src/draw/topology/places.ts"
import type { Topology } from "../../src/model/topology.ts"
import type { Scene } from "../shared/messages.ts"

export function sceneOf(topology: Topology, vcs: number): Scene {
  const { graph, group } = topology
  const { kind, x, y, out, step, rings, straight } = placesOf(topology)
  const farRouter = Int32Array.from(graph.far, (far) => (far >= 0 ? graph.routerOf[far] : far))
  return {
    ...{ routers: graph.routers, ends: graph.ends, chans: graph.chans, vcs, kind, x, y, out, step, rings },
    group: group?.slice(),
    routerOf: graph.routerOf.slice(),
    firstChan: graph.firstChan.slice(),
    farRouter,
    linkClass: graph.linkClass.slice(),
    classes: graph.classes,
    labels: Array.from({ length: graph.routers }, (_, r) => topology.label(r)),
    straight: Uint8Array.from(farRouter, (far, c) => (far < 0 || straight(graph.routerOf[c], far) ? 1 : 0)),
  }
}
