// What a combined switch cannot do is refused before cycle 0, with the key, the reason and what is possible.
import { describe, expect, test } from "vitest"
import { compile } from "../../src/compile/compile.ts"
import { combinedSpec } from "../support/combined.ts"
import { specOf, type Wish } from "../support/machine.ts"

function complaints(w: Wish): string[] {
  const c = compile(combinedSpec(w), { read: () => "" })
  return "bad" in c ? c.bad.map((b) => `${b.path}: ${b.says} | ${b.fix}`) : []
}

describe("refused", () => {
  test.each<[string, Wish, string]>([
    [
      "a packet longer than the output buffer",
      { switch: { output: "31flits" }, traffic: [{ flits: 32 }] },
      "traffic.0.packet: is 32 flits, but the switch accepts packets of at most 31 | set network.switch.buffer " +
        "and network.switch.output to at least 32flits, or send shorter packets",
    ],
    [
      "an answer longer than the input buffer",
      { switch: { buffer: "8flits" }, traffic: [{ flits: 8, reply: "9flits" }] },
      "traffic.0.reply: is 9 flits, but the switch accepts packets of at most 8 | set network.switch.buffer " +
        "and network.switch.output to at least 9flits, or send shorter packets",
    ],
    [
      "more classes than VCs",
      { switch: { vcs: 1 }, traffic: [{}, { class: 1 }] },
      'network.routing: "mesh.dimension-order" needs 1 VC for each of the 2 classes of traffic, but the ' +
        "switch has 1 | set network.switch.vcs to at least 2, or choose another routing",
    ],
    [
      "a protocol whose VC classes do not fit",
      { switch: { vcs: 3 }, endpoint: { name: "queue-pairs", ack: "0flits" }, congestion: { name: "srp" } },
      'network.switch.vcs: "srp" needs 4 VCs for its packets and data ' +
        "needs 1, but the switch has 3 | set it to at least 5",
    ],
    [
      "priorities with iSLIP",
      { switch: { allocator: "islip" }, traffic: [{}, { class: 1, priority: 1 }] },
      "network.switch.allocator: supports one priority, but the traffic has 2 | set it to " +
        "input-first or output-first, or give all classes one priority",
    ],
    [
      "a start that makes no difference",
      { switch: { speed: 1, start: "dry" } },
      "network.switch.start: a crossbar as fast as the links never runs dry | leave it out, or set speed above 1",
    ],
    [
      "a timer for losses where no packet is lost",
      { switch: { timeout: "100cycles" } },
      "network.switch.timeout: without trim, no packet is lost | leave it out, or set trim",
    ],
    [
      "a speed that is no ratio",
      { switch: { speed: 1.23456 } },
      "network.switch.speed: 1.23456 is not a ratio of small whole numbers | choose a speed such as 2 or 1.5",
    ],
    [
      "no room for a bubble",
      {
        topology: { name: "torus", sides: "4x4" },
        routing: { name: "torus.bubble" },
        switch: { buffer: "47flits" },
        traffic: [{ flits: 24 }],
      },
      'network.switch.buffer: "torus.bubble" needs buffer space for 2 packets of 24 ' +
        "flits, but a VC has 47 | set it to at least 48flits",
    ],
  ])("%s", (_, w, says) => expect(complaints(w)).toEqual([says]))
})

test("lanes beyond what a link has", () => {
  const wide: Wish = {
    topology: { name: "mesh", sides: "6x6", p: 29 },
    switch: { name: "queue-scheme", scheme: "voq-network" },
    flit: "1B",
  }
  const c = compile(specOf(wide), { read: () => "" })
  expect("bad" in c ? c.bad.map((b) => `${b.path}: ${b.says} | ${b.fix}`) : []).toContain(
    "network.switch.scheme: a port has 1044 queues, but at most 1024 are possible | choose a smaller network, or dbbm",
  )
})
