// Custom plug-ins that are loaded in this thread, by the hash of their module. A specification names them by file and
// hash, so each experiment gets exactly its own plug-ins and never those of another.
import * as library from "../../library.ts"
import type { PluginFile } from "../../model/experiment.ts"
import type { Host, Outside } from "../../model/host.ts"
import type { ArrivalsPlugin, PatternPlugin, SizesPlugin } from "../../model/plugin.ts"
import type { ProbePlugin } from "../../model/probe.ts"
import {
  isArrivals,
  isCongestion,
  isEndpoint,
  isPattern,
  isProbe,
  isRouting,
  isScheduler,
  isSizes,
  isSwitch,
  isTopology,
  isWorkload,
} from "./kinds.ts"

const loaded = new Map<string, readonly library.AnyPlugin[]>()

export function remember(hash: string, plugins: readonly library.AnyPlugin[]): void {
  loaded.set(hash, plugins)
}

export function remembered(hash: string): readonly library.AnyPlugin[] | undefined {
  return loaded.get(hash)
}

/** Returns the plug-ins that a specification names. One that is not loaded is left out: its name is then unknown. */
export function outsideOf(named: readonly PluginFile[] | undefined): Outside | undefined {
  if (named === undefined || named.length === 0) return undefined
  return { hashes: named.map((f) => f.hash), plugins: named.flatMap((f) => loaded.get(f.hash) ?? []) }
}

/** Returns the host with the plug-ins that a specification names. */
export function bringing(host: Host, named: readonly PluginFile[] | undefined): Host {
  const outside = outsideOf(named)
  return outside === undefined ? host : { ...host, outside }
}

type Bringing = { readonly outside?: Outside | undefined }

function also<P extends library.AnyPlugin>(
  own: readonly P[],
  { outside }: Bringing,
  is: (p: library.AnyPlugin) => p is P,
): readonly P[] {
  return outside === undefined ? own : [...own, ...outside.plugins.filter(is)]
}

/** These return the library's lists and the custom plug-ins of the experiment. */
export function topologiesFor(host: Bringing): readonly library.AnyTopology[] {
  return also(library.topologies, host, isTopology)
}
export function routingsFor(host: Bringing): readonly library.AnyRouting[] {
  return also(library.routings, host, isRouting)
}
export function patternsFor(host: Bringing): readonly PatternPlugin<unknown>[] {
  return also(library.patterns, host, isPattern)
}
export function arrivalsFor(host: Bringing): readonly ArrivalsPlugin<unknown>[] {
  return also(library.arrivals, host, isArrivals)
}
export function sizesFor(host: Bringing): readonly SizesPlugin<unknown>[] {
  return also(library.sizes, host, isSizes)
}
export function congestionsFor(host: Bringing): readonly library.AnyCongestion[] {
  return also(library.congestions, host, isCongestion)
}
export function schedulersFor(host: Bringing): readonly library.AnyScheduler[] {
  return also(library.schedulers, host, isScheduler)
}
export function switchesFor(host: Bringing): readonly library.AnySwitch[] {
  return also(library.switches, host, isSwitch)
}
export function endpointsFor(host: Bringing): readonly library.AnyEndpoint[] {
  return also(library.endpoints, host, isEndpoint)
}
export function workloadsFor(host: Bringing): readonly library.workloads.WorkloadPlugin<unknown>[] {
  return also(library.programs, host, isWorkload)
}
export function probesFor(host: Bringing): readonly ProbePlugin<unknown>[] {
  return also(library.probes, host, isProbe)
}
