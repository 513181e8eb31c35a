// Reference runs of htsim (the Ultra Ethernet fork, uet-htsim) as lacewing reads them: one JSON object for each
// scenario, with its flows and the flow times of each seed. The files are not part of the package; `lacewing validate
// htsim` reads every .jsonl file of the folder ../shared/reference/htsim.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** Source, destination, start in microseconds, bytes. */
export type HtsimFlow = readonly [src: number, dst: number, start: number, bytes: number]

export interface Scenario {
  readonly id: string
  /** the protocol, such as nscc */
  readonly cc: string
  readonly kind: string
  readonly topology: {
    readonly shape: string
    readonly hosts: number
    readonly tiers: number
    readonly hostsPerLeaf: number
  }
  readonly gbps: number
  readonly hop_ns: number
  readonly mtu: number
  readonly flows: readonly HtsimFlow[]
  /** for each seed: the time of each flow from its start, and the end of the last one, in microseconds */
  readonly runs: readonly { readonly seed: number; readonly fct_us: readonly number[]; readonly last_us: number }[]
}

/** Returns the scenarios of all files in a folder, undefined if it has none. */
export function readScenarios(folder: string): Scenario[] | undefined {
  if (!existsSync(folder)) return undefined
  const files = readdirSync(folder).filter((name) => name.endsWith(".jsonl"))
  if (files.length === 0) return undefined
  return files.sort().flatMap((name) => parseScenarios(readFileSync(join(folder, name), "utf8")))
}

export function parseScenarios(text: string): Scenario[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as Scenario)
}

/** Bytes of a packet besides its header, and of the header. */
export const HEADER = 64

/**
 * Returns the bytes that a flow sends, headers included. The programs of UEC and EQDS send packets of `mtu` bytes that include the
 * header; the others add the header to `mtu` bytes.
 */
export function wireBytes({ cc, mtu }: Scenario, bytes: number): number {
  const payload = headerInside(cc) ? mtu - HEADER : mtu
  return bytes + HEADER * Math.ceil(bytes / payload)
}

/** Bytes of the longest packet, header included. */
export function packetBytes({ cc, mtu }: Scenario): number {
  return headerInside(cc) ? mtu : mtu + HEADER
}

const headerInside = (cc: string): boolean => !["pfc", "hpcc", "ndp"].includes(cc)

/** Returns the flows as a connection matrix of htsim, with headers in the bytes. */
export function connections(s: Scenario): string {
  const lines = s.flows.map(
    ([src, dst, start, bytes]) => `${src}->${dst} start ${Math.trunc(start)} size ${wireBytes(s, bytes)}`,
  )
  return [`Nodes ${s.topology.hosts}`, `Connections ${s.flows.length}`, ...lines, ""].join("\n")
}

/** Returns the number of links between two endpoints. */
export function linksBetween({ topology: t }: Scenario, src: number, dst: number): number {
  const leaf = (e: number) => Math.floor(e / t.hostsPerLeaf)
  if (leaf(src) === leaf(dst)) return 2
  // a pod of a network with three tiers has as many leaves as a leaf has hosts
  const pod = (e: number) => Math.floor(leaf(e) / t.hostsPerLeaf)
  return t.tiers === 2 || pod(src) === pod(dst) ? 4 : 6
}

/** Returns the microseconds that the last acknowledgement of a flow takes back to its sender in an idle network. */
export function returnTime(s: Scenario, src: number, dst: number): number {
  return linksBetween(s, src, dst) * (s.hop_ns / 1000 + (8 * HEADER) / (1000 * s.gbps))
}

/**
 * Returns the bandwidth-delay product of the farthest pair in bytes, as htsim computes it: all links twice, and the
 * time to send a packet and a header on each link of one direction.
 */
export function product({ topology, gbps, hop_ns, mtu }: Scenario): number {
  const links = 2 * topology.tiers
  return 2 * links * hop_ns * (gbps / 8) + links * (mtu + HEADER)
}
