// Plug-ins from outside that are loaded in this thread, by the hash of their module's content. A specification names them by file and hash, so whoever has the
// specification finds exactly these, and no experiment sees those of another.
import * as library from "../../library.ts"
import type { PluginFile } from "../../model/experiment.ts"
import type { Host, Outside } from "../../model/host.ts"
import type { ArrivalsPlugin, PatternPlugin, SizesPlugin } from "../../model/plugin.ts"
import type { ProbePlugin } from "../../model/probe.ts"

const loaded = new Map<string, readonly library.AnyPlugin[]>()

export function remember(hash: string, plugins: readonly library.AnyPlugin[]): void {
  loaded.set(hash, plugins)
}

export function remembered(hash: string): readonly library.AnyPlugin[] | undefined {
  return loaded.get(hash)
}

/** The plug-ins that a specification names. One that is not loaded here is left out: its name is then not known. */
export function outsideOf(named: readonly PluginFile[] | undefined): Outside | undefined {
  if (named === undefined || named.length === 0) return undefined
  return { hashes: named.map((f) => f.hash), plugins: named.flatMap((f) => loaded.get(f.hash) ?? []) }
}

/** The host with the plug-ins that a specification names. */
export function bringing(host: Host, named: readonly PluginFile[] | undefined): Host {
  const outside = outsideOf(named)
  return outside === undefined ? host : { ...host, outside }
}

type Bringing = { readonly outside?: Outside | undefined }

function also<P extends library.AnyPlugin>(own: readonly P[], { outside }: Bringing, is: (p: library.AnyPlugin) => p is P): readonly P[] {
  return outside === undefined ? own : [...own, ...outside.plugins.filter(is)]
}

/** The library's lists and what the experiment brings. */
export function topologiesFor(host: Bringing): readonly library.AnyTopology[] {
  return also(library.topologies, host, (p): p is library.AnyTopology => p.kind === "topology")
}
export function routingsFor(host: Bringing): readonly library.AnyRouting[] {
  return also(library.routings, host, (p): p is library.AnyRouting => p.kind === "routing")
}
export function patternsFor(host: Bringing): readonly PatternPlugin<unknown>[] {
  return also(library.patterns, host, (p): p is PatternPlugin<unknown> => p.kind === "pattern")
}
export function arrivalsFor(host: Bringing): readonly ArrivalsPlugin<unknown>[] {
  return also(library.arrivals, host, (p): p is ArrivalsPlugin<unknown> => p.kind === "arrivals")
}
export function sizesFor(host: Bringing): readonly SizesPlugin<unknown>[] {
  return also(library.sizes, host, (p): p is SizesPlugin<unknown> => p.kind === "sizes")
}
export function probesFor(host: Bringing): readonly ProbePlugin<unknown>[] {
  return also(library.probes, host, (p): p is ProbePlugin<unknown> => p.kind === "probe")
}
