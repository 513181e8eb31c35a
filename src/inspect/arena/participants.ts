// The participants of the arena: one for each congestion control. The VCs of a participant follow from the declaration
// of its plug-in and from the routing, so a custom plug-in takes part without a hand-written variant.
import { type Checked, complain } from "../../core/complaint.ts"
import type { Scale } from "../../core/units.ts"
import { isMap } from "../../experiment/fields.ts"
import { listOf } from "../../experiment/gather.ts"
import { type AnyCongestion, patterns } from "../../library.ts"
import type { divideVcs } from "../../model/vc-plan.ts"
import { ALONE } from "./standings.ts"

type Tree = Readonly<Record<string, unknown>>

/** The network of a scenario, without the VCs of participants. */
export interface ArenaNetwork {
  /** VCs of its switch, which are all for data */
  readonly vcs: number
  /** VCs that the routing needs for data, and for minimal paths */
  readonly needs: number
  readonly direct: number
}

/** A participant with its plug-in and the parameters of it; absent: no congestion control has this name. */
export interface Participant {
  readonly name: string
  readonly settings: Tree
  readonly plugin?: AnyCongestion
  readonly raw?: Tree
}

export interface Field {
  readonly participants: readonly Participant[]
  /** those that cannot take part, and why */
  readonly left: readonly { readonly name: string; readonly says: string }[]
}

/** Returns the settings with which a plug-in takes part. `raw`: its parameters. */
export function arenaVariant(plugin: AnyCongestion, on: ArenaNetwork, scale: Scale, raw: Tree = {}): Checked<Tree> {
  let given = { ...plugin.example, ...raw }
  let got = plugin.params.parse(given, plugin.name, scale)
  if ("bad" in got) return got
  const classes = () => ("ok" in got ? (plugin.make(got.ok, undefined).classes ?? []) : [])
  // Classes that may take detours need as many VCs as data, where the plug-in has a key for their number.
  if (classes().some((c) => !c.direct && c.vcs < on.needs) && Object.hasOwn(plugin.params.fields, "vcs")) {
    given = { ...given, vcs: on.needs }
    got = plugin.params.parse(given, plugin.name, scale)
    if ("bad" in got) return got
  }
  const bad = plugin.check?.(got.ok, undefined) ?? []
  if (bad.length > 0) return { bad }
  const { acknowledged } = plugin.make(got.ok, undefined)
  const own = ownVcs(classes(), on)
  const parts = {
    ...(plugin.name === "none" ? {} : { congestion: { name: plugin.name, ...given } }),
    ...(own === 0 ? {} : { switch: { vcs: on.vcs + own } }),
    ...(acknowledged === true ? { endpoint: { ack: "1flit" } } : {}),
  }
  return { ok: Object.keys(parts).length === 0 ? {} : { network: parts } }
}

/** Returns the VCs of the classes of a protocol if data has those of the network. */
function ownVcs(classes: Parameters<typeof divideVcs>[0], { vcs, direct }: ArenaNetwork): number {
  const sum = (all: typeof classes) => all.reduce((n, c) => n + c.vcs, 0)
  const wide = classes.filter((c) => c.direct && c.vcs < direct)
  return sum(classes) - sum(wide) + wide.length * vcs
}

/**
 * Returns the participants: the variants of the experiment, those of `more` (the fragment of a file), and one for each
 * plug-in of `joining` without such a variant. A variant without VCs gets those that its plug-in needs.
 */
