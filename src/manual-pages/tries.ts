// The experiments of *Run it here*: for a plug-in a small network that contains it, as a text to start from. A plug-in
// whose example is not valid has none.
import { stringify } from "yaml"
import { complaintsOf } from "../experiment/cross-checks.ts"
import { plan } from "../experiment/plan.ts"
import { readText } from "../experiment/text.ts"
import type { AnyPlugin } from "../library.ts"
import { hostOf } from "../model/host.ts"
import { prepare } from "../run/open.ts"
import { files, networkFor, networks } from "./examples.ts"
import { patternRaw } from "./pictures.ts"

export interface Try {
  readonly text: string
  /** files that the text names */
  readonly files: Readonly<Record<string, string>>
}

type Raw = Readonly<Record<string, unknown>>

const dragonfly = { topology: { name: "dragonfly", p: 2, a: 4, h: 2 }, routing: "dragonfly.minimal" }
const torus = { topology: { name: "torus", sides: "8x8" }, routing: "torus.dimension-order" }

/** Returns the first valid example of a plug-in. */
export function tryOf(p: AnyPlugin): Try | undefined {
  for (const raw of candidates(p)) {
    const text = stringify({ lacewing: 1, title: `${p.name}, a ${p.kind}`, ...raw })
    const named = Object.fromEntries(Object.entries(files).filter(([name]) => text.includes(name)))
    if (accepted(text, named)) return { text, files: named }
  }
  return undefined
}

/** Returns experiments that show a plug-in, the best first. */
function candidates(p: AnyPlugin): Raw[] {
  const traffic = { pattern: "uniform", packet: "4flits", load: 0.3 }
  const measure = { limit: "50kcycles" }
  const of = (network: Raw, more: Raw = {}): Raw => ({ network, traffic, measure, ...more })
  if (p.kind === "topology") {
    const topology = { name: p.name, ...networks[p.name] }
    const routings = [
      `${p.name}.minimal`,
      `${p.name}.dimension-order`,
      "slimfly.minimal",
      "any.shortest",
      "any.up-down",
      "tree.nearest-ancestor",
    ]
    return [...routings, `${p.name}.destination-tag`, `${p.name}.direct`].flatMap((routing) =>
      [4, 8].map((vcs) => of({ topology, routing, switch: { name: "input-queued", vcs } })),
    )
  }
  if (p.kind === "routing") {
    const { topology, raw, routing } = networkFor(p)
    const network = { topology: { name: topology, ...raw }, routing: { name: p.name, ...routing } }
    const bubble = { name: "input-queued", vcs: 1, flow: "cut-through", buffer: "16flits" }
    return [{ name: "input-queued", vcs: 4 }, { name: "input-queued", vcs: 8 }, bubble].map((sw) =>
      of({ ...network, switch: sw }),
    )
  }
  if (p.kind === "switch")
    return [
      of({ ...dragonfly, switch: p.name }),
      of({ ...dragonfly, switch: p.name }, { engine: "packet" }),
      // routers of eight ports, in tiles of two by two
      of({ ...dragonfly, topology: { ...dragonfly.topology, p: 3 }, switch: p.name }),
    ]
  if (p.kind === "pattern") {
    const pattern = { name: p.name, ...patternRaw[p.name] }
    return [p.name === "group-adversarial" ? dragonfly : torus].map((network) =>
      of(network, { traffic: { ...traffic, pattern } }),
    )
  }
  if (p.kind === "arrivals") return [of(torus, { traffic: { ...traffic, arrivals: p.name } })]
  return p.kind === "probe" ? [of(dragonfly, { probes: [p.name] })] : []
}

/** Returns true if the experiment is valid and its networks can be built. */
function accepted(text: string, named: Try["files"]): boolean {
  const host = hostOf(named)
  const file = readText(text, "try.yaml", host)
  const planned = "bad" in file ? file : plan(file.ok)
  return "ok" in planned && complaintsOf(planned.ok.runs, host, { prepare }).length === 0
}
