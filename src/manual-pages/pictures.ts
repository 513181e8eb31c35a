// Pictures for the pages of plug-ins: an example network of each topology, the paths of each routing, patterns as
// matrices, arrivals as marks in time, switches as stages. Random draws have fixed seeds, so pictures are reproducible.
import { compileNetwork } from "../compile/build-network.ts"
import { Draws } from "../core/rng.ts"
import { plainScale } from "../core/units.ts"
import { escapeHtml } from "../draw/report/html.ts"
import { draw } from "../draw/topology/svg.ts"
import { plan } from "../experiment/plan.ts"
import { readText } from "../experiment/text.ts"
import { pathsOf, routeReport } from "../inspect/route.ts"
import { buildTopology } from "../inspect/topology-build.ts"
import { commandOf } from "../inspect/topology-report.ts"
import { type AnyPlugin, arrivals, patterns } from "../library.ts"
import { hostOf } from "../model/host.ts"
import type { Topology } from "../model/topology.ts"
import { files, networkFor, networks } from "./examples.ts"
import { switchPicture } from "./switches.ts"

/** A picture with its caption. */
export interface Picture {
  readonly says: string
  /** true: a complete SVG, shown as an image; false: markup inside the page */
  readonly apart: boolean
  readonly svg: string
  /** the command that draws it */
  readonly command?: string
}

const host = hostOf(files)
const read = (path: string): string => files[path] ?? ""

/** Returns the picture of a plug-in; undefined for kinds without one, or if the example cannot be built. */
export function pictureOf(p: AnyPlugin): Picture | undefined {
  if (p.kind === "topology") return topologyPicture(p.name)
  if (p.kind === "routing") return routingPicture(p)
  if (p.kind === "switch") {
    return p.drawing === undefined
      ? undefined
      : {
          says: "The path from link to link: buffers are blue, data paths are green, arbiters are orange.",
          apart: false,
          svg: switchPicture(p.name, p.drawing),
        }
  }
  if (p.kind === "pattern") return patternPicture(p.name)
  return p.kind === "arrivals" ? arrivalsPicture(p.name) : undefined
}

/** Draws the example network of a topology. */
function topologyPicture(name: string): Picture | undefined {
  const raw = networks[name]
  const built = raw === undefined ? undefined : buildTopology(name, raw, { read })
  if (raw === undefined || built === undefined || "bad" in built) return undefined
  const title = commandOf(name, raw)
  const drawn = draw(built.ok.topology, title)
  if ("bad" in drawn) return undefined
  const { ends, routers } = built.ok.topology.graph
  return {
    says: `${title}: ${routers} routers, ${ends} endpoints.`,
    apart: true,
    svg: drawn.ok,
    command: `lacewing topology ${title} --export svg --out ${name}.svg`,
  }
}

/** maximum number of paths in a picture */
const most = 16

/** Draws the paths from endpoint 0 to one in the middle. */
function routingPicture(p: AnyPlugin): Picture | undefined {
  const { topology, raw, routing } = networkFor(p)
  const text = JSON.stringify({
    lacewing: 1,
    network: {
      topology: { name: topology, ...raw },
      routing: { name: p.name, ...routing },
      switch: { name: "input-queued", vcs: 8 },
    },
    traffic: { pattern: "uniform", load: 0.1 },
  })
  const file = readText(text, "example.json", host)
  const planned = "bad" in file ? file : plan(file.ok)
  if ("bad" in planned) return undefined
  const { spec } = planned.ok.runs[0]
  const network = compileNetwork(spec.network, 1, spec.seed, host, true)
  if ("bad" in network) return undefined
  const { graph } = network.ok.topology
  const to = Math.floor(0.55 * graph.ends)
  const report = routeReport(network.ok, 0, to, most)
  if ("bad" in report) return undefined
  const ways = pathsOf(report.ok)
  const title = `${p.name} on ${commandOf(topology, raw)}`
  const drawn = draw(network.ok.topology, p.name, ways)
  if ("bad" in drawn) return undefined
  const idle = ways.filter((w) => w.share > 0).length
  const count = `${report.ok.more ? "the first " : ""}${ways.length} ${ways.length === 1 ? "path" : "paths"}`
  const dashed = idle < ways.length ? `; ${idle} of them in an idle network, the others (dashed) only with queues` : ""
  return {
    says: `${title}: ${count} from endpoint 0 (ring) to endpoint ${to} (disc)${dashed}.`,
    apart: true,
    svg: drawn.ok,
  }
}

/** Parameters of patterns that have no defaults. */
export const patternRaw: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  fixed: { to: 5 },
  hotspot: { targets: [9, 40], share: 0.5 },
  incast: { senders: 8 },
  sinks: { sinks: 4, sources: 32 },
  "to-set": { set: "0-7" },
}

