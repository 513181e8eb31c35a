// A plug-in as somebody outside writes it: typed by its kind, parameters optional.
import type { Schema } from "../../core/schema.ts"
import type { ArrivalsPlugin, PatternPlugin, RoutingPlugin, SizesPlugin, TopologyPlugin } from "../../model/plugin.ts"
import type { ProbePlugin } from "../../model/probe.ts"

type Parameterless = Readonly<Record<never, never>>
/** Without parameters there is no schema to write. */
type Open<Plugin, P> = Plugin extends unknown ? Omit<Plugin, "params"> & { readonly params?: Schema<P> } : never

/** What a module that an experiment names under `plugins` exports by default: one of these, or a list of them. */
export type OutsidePlugin<P = Parameterless> = Open<
  RoutingPlugin<P> | TopologyPlugin<P> | PatternPlugin<P> | ArrivalsPlugin<P> | SizesPlugin<P> | ProbePlugin<P>,
  P
>

/** Gives a plug-in its type by its kind, so that an editor completes it; `export default` it from a module and name that under `plugins`. */
export function definePlugin<P = Parameterless>(plugin: OutsidePlugin<P>): OutsidePlugin<P> {
  return plugin
}
