// A small catalog for tests of the lab: names and parameters of real plug-ins, nothing to build.
import { choice, flits, int, type Schema, schema, text } from "../../src/core/schema.ts"
import { Catalog } from "../../src/experiment/catalog.ts"
import type { AnyPlugin } from "../../src/library.ts"
import type { Kind } from "../../src/model/plugin.ts"

function plugin(kind: Kind, name: string, params: Schema<unknown> = schema({}), aliases: string[] = []): AnyPlugin {
  return { kind, name, aliases, about: `${name} for tests`, params, make: () => ({}) }
}

export const small = new Catalog([
  plugin(
    "topology",
    "dragonfly",
    schema({ p: int({ about: "endpoints of a router", min: 1 }), a: int({ min: 1 }), h: int({ min: 1 }) }),
  ),
  plugin("topology", "graph", schema({ file: text({ about: "edge list" }) })),
  plugin("routing", "dragonfly.minimal"),
  plugin(
    "routing",
    "dragonfly.ugal-l",
    schema({ bias: flits({ about: "advantage of the minimal path", default: "0flits" }) }),
  ),
  plugin(
    "switch",
    "input-queued",
    schema({
      vcs: int({ about: "virtual channels", min: 1, max: 16, default: 4 }),
      buffer: flits({ default: "8flits" }),
    }),
  ),
  plugin("endpoint", "source"),
  plugin("pattern", "uniform"),
  plugin("pattern", "group-adversarial", schema({ offset: int({ default: 1 }) }), ["adversarial"]),
  plugin("arrivals", "bernoulli"),
  plugin("sizes", "fixed", schema({ size: text({ about: "size of each" }) })),
  plugin("probe", "series", schema({ of: choice(["load", "latency"], { default: "load" }) })),
])
