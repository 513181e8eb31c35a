// Asks a packet simulation whether it stands still. Times are cycles; the verdict itself is engines/verdict.ts.

import { capacities, linkTimes, type PacketNetwork } from "../../compile/packet/machine.ts"
import { bitsFor } from "../../core/bitset.ts"
import { type Blocker, type Diagnosis, diagnose, type Place, type Waiter, type Waits } from "../../engines/diagnose.ts"
import { judgeStanding, patienceOf, type Verdict } from "../../engines/verdict.ts"
import { WAIT } from "../../model/events.ts"
import { channelLabel } from "../clocked/watchdog.ts"
import { Looks, type Seen } from "../looks.ts"
import type { PacketRun } from "./run.ts"

export interface Sent extends Seen {
  readonly sent: Uint32Array
  readonly underWay: number
}

export function packetWatchdog(run: PacketRun, network: PacketNetwork, now: () => number): Looks<Sent> {
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
    for (let c = 0; c < sent.length; c++) moved += sent[c]! - since.sent[c]!
    const found = cycles < patience ? undefined : diagnosisOf(network, rows, cycles)
    // chunks on wires are events: all of them come within the patience
    const standing = { underWay, waiting: rows.length / WAIT.words, onWires: 0, timers: 0 }
    return judgeStanding(
      found?.kind === "deadlock" ? { ...standing, circle: found.words } : standing,
      { cycles, moved, before: since.underWay > 0 },
      patience,
    )
  }

  const { after, credit, full } = linkTimes(network)
  const most = (times: Int32Array) => times.reduce((a, b) => Math.max(a, b), 0)
  // what is counted as sent may lie in its output queue until all before it is gone
  const queue = Math.ceil(chunk.buffer / chunk.chunk) * chunk.vcs * most(full)
  return new Looks(patienceOf((most(after) + most(credit)) / cycle, (2 * queue) / cycle), { see, judge })
}

/** Who waits for whom: a chunk that waits for a slot waits for those that take the slot up, where these wait as well. What is in an output queue or on a wire, and
 *  a credit that is due, moves by itself, so a slot that is not taken up by waiting chunks alone excuses all that wait for it. */
export function diagnosisOf(network: Pick<PacketNetwork, "topology" | "chunk">, rows: Int32Array, cycles: number): Diagnosis {
  return diagnose(waitsOf(network, rows, cycles))
}

export function waitsOf({ topology, chunk }: Pick<PacketNetwork, "topology" | "chunk">, rows: Int32Array, cycles: number): Waits {
  const { graph } = topology
  const vcBits = bitsFor(chunk.vcs)
  const slots = graph.chans << vcBits
  const room = capacities({ topology, chunk }, slots, vcBits)
  const place = (slot: number): Place => (slot < slots ? { chan: slot >> vcBits, vc: slot & ((1 << vcBits) - 1) } : { chan: -1, vc: 0 })
  const at = (row: number, word: number) => rows[row * WAIT.words + word]!
  const waiters = Array.from({ length: rows.length / WAIT.words }, (_, row): Waiter => {
    const up = at(row, WAIT.up)
    return { key: up * slots + at(row, WAIT.slot), packet: row, ...place(up) }
  })
  const taken = new Int32Array(slots)
  const takers = new Map<number, Waiter[]>()
  for (const w of waiters) {
    const up = at(w.packet, WAIT.up)
    if (up >= slots) continue
    taken[up]! += at(w.packet, WAIT.count)
    const list = takers.get(up)
    if (list === undefined) takers.set(up, [w])
    else list.push(w)
  }
  return {
    waiters: () => waiters,
    blockers(w) {
      const slot = at(w.packet, WAIT.slot)
      if (taken[slot]! < room[slot]!) return []
      return takers.get(slot)!.map((by): Blocker => ({ wants: place(slot), holds: place(slot), by }))
    },
    waited: () => cycles,
    overtaken: () => 0,
    source: (row) => at(row, WAIT.from),
    destination: (row) => at(row, WAIT.to),
    channelLabel: (c) => channelLabel(topology, c),
  }
}
