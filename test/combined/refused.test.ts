// What a combined switch cannot do is refused before cycle 0, with the key, the reason and what is possible.
import { describe, expect, test } from "vitest"
import { compile } from "../../src/compile/compile.ts"
import { combinedSpec } from "../support/combined.ts"
import type { Wish } from "../support/machine.ts"

function complaints(w: Wish): string[] {
  const c = compile(combinedSpec(w), { read: () => "" })
  return "bad" in c ? c.bad.map((b) => `${b.path}: ${b.says} | ${b.fix}`) : []
}

describe("refused", () => {
  test.each<[string, Wish, string]>([
    [
      "a packet longer than the output buffer",
      { switch: { output: "31flits" }, traffic: [{ flits: 32 }] },
      "traffic.0.packet: 32 flits, the longest packet of the switch has 31 | set network.switch.buffer and network.switch.output to at least 32flits, or send shorter packets",
    ],
    [
      "an answer longer than the input buffer",
      { switch: { buffer: "8flits" }, traffic: [{ flits: 8, reply: "9flits" }] },
      "traffic.0.reply: 9 flits, the longest packet of the switch has 8 | set network.switch.buffer and network.switch.output to at least 9flits, or send shorter packets",
    ],
    [
      "more classes than VCs",
      { switch: { vcs: 1 }, traffic: [{}, { class: 1 }] },
      'network.routing: "mesh.dimension-order" needs 1 VCs for each of the 2 classes of traffic, the switch has 1 | set network.switch.vcs to at least 2, or choose another routing',
    ],
    [
      "priorities with iSLIP",
      { switch: { allocator: "islip" }, traffic: [{}, { class: 1, priority: 1 }] },
      "network.switch.allocator: knows one priority, the traffic has 2 | set it to input-first or output-first, or give all classes one priority",
    ],
    [
      "a start that makes no difference",
      { switch: { speed: 1, start: "dry" } },
      "network.switch.start: a crossbar as fast as the links never runs dry | leave it out, or set speed above 1",
    ],
    [
      "a speed that is no ratio",
      { switch: { speed: 1.23456 } },
      "network.switch.speed: 1.23456 is no ratio of small whole numbers | choose a speed such as 2 or 1.5",
    ],
    [
      "no room for a bubble",
      {
        topology: { name: "torus", sides: "4x4" },
        routing: { name: "torus.bubble" },
        switch: { buffer: "47flits" },
        traffic: [{ flits: 24 }],
      },
      'network.switch.buffer: "torus.bubble" waits for room for 2 packets of 24 flits, a VC has 47 | set it to at least 48flits',
    ],
  ])("%s", (_, w, says) => expect(complaints(w)).toEqual([says]))
})
