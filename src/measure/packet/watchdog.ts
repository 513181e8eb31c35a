// The deadlock and no-progress watchdog of the packet engine. It compares the flits sent on all channels between
// samples, and searches the wait-for graph of the chunks for a cyclic dependency. Times are cycles. The classification
// is in engines/verdict.ts, the schedule in measure/progress-watchdog.ts; clocked/watchdog.ts is the same for
// the clocked engines.
import { capacities, linkTimes, type PacketNetwork } from "../../compile/packet/machine.ts"
import { bitsFor } from "../../core/bitset.ts"
import { type Blocker, type Diagnosis, diagnose, type Place, type Waiter, type Waits } from "../../engines/diagnose.ts"
import { classifyStall, stallLimitOf, type Verdict } from "../../engines/verdict.ts"
import { WAIT } from "../../model/events.ts"
import { channelLabel } from "../channel-label.ts"
import { ProgressWatchdog, type Seen } from "../progress-watchdog.ts"
import type { PacketSimulation } from "./simulation.ts"

/** One sample: flits sent on each channel, and chunks that wait in the network. */
export interface Sent extends Seen {
  readonly sent: Uint32Array
  readonly underWay: number
}

/** Returns the watchdog of a simulation. */
export function packetWatchdog(
  run: PacketSimulation,
  network: PacketNetwork,
  now: () => number,
): ProgressWatchdog<Sent> {
  const { chunk, cycle } = network

  function see(): Sent {
    return { at: now(), sent: run.sent(), underWay: Math.max(0, run.inUse() - run.pending()) }
  }

  function judge(since: Sent, patience: number): Verdict {
    const rows = run.waits()
    if (rows.length === 0) return { kind: "moves" }
    const { at, sent, underWay } = see()
    const cycles = at - since.at
    let moved = 0
    for (let c = 0; c < sent.length; c++) moved += sent[c] - since.sent[c]
    const found = cycles < patience ? undefined : diagnosisOf(network, rows, cycles)
    // Chunks in flight are events: all of them arrive within the no-progress limit, so none are reported as on links.
    const standing = { underWay, waiting: rows.length / WAIT.words, onLinks: 0, timers: 0 }
    return classifyStall(
      found?.kind === "deadlock" ? { ...standing, circle: found.words } : standing,
      { cycles, moved, before: since.underWay > 0 },
      patience,
    )
  }

  const { after, credit, full } = linkTimes(network)
  const most = (times: Int32Array) => times.reduce((a, b) => Math.max(a, b), 0)
  // A chunk counts as sent when it joins its output queue, and may stay there until all chunks before it have left.
  const queue = Math.ceil(chunk.buffer / chunk.chunk) * chunk.vcs * most(full)
  return new ProgressWatchdog(stallLimitOf((most(after) + most(credit)) / cycle, (2 * queue) / cycle), { see, judge })
}

/**
 * Searches the wait-for graph for a deadlock. A chunk that waits for a slot (the buffer of a channel and VC downstream)
 * waits for the chunks that occupy the slot, if these wait as well. Chunks in an output queue or in flight and
 * returning credits move on their own. Therefore a slot that is not completely occupied by waiting chunks blocks no
 * chunk for ever.
 */
export function diagnosisOf(
  network: Pick<PacketNetwork, "topology" | "chunk">,
  rows: Int32Array,
  cycles: number,
): Diagnosis {
  return diagnose(waitsOf(network, rows, cycles))
}

/** Returns the wait-for graph of the chunks in `rows` (WAIT, model/events.ts). A waiter's `packet` is its row. */
export function waitsOf(
  { topology, chunk }: Pick<PacketNetwork, "topology" | "chunk">,
  rows: Int32Array,
  cycles: number,
): Waits {
  const { graph } = topology
  const vcBits = bitsFor(chunk.vcs)
  const slots = graph.chans << vcBits
  const capacity = capacities({ topology, chunk }, slots, vcBits)
  const place = (slot: number): Place =>
    slot < slots ? { chan: slot >> vcBits, vc: slot & ((1 << vcBits) - 1) } : { chan: -1, vc: 0 }
  const at = (row: number, word: number) => rows[row * WAIT.words + word]
  const waiters = Array.from({ length: rows.length / WAIT.words }, (_, row): Waiter => {
    const up = at(row, WAIT.up)
    return { key: up * slots + at(row, WAIT.slot), packet: row, ...place(up) }
  })
  // taken[slot]: units of the slot that waiting chunks occupy; takers: these chunks
  const taken = new Int32Array(slots)
  const takers = new Map<number, Waiter[]>()
  for (const w of waiters) {
    const up = at(w.packet, WAIT.up)
    if (up >= slots) continue
    taken[up] += at(w.packet, WAIT.count)
    const list = takers.get(up)
    if (list === undefined) takers.set(up, [w])
    else list.push(w)
  }
  return {
    waiters: () => waiters,
    blockers(w) {
      const slot = at(w.packet, WAIT.slot)
      // Some of the slot will become free without any of these chunks.
      if (taken[slot] < capacity[slot]) return []
      return takers.get(slot)!.map((by): Blocker => ({ wants: place(slot), holds: place(slot), by }))
    },
    waited: () => cycles,
    overtaken: () => 0,
    source: (row) => at(row, WAIT.from),
    destination: (row) => at(row, WAIT.to),
    channelLabel: (c) => channelLabel(topology, c),
  }
}
