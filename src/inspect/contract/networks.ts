// Small networks for contract tests of custom plug-ins: those of the topologies that a plug-in supports, or a selection
// of very different ones.
import type { Outside } from "../../model/host.ts"

export interface NetworkName {
  readonly name: string
  readonly raw: Readonly<Record<string, unknown>>
}

/** Sides differ and links are doubled where a topology allows it, because mistakes show there. */
const small: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
  mesh: [{ sides: "4x3" }, { sides: "2x3x2", p: 2 }],
  torus: [{ sides: "5x4" }, { sides: "2x3x4" }],
  cmesh: [{ k: 4 }],
  butterfly: [{ k: 3, n: 2 }],
  tree: [{ k: 3, n: 2 }],
  hyperx: [{ sides: "4x3", p: 2 }],
  dragonfly: [
    { p: 1, a: 3, h: 1 },
    { p: 2, a: 2, h: 2, g: 3 },
  ],
  megafly: [{ groups: 3, leaves: 2, spines: 2, p: 1 }],
  slimfly: [{ q: 3, p: 1 }],
  fitfly: [{ q: 3, p: 1, rails: 2 }],
  crossbar: [{ n: 5 }],
  cascade: [{ groups: 2, rows: 2, columns: 2, p: 1 }],
  hypercube: [{ n: 3 }],
  xgft: [{ m: "4x3", w: "1x2" }],
  clos: [{ leaves: 3, spines: 2, p: 2 }],
  oft: [{ q: 2, p: 1 }],
  polarfly: [{ q: 3, p: 1 }],
  jellyfish: [{ routers: 12, r: 3, p: 1 }],
}

const named = (name: string, rawList: readonly Readonly<Record<string, unknown>>[]) =>
  rawList.map((raw) => ({ name, raw }))

/** `serves`: names of topologies, absent: any. Custom topologies are used with their defaults. */
export function networksFor(serves: readonly string[] | undefined, outside: Outside | undefined): NetworkName[] {
  if (serves === undefined)
    return ["mesh", "torus", "dragonfly", "jellyfish"].flatMap((name) => named(name, small[name].slice(0, 1)))
  return serves.flatMap((name) =>
    named(name, small[name] ?? (outside?.plugins.some((p) => p.name === name) === true ? [{}] : [])),
  )
}

/** Networks for traffic plug-ins: one with digits and 64 endpoints, one with groups. */
export const forTraffic: readonly NetworkName[] = [
  { name: "mesh", raw: { sides: "8x8" } },
  { name: "dragonfly", raw: { p: 2, a: 4, h: 2 } },
]

export function networkTitle({ name, raw }: NetworkName): string {
  return [name, ...Object.entries(raw).map(([k, v]) => `${k}=${String(v)}`)].join(" ")
}
