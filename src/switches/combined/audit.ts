// The audit of the combined switch: the counts of senders, output buffers, packet records, and the bits of virtual
// output queues.
import { lowest } from "../../core/bitset.ts"
import { type Complaint, complain } from "../../core/complaint.ts"
import { eachInChain, FLITS, STATE } from "../../fabric/packets.ts"
import {
  allHeads,
  BUG,
  conservationErrors,
  crossingCounts,
  inputCounts,
  onLinks,
  portName,
  recordComplaints,
} from "../parts/conservation.ts"
import { restAt, uncredited } from "./flit-credits.ts"
import type { CombinedState } from "./shared-state.ts"

/** Returns the VCs of output o that head packets own which wait for the crossbar. */
function waitingOwners({ site, ports, packetQueues, turns, queueOf }: CombinedState, o: number): number[] {
  const { radix: R, PS } = site.layout
  const bytes = new Uint8Array(site.columns.packets.buffer)
  const [r, local] = [ports.router[o], ports.local[o]]
  const owners: number[] = []
  for (let i = 0; i <= (ports.inputs > ports.count ? R : R - 1); i++) {
    const q = i < R ? r * PS + i : ports.count + r
    for (let m = turns!.allocated[q * R + local]; m !== 0; m &= m - 1) {
      const p = packetQueues.first(queueOf(q, local, lowest(m)))
      owners.push(bytes[((p + STATE) << 2) + 1])
    }
  }
  return owners
}

/**
 * Each VC of output o that has an owner has one: a head packet that waits for the crossbar, a packet that crosses, or
 * one whose last flits cross after its transfer (flit-credits.ts).
 */
function ownerErrors(f: CombinedState, o: number, t: number): Complaint[] {
  const { site, ports, turns } = f
  const { radix: R, PS } = site.layout
  const [r, local] = [ports.router[o], ports.local[o]]
  const owners = waitingOwners(f, o)
  for (let i = 0; i <= (ports.inputs > ports.count ? R : R - 1); i++) {
    const q = i < R ? r * PS + i : ports.count + r
    if (turns!.underWay[q] !== 0 && (turns!.underWay[q] - 1) >> 5 === local) owners.push(turns!.crossesTo[o])
    const rest = restAt(f.flitCredits, q, o)
    if (rest >= 0) owners.push(rest)
  }
  const mask = owners.reduce((all, v) => all | (1 << v), 0)
  if (new Set(owners).size === owners.length && mask === turns!.owned[o]) return []
  const says = `cycle ${t}: VCs ${turns!.owned[o].toString(2)} have an owner, owners have VCs ${owners.join(", ")}`
  return [complain(portName(site, o), says, BUG)]
}

/** The places in the buffer of output o: packets in it and on its link, and with a VC allocation stage its owners. */
function slotErrors(f: CombinedState, o: number, t: number): Complaint[] {
  const { site, levels, columns: c, packetQueues, turns } = f
  const { LV, vcs } = site.layout
  const bytes = new Uint8Array(site.columns.packets.buffer)
  const found = new Array<number>(vcs).fill(0)
  for (let level = 0; level < levels; level++)
    eachInChain(site.columns.packets, packetQueues.first(f.output.firstQueue + o * levels + level), (p) => {
      found[bytes[((p + STATE) << 2) + 1]]++
    })
  if (c["linkVc"][o] !== 0) found[c["linkVc"][o] - 1]++
  // A packet joins the queue of its output when it starts to cross, and is an owner until its tail has crossed.
  if (turns !== undefined) for (const v of waitingOwners(f, o)) found[v]++
  const counted = found.map((_, v) => c["slots"][(o << LV) + v])
  if (counted.join() === found.join()) return []
  const says = `cycle ${t}: output buffer: places of VCs are ${counted.join(", ")}, packets are ${found.join(", ")}`
  return [complain(portName(site, o), says, BUG)]
}

/** Returns the errors found in cycle t. `kept` is the number of records that endpoints hold. */
export function auditCombined(f: CombinedState, t: number, kept: number): Complaint[] {
  const { site, ports, levels, columns: c, packetQueues, p: params } = f
  const { layout: l, columns: a } = site
  const bytes = new Uint8Array(a.packets.buffer)
  const expected = onLinks(site)
  const bad = inputCounts(f, expected, t)
  const tail = params.release === "tail"
  for (let o = 0; o < ports.count; o++) {
    if (ports.wired[o] === 0) continue
    // A packet on the link still occupies the output buffer (releaseAtTail).
    let held = tail ? c["linkSends"][o] : 0
    for (let level = 0; level < levels; level++)
      eachInChain(a.packets, packetQueues.first(f.output.firstQueue + o * levels + level), (p) => {
        held += a.packets[p + FLITS]
        if (l.down[o] >= 0) expected[(o << l.LV) + bytes[((p + STATE) << 2) + 1]] += a.packets[p + FLITS]
      })
    if (held !== c["outHeld"][o])
      bad.push(
        complain(
          portName(site, o),
          `cycle ${t}: output buffer: ${c["outHeld"][o]} flits are counted, ${held} are found`,
          BUG,
        ),
      )
    if (params.outputPackets === undefined && held > params.output)
      bad.push(complain(portName(site, o), `cycle ${t}: ${held} flits in an output buffer of ${params.output}`, BUG))
    if (tail) crossingCounts(f, expected, o)
    if (f.flitCredits !== undefined && l.up[o] >= 0)
      for (let v = 0; v < l.vcs; v++) expected[l.up[o] + v] += uncredited(f.flitCredits, l.LV, o, v)
    if (f.turns !== undefined) bad.push(...ownerErrors(f, o, t))
    if (params.outputPackets !== undefined) bad.push(...slotErrors(f, o, t))
  }
  return [...bad, ...conservationErrors(site, expected, t), ...recordComplaints(site, allHeads(f), t, kept)]
}
