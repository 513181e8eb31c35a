// Limits of the packet engine: times that would overflow, links without look-ahead, more workers than routers, too many
// chunks per VC.
import { type Complaint, complain } from "../../core/complaint.ts"
import type { PacketEngineParams } from "../../experiment/engines.ts"
import { slowestByte } from "./byte-time.ts"
import { linkTimes, type PacketNetwork } from "./machine.ts"

/** Maximum delay in ps; longer ones do not fit into times since an epoch. */
const LONGEST = 2 ** 28
/** Maximum time in ps to send what waits for one channel: a departure may be that far ahead. */
const LONGEST_QUEUE = 2 ** 30

/** Returns complaints about a network that exceeds the limits of the packet engine. */
export function unfit(n: PacketNetwork, engine: PacketEngineParams): Complaint[] {
  const { routers, rails } = n.topology.graph
  const bad = [...unknownClasses(n), ...overflowing(n)]
  if (bad.length === 0) bad.push(...instant(n))
  if (engine.workers !== undefined && engine.workers > routers)
    bad.push(
      complain(
        "engine.workers",
        `there are ${engine.workers} workers for ${routers} routers`,
        `set it to at most ${routers}`,
      ),
    )
  if (rails > 1 && n.chunk.buffer / n.chunk.chunk > 500)
    bad.push(
      complain(
        "network.switch.buffer",
        "one VC has more than 500 chunks, which several rails do not support",
        "choose smaller buffers or larger chunks",
      ),
    )
  return bad
}

/** Checks the classes whose bandwidth is given. */
function unknownClasses({ chunk, topology }: PacketNetwork): Complaint[] {
  const { classes } = topology.graph
  const cut = chunk.switching === "cut-through" && Object.keys(chunk.rates).length > 0
  const differ = complain(
    "network.switch.rates",
    "a chunk that cuts through would leave a fast link before it has arrived from a slow one",
    "leave it out, or set switching: store-and-forward",
  )
  return [
    ...Object.keys(chunk.rates).flatMap((name) =>
      classes.includes(name)
        ? []
        : [
            complain(
              `network.switch.rates.${name}`,
              `${topology.name} has no links of this class`,
              `choose among ${classes.join(", ")}`,
            ),
          ],
    ),
    ...(cut ? [differ] : []),
  ]
}

/** Checks for overflow, before anything is rounded to 32 bits. */
function overflowing(n: PacketNetwork): Complaint[] {
  const { chunk, rails, cycle } = n
  const { graph } = n.topology
  const link = graph.latency.reduce((a, b) => Math.max(a, b), 0) * cycle
  const end = graph.entryLatency.reduce((a, b) => Math.max(a, b), 0) * cycle
  const whole = chunk.chunk * slowestByte(n)
  const wire = Math.max(link, end) + (chunk.propagation === "chunk" ? whole : 0)
  const times: readonly [path: string, what: string, ps: number][] = [
    ["network.switch.bandwidth", "sending a chunk", whole],
    ["network.switch.delay", "a router", chunk.delay],
    ["network.switch.credit", "a credit", chunk.credit + chunk.creditSize * slowestByte(n)],
    ["network.endpoint.nic", "an endpoint's interface", rails.nic],
    ["network.links", "a chunk over the longest link", whole + chunk.delay + wire],
  ]
  const queues: typeof times = [
    ["network.switch.buffer", "sending the full buffers of a port", chunk.vcs * chunk.buffer * slowestByte(n)],
    ["network.endpoint.queue", "sending the full queue of an endpoint", rails.queue * slowestByte(n)],
  ]
  const overflow = (of: typeof times, longest: number) =>
    of
      .filter(([, , ps]) => ps > longest)
      .map(([path, what, ps]) =>
        complain(
          path,
          `${what} takes ${(ps / 1e9).toPrecision(3)} ms: times overflow`,
          `keep each below ${(longest / 1e9).toPrecision(2)} ms`,
        ),
      )
  return [...overflow(times, LONGEST), ...overflow(queues, LONGEST_QUEUE)].slice(0, 1)
}

/**
 * Without a delay between two routers there is no look-ahead: no worker could run ahead of another, and the order of
 * events would be undefined.
 */
function instant(n: PacketNetwork): Complaint[] {
  const { topology } = n
  const { graph } = topology
  const zero = linkTimes(n).credit.findIndex((t, c) => t <= 0 && graph.far[c] !== -1)
  if (zero < 0) return []
  const router = graph.routerOf[zero]
  const channel = `channel ${zero - graph.firstChan[router]} of router ${router} (${topology.label(router)})`
  return [
    complain(
      "network.switch.credit",
      `credits of ${channel} take no time, so there is no lookahead between it and its neighbour`,
      "set credit to at least 1ps, or give the links a latency",
    ),
  ]
}
