import { describe, expect, test } from "vitest"
import type { FlitSwitchModel } from "../fabric/switch.ts"
import type { TransferSwitchModel } from "../fabric/transfer.ts"
import type { Stream } from "../model/stream.ts"
import { crowded, mixedPriorities } from "./classes.ts"

const packets = { moves: "packets", vcs: 6, maxPacket: 24 } as Partial<TransferSwitchModel> as TransferSwitchModel
const flits = { moves: "flits", vcs: 6 } as Partial<FlitSwitchModel> as FlitSwitchModel
const stream = (name: string, vcFirst: number, priority: number) => ({ name, vcFirst, priority }) as Partial<Stream> as Stream
const said = (bad: readonly { path: string; says: string; fix: string }[]) => bad.map((c) => `${c.path}: ${c.says} | ${c.fix}`)

describe("priorities", () => {
  const streams = [stream("a", 0, 0), stream("b", 2, 1), stream("c", 2, 0)]
  test("one for each class where packets are told apart by their VCs", () => {
    expect(said(mixedPriorities(streams, { switch: packets, vcsPerClass: 2 }))).toEqual([
      'traffic.2.priority: "c" has priority 0, "b" of the same class 1 has 1: this switch has one for each class | set it to 1, or give the stream a class of its own',
    ])
  })
  test("one for each stream where flits are moved", () => {
    expect(mixedPriorities(streams, { switch: flits, vcsPerClass: 2 })).toEqual([])
  })
})

describe("classes of a protocol", () => {
  const classes = [{ name: "control", vcs: 2, priority: 1, direct: true }]
  test("must leave the VCs that data needs", () => {
    expect(crowded(packets, { classes }, "srp", 4, 2)).toEqual([])
    expect(said(crowded(packets, { classes }, "srp", 5, 2))).toEqual([
      'network.switch.vcs: "srp" takes 2 VCs for its own packets and data needs 5, the switch has 6 | set it to at least 7',
    ])
  })
  test("and be large enough for detours", () => {
    const detours = [{ name: "speculative", vcs: 1, priority: -1, direct: false }]
    expect(said(crowded(packets, { classes: detours }, "srp", 2, 2))).toEqual([
      'network.congestion: class "speculative" of "srp" has 1 VCs, the routing needs 2 | give it at least 2 VCs',
    ])
  })
  test("and its packets must fit", () => {
    expect(said(crowded(packets, { controlFlits: 30 }, "srp", 5, 2))).toEqual([
      'network.switch.packet: packets of "srp" have 30 flits, the longest may have 24 | set it to at least 30flits',
    ])
  })
})
