// Binds a plug-in to its parsed parameters. Only the plug-in knows the type of its parameters, so everything that needs
// them is closed over here, and callers need no cast. The lists of the library are typed by what their plug-ins make
// and what they are made on.
import { type Checked, type Complaint, complain } from "../core/complaint.ts"
import type { Scale } from "../core/units.ts"
import type { AnyRouting, AnyTopology } from "../library.ts"
import type { Ability } from "../model/abilities.ts"
import type { Named } from "../model/experiment.ts"
import type { BuildSite, Plugin, RoutingPlugin, Site, TopologyPlugin } from "../model/plugin.ts"
import type { RoutingFunction } from "../model/routing.ts"
import type { Topology } from "../model/topology.ts"
import { find, prefixed } from "./find.ts"

/** A plug-in with parameters, for messages and for the abilities that others need of it. */
export interface Asking {
  readonly name: string
  readonly needs: readonly Ability[]
}

export interface Bound<Made, On> extends Asking, Pick<Plugin<unknown, Made, On>, "can" | "conditions" | "params"> {
  /** Returns complaints with complete paths. */
  check(on: On): Complaint[]
  make(on: On): Made
}

/** Returns the plug-in with this name, bound to these parameters. */
export function bind<Made, On>(
  among: readonly Plugin<unknown, Made, On>[],
  named: Named,
  path: string,
  scale: Scale,
): Checked<Bound<Made, On>> {
  const found = find(among, named, path, scale)
  return "bad" in found ? found : { ok: bound(found.ok.plugin, found.ok.params, path) }
}

function bound<P, Made, On>(plugin: Plugin<P, Made, On>, params: P, path: string): Bound<Made, On> {
  const { name, can, conditions, params: schema } = plugin
  return {
    name,
    params: schema,
    needs: plugin.needs?.(params) ?? [],
    ...(can === undefined ? {} : { can }),
    ...(conditions === undefined ? {} : { conditions }),
    check: (on) => prefixed(path, plugin.check?.(params, on) ?? []),
    make: (on) => plugin.make(params, on),
  }
}

export interface BoundTopology extends Bound<Topology, BuildSite> {
  size(): ReturnType<TopologyPlugin<unknown>["size"]>
}

export function bindTopology(
  among: readonly AnyTopology[],
  named: Named,
  path: string,
  scale: Scale,
): Checked<BoundTopology> {
  const found = find(among, named, path, scale)
  if ("bad" in found) return found
  const { plugin, params } = found.ok
  return { ok: { ...bound(plugin, params, path), size: () => plugin.size(params) } }
}

/** A routing with its parameters; the topology is still open. */
export interface BoundRouting extends Asking {
  /** Returns the routing on a topology, or a complaint that names the routings that would serve it. */
  on(topology: Topology): Checked<RoutingOn>
}

/** A routing with its parameters on a topology that it serves. */
export interface RoutingOn {
  readonly name: string
  readonly scratch: number
  readonly candidates: number
  /** false: it declares that it never reads queues */
  readonly adaptive: boolean
  readonly oracle: boolean
  readonly direct?: number
  /** VCs of a class that it declares as necessary */
  readonly vcs: number
  /** Returns complaints with complete paths. */
  check(site: RoutingSite): Complaint[]
  make(site: RoutingSite): RoutingFunction
}

export type RoutingSite = Omit<Site, "topology">

export function bindRouting(
  among: readonly AnyRouting[],
  named: Named,
  path: string,
  scale: Scale,
): Checked<BoundRouting> {
  const found = find(among, named, path, scale)
  if ("bad" in found) return found
  const { plugin, params } = found.ok
  const needs = plugin.needs?.(params) ?? []
  return {
    ok: {
      name: plugin.name,
      needs: plugin.oracle === true ? [...needs, "farQueues"] : needs,
      on: (topology) =>
        serves(plugin, topology)
          ? { ok: routingOn(plugin, params, topology, path) }
          : { bad: [unserved(plugin, topology, among, path)] },
    },
  }
}

/** A topology with the name that a routing declares has the type that the routing is written for. */
function serves<T extends Topology>(
  { topologies }: Pick<RoutingPlugin<unknown, T>, "topologies">,
  topology: Topology,
): topology is T {
  return topologies === undefined || topologies.includes(topology.name)
}

function unserved(
  { name, topologies = [] }: AnyRouting,
  topology: Topology,
  among: readonly AnyRouting[],
  path: string,
): Complaint {
  const others = among.filter((r) => serves(r, topology)).map((r) => r.name)
  return complain(
    `${path}.name`,
    `"${name}" supports ${topologies.join(" and ")}, but the topology is ${topology.name}`,
    `choose one of ${others.join(", ")}`,
  )
}

/** `topology`: of the type that the routing is written for (`serves`). */
export function routingOn<P, T extends Topology>(
  plugin: RoutingPlugin<P, T>,
  params: P,
  topology: T,
  path: string,
): RoutingOn {
  const { name, scratch = 0, candidates = 1, adaptive = true, oracle = false, direct } = plugin
  return {
    name,
    scratch,
    candidates,
    adaptive,
    oracle,
    ...(direct === undefined ? {} : { direct }),
    vcs: plugin.vcs(params, topology),
    check: (site) => prefixed(path, plugin.check?.(params, { ...site, topology }) ?? []),
    make: (site) => plugin.make(params, { ...site, topology }),
  }
}