/** Draws the traffic matrix of 64 endpoints: rows send, columns receive, darker for more frequent. */
function patternPicture(name: string): Picture | undefined {
  const plugin = patterns.find((p) => p.name === name)
  const grouped = name === "group-adversarial"
  const built = grouped ? buildTopology("dragonfly", { p: 2, a: 4, h: 2 }) : buildTopology("torus", { sides: "8x8" })
  if (plugin === undefined || "bad" in built) return undefined
  const raw = patternRaw[name] ?? {}
  const params = plugin.params.parse(raw, "", plainScale)
  if ("bad" in params) return undefined
  const { topology } = built.ok
  const on = { topology: topology as Topology, vcs: 1, rng: new Draws(7), common: new Draws(8), read }
  if ((plugin.check?.(params.ok, on) ?? []).length > 0) return undefined
  const made = plugin.make(params.ok, on)
  if (made.script !== undefined) return undefined
  const { ends } = topology.graph
  const rng = new Draws(11)
  const draws = 64
  const [cell, pad] = [5, 26]
  // The square root makes shares of a few percent visible, but distinct from one half.
  const opacity = (share: number) => 0.2 + 0.8 * Math.sqrt(share)
  const marks: string[] = []
  for (let from = 0; from < ends; from++) {
    const hits = new Map<number, number>()
    for (let i = 0; i < draws; i++) {
      const to = made.dest(from, rng)
      if (to < 0) break
      hits.set(to, (hits.get(to) ?? 0) + 1)
    }
    for (const [to, n] of hits)
      marks.push(
        `<rect x="${pad + to * cell}" y="${pad + from * cell}" width="${cell}" ` +
          `height="${cell}" fill-opacity="${opacity(n / draws).toFixed(2)}"/>`,
      )
  }
  const size = ends * cell
  const says = `Traffic matrix on ${grouped ? "a dragonfly of 72" : "a torus of 64"} endpoints${
    Object.keys(raw).length > 0
      ? ` with ${Object.entries(raw)
          .map(([k, v]) => `${k} ${Array.isArray(v) ? v.join(", ") : String(v)}`)
          .join("; ")}`
      : ""
  }: rows send, columns receive, and darker cells are more frequent.`
  const svg =
    `<svg class="drawn small" role="img" aria-label="${escapeHtml(says)}" viewBox="0 0 ${size + pad + 8} ` +
    `${size + pad + 8}"><rect x="${pad}" y="${pad}" width="${size}" height="${size}" fill="var(--paper)" ` +
    `stroke="var(--grid)"/><g fill="var(--c0)">${marks.join("")}</g><text x="${pad}" y="16">to 0 … ` +
    `${ends - 1}</text><text transform="translate(16 ${pad + size}) rotate(-90)">from ${ends - 1} … ` +
    "0</text></svg>"
  return { says, apart: false, svg }
}

/** Draws the packets of six sources in 600 cycles at one packet in 25 cycles. */
function arrivalsPicture(name: string): Picture | undefined {
  const plugin = arrivals.find((p) => p.name === name)
  const built = buildTopology("crossbar", { n: 8 })
  if (plugin === undefined || "bad" in built) return undefined
  const params = plugin.params.parse({}, "", plainScale)
  if ("bad" in params) return undefined
  const [sources, cycles] = [6, 600]
  const made = plugin.make(params.ok, {
    topology: built.ok.topology,
    vcs: 1,
    rng: new Draws(7),
    common: new Draws(8),
    rate: 1 / 25,
  })
  const state = new Int32Array(8)
  const marks: string[] = []
  for (let from = 0; from < sources; from++) {
    const rng = new Draws(31 + from)
    let at = made.first(from, rng)
    for (let i = 0; i < 400 && at < cycles; i++) {
      marks.push(`<path d="M${(20 + at).toFixed(1)} ${14 + 24 * from}v14"/>`)
      at = made.next(from, at, rng, state, from)
    }
  }
  const says = `When six sources create packets in ${cycles} cycles, at one packet in 25 cycles on average.`
  const svg =
    `<svg class="drawn" role="img" aria-label="${escapeHtml(says)}" viewBox="0 0 ${cycles + 40} ` +
    `${24 * sources + 32}"><g stroke="var(--c0)" stroke-width="2">${marks.join("")}</g><path d="M20 ` +
    `${24 * sources + 8}h${cycles}" stroke="var(--muted)"/><text x="20" y="${24 * sources + 24}">cycle ` +
    `0</text><text x="${cycles + 20}" y="${24 * sources + 24}" text-anchor="end">${cycles}</text></svg>`
  return { says, apart: false, svg }
}
