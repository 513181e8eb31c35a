// The type of a plug-in follows from its kind. These guards are the only place that says so.
import type {
  AnyCongestion,
  AnyEndpoint,
  AnyPlugin,
  AnyRouting,
  AnyScheduler,
  AnySwitch,
  AnyTopology,
  workloads,
} from "../../library.ts"
import type { ArrivalsPlugin, PatternPlugin, SizesPlugin } from "../../model/plugin.ts"
import type { ProbePlugin } from "../../model/probe.ts"

export const isTopology = (p: AnyPlugin): p is AnyTopology => p.kind === "topology"
export const isRouting = (p: AnyPlugin): p is AnyRouting => p.kind === "routing"
export const isPattern = (p: AnyPlugin): p is PatternPlugin<unknown> => p.kind === "pattern"
export const isArrivals = (p: AnyPlugin): p is ArrivalsPlugin<unknown> => p.kind === "arrivals"
export const isSizes = (p: AnyPlugin): p is SizesPlugin<unknown> => p.kind === "sizes"
export const isProbe = (p: AnyPlugin): p is ProbePlugin<unknown> => p.kind === "probe"
export const isCongestion = (p: AnyPlugin): p is AnyCongestion => p.kind === "congestion"
export const isScheduler = (p: AnyPlugin): p is AnyScheduler => p.kind === "qos"
export const isSwitch = (p: AnyPlugin): p is AnySwitch => p.kind === "switch"
export const isEndpoint = (p: AnyPlugin): p is AnyEndpoint => p.kind === "endpoint"
export const isWorkload = (p: AnyPlugin): p is workloads.WorkloadPlugin<unknown> => p.kind === "workload"
export const isReader = (p: AnyPlugin): p is workloads.TraceReaderPlugin<unknown> => p.kind === "trace"

/** Returns the plug-in with the type of its kind; another kind is a mistake of the program. */
export function only<P extends AnyPlugin>(plugin: AnyPlugin, is: (p: AnyPlugin) => p is P): P {
  if (is(plugin)) return plugin
  throw new Error(`"${plugin.name}" is of kind ${plugin.kind}`)
}