export function fieldOf(
  tree: Tree,
  more: Tree,
  plugins: readonly AnyCongestion[],
  on: ArenaNetwork,
  scale: Scale,
  joining: readonly AnyCongestion[] = plugins,
): Checked<Field> {
  const written = { ...mapOf(more["variants"]), ...mapOf(tree["variants"]) }
  const hot = hotEndpoints(tree, scale)
  const left: { name: string; says: string }[] = []
  const participants: Participant[] = Object.hasOwn(written, ALONE) ? [] : quiet(tree)
  const absent = joining.filter((p) => ![p.name, ...(p.aliases ?? [])].some((name) => Object.hasOwn(written, name)))
  for (const plugin of absent) {
    if (plugin.known !== undefined && hot.length === 0) {
      left.push({ name: plugin.name, says: "no endpoint is known to be hot in advance" })
      continue
    }
    const raw = plugin.known?.(hot) ?? {}
    const variant = arenaVariant(plugin, on, scale, raw)
    if ("bad" in variant) return variant
    participants.push({ name: plugin.name, settings: variant.ok, plugin, raw })
  }
  for (const [name, settings] of Object.entries(written)) {
    const made = completed(name, mapOf(settings), plugins, on, scale)
    if ("bad" in made) return made
    participants.push(made.ok)
  }
  return { ok: { participants, left } }
}

/** Adds to a variant what its congestion control needs and it does not set. */
function completed(
  name: string,
  settings: Tree,
  plugins: readonly AnyCongestion[],
  on: ArenaNetwork,
  scale: Scale,
): Checked<Participant> {
  const network = mapOf(settings["network"])
  const { name: called, ...raw } = mapOf(network["congestion"])
  const plugin = plugins.find((p) => [p.name, ...(p.aliases ?? [])].includes(String(called ?? congestionIn(settings))))
  if (plugin === undefined) return { ok: { name, settings } }
  const got = arenaVariant(plugin, on, scale, raw)
  if ("bad" in got) return { bad: got.bad.map((c) => ({ ...c, path: `variants.${name}.network.congestion` })) }
  const needed = mapOf(got.ok["network"])
  const parts = { ...needed, ...network, congestion: needed["congestion"] ?? network["congestion"] }
  const both = (key: string) => {
    const merged = { ...mapOf(needed[key]), ...mapOf(network[key]) }
    return Object.keys(merged).length === 0 ? {} : { [key]: merged }
  }
  return {
    ok: { name, settings: { ...settings, network: { ...parts, ...both("switch"), ...both("endpoint") } }, plugin, raw },
  }
}

/** Returns the reference without hot flows; none if the scenario has no victims next to them. */
function quiet(tree: Tree): Participant[] {
  const streams = listOf(tree["traffic"]).map((t) => mapOf(t)["name"])
  const hot = streams.indexOf("hot")
  return hot < 0 || !streams.includes("victims") ? [] : [{ name: ALONE, settings: { [`traffic.${hot}.load`]: 0 } }]
}

/** Returns the endpoints that the hot stream names as its receivers, as its pattern reads them. */
function hotEndpoints(tree: Tree, scale: Scale): readonly number[] {
  const stream = listOf(tree["traffic"])
    .map(mapOf)
    .find((t) => t["name"] === "hot")
  const given = mapOf(stream?.["pattern"])
  const key = ["to", "set", "sinks"].find((name) => given[name] !== undefined)
  const pattern = patterns.find((p) => p.name === given["name"])
  if (key === undefined || pattern === undefined) return []
  const got = pattern.params.fields[key]?.parse(given[key], key, scale)
  return got !== undefined && "ok" in got && Array.isArray(got.ok) ? got.ok : []
}

export function mapOf(value: unknown): Tree {
  return isMap(value) ? value : {}
}

function congestionIn(variant: unknown): string {
  const congestion = mapOf(mapOf(variant)["network"])["congestion"]
  const name = isMap(congestion) ? congestion["name"] : congestion
  return typeof name === "string" ? name : ""
}

/** Returns the VCs of the switch of an experiment, which participants add theirs to. */
export function dataVcsOf(tree: Tree): Checked<number> {
  const vcs = mapOf(mapOf(tree["network"])["switch"])["vcs"]
  return typeof vcs === "number"
    ? { ok: vcs }
    : { bad: [complain("network.switch.vcs", "is missing", "give the VCs for data, e.g. vcs: 4")] }
}
