// The variants of `lacewing arena`: one for each congestion control. The VCs of a variant follow from the declaration
// of the plug-in, so a custom plug-in takes part without a hand-written variant.
import { type Checked, complain } from "../core/complaint.ts"
import type { Scale } from "../core/units.ts"
import { isMap } from "../experiment/fields.ts"
import type { AnyCongestion } from "../library.ts"

type Tree = Readonly<Record<string, unknown>>

/**
 * Returns the settings with which a plug-in takes part in an experiment whose switch has `vcs` VCs for data: its own
 * VCs are added to these. `raw`: its parameters.
 */
export function arenaVariant(plugin: AnyCongestion, vcs: number, scale: Scale, raw: Tree = {}): Checked<Tree> {
  const given = { ...plugin.example, ...raw }
  const got = plugin.params.parse(given, plugin.name, scale)
  if ("bad" in got) return got
  const bad = plugin.check?.(got.ok, undefined) ?? []
  if (bad.length > 0) return { bad }
  const { classes = [], acknowledged } = plugin.make(got.ok, undefined)
  const own = classes.reduce((sum, c) => sum + c.vcs, 0)
  const parts = {
    ...(plugin.name === "none" ? {} : { congestion: { ...given, name: plugin.name } }),
    ...(own === 0 ? {} : { switch: { vcs: vcs + own } }),
    ...(acknowledged === true ? { endpoint: { ack: "1flit" } } : {}),
  }
  return { ok: Object.keys(parts).length === 0 ? {} : { network: parts } }
}

/** Returns the variants of the experiment, and one for each plug-in that none of them names. */
export function arenaVariants(
  tree: Tree,
  plugins: readonly AnyCongestion[],
  scale: Scale,
): Checked<Record<string, Tree>> {
  const variants = isMap(tree["variants"]) ? tree["variants"] : {}
  const named = new Set(Object.entries(variants).flatMap(([name, v]) => [name, congestionIn(v)]))
  const vcs = vcsIn(tree)
  const made: Record<string, Tree> = {}
  for (const [name, settings] of Object.entries(variants)) made[name] = isMap(settings) ? settings : {}
  for (const plugin of plugins) {
    if ([plugin.name, ...(plugin.aliases ?? [])].some((name) => named.has(name))) continue
    if (vcs === undefined)
      return { bad: [complain("network.switch.vcs", "is missing", "give the VCs for data, e.g. vcs: 4")] }
    const variant = arenaVariant(plugin, vcs, scale)
    if ("bad" in variant) return variant
    made[plugin.name] = variant.ok
  }
  return { ok: made }
}

function partOf(tree: unknown, key: string): unknown {
  return isMap(tree) ? tree[key] : undefined
}

function congestionIn(variant: unknown): string {
  const congestion = partOf(partOf(variant, "network"), "congestion")
  const name = isMap(congestion) ? congestion["name"] : congestion
  return typeof name === "string" ? name : ""
}

function vcsIn(tree: Tree): number | undefined {
  const vcs = partOf(partOf(tree["network"], "switch"), "vcs")
  return typeof vcs === "number" ? vcs : undefined
}
