// The types of a custom plug-in: typed by its kind, with optional parameters.
import type { Schema } from "../../core/schema.ts"
import type { SwitchPlugin } from "../../fabric/switch-model.ts"
import type { Kit } from "../../kit.ts"
import type { workloads } from "../../library.ts"
import type { CongestionPlugin } from "../../model/congestion.ts"
import type { EndpointPlugin } from "../../model/endpoint.ts"
import type { ArrivalsPlugin, PatternPlugin, RoutingPlugin, SizesPlugin, TopologyPlugin } from "../../model/plugin.ts"
import type { ProbePlugin } from "../../model/probe.ts"
import type { SchedulerPlugin } from "../../model/scheduler.ts"

type Parameterless = Readonly<Record<never, never>>
/** Without parameters no schema is needed. */
type Open<Plugin, P> = Plugin extends unknown ? Omit<Plugin, "params"> & { readonly params?: Schema<P> } : never

/** The default export of a module that an experiment names under `plugins`: one of these, or a list of them. */
export type OutsidePlugin<P = Parameterless> = Open<
  | RoutingPlugin<P>
  | TopologyPlugin<P>
  | PatternPlugin<P>
  | ArrivalsPlugin<P>
  | SizesPlugin<P>
  | ProbePlugin<P>
  | CongestionPlugin<P>
  | SchedulerPlugin<P>
  | SwitchPlugin<P>
  | EndpointPlugin<P>
  | workloads.WorkloadPlugin<P>
  | workloads.TraceReaderPlugin<P>,
  P
>

/**
 * The other form of a default export: a function that receives the kit, so that the module needs no imports. The
 * parameters of its plug-ins differ, so their types are not known here.
 */
export type PluginFactory = (kit: Kit) => OutsidePlugin<never> | readonly OutsidePlugin<never>[]

/**
 * Gives a plug-in its type by its kind, so that an editor completes it. Export it by default from a module and name the
 * module under `plugins`.
 */
export function definePlugin<P = Parameterless>(plugin: OutsidePlugin<P>): OutsidePlugin<P> {
  return plugin
}
