// What an InfiniBand switch or its scheduler cannot do is refused before cycle 0, with the key, the reason and what is
// possible.
import { describe, expect, test } from "vitest"
import { complaintsOf } from "../support/infiniband.ts"
import type { Wish } from "../support/machine.ts"

const three = [0, 1, 2].map((c) => ({ flits: 32, class: c }))

describe("refused", () => {
  test.each<[string, Wish, string]>([
    [
      "minima above the buffer",
      { switch: { vcs: 7, input: "400flits", reservedPerVl: "64flits" } },
      "network.switch.reservedPerVl: 7 VLs reserve 448 flits, but the input buffer has 400 | set it to at most 57flits",
    ],
    [
      "a maximum that is never reached",
      { switch: { vcs: 2, input: "100flits", output: "200flits", reservedPerVl: "30flits", maxPerVl: "80flits" } },
      "network.switch.maxPerVl: a VL can use at most 70 flits of the input buffer | set it to at most 70flits, or leave it out",
    ],
    [
      "a maximum below the minimum",
      { switch: { maxPerVl: "32flits" } },
      "network.switch.maxPerVl: 32 flits are less than the flits reserved for a VL | set it to at least 64flits",
    ],
    ["VL15", { switch: { vcs: 16 } }, "network.switch.vcs: 16 is too large | choose a value at least 1, at most 15"],
    [
      "more levels than VLs",
      { switch: { vcs: 2 }, traffic: three },
      'network.routing: "mesh.dimension-order" needs 1 VC for each of the 3 classes of traffic, but the ' +
        "switch has 2 | set network.switch.vcs to at least 3, or choose another routing",
    ],
    [
      "a level without an entry",
      { qos: { name: "dtable", table: "0:32,1:32" }, traffic: three },
      'traffic.2.class: class 2 has no entry in "dtable": it would wait for ever | ' +
        "give it one in network.qos, or send in class 0 or 1",
    ],
    [
      "an entry below the largest packet of its level",
      { qos: { name: "dtable", table: "0:32,1:31,2:40" }, traffic: three },
      "network.qos.table.1: entry 1:31 gives 1984 bytes, and a message of queue 1 may " +
        "have 2048: a visit may send nothing | write 1:32",
    ],
    [
      "a level without a VL",
      { switch: { vcs: 3, sl2vl: "0,1" }, traffic: three },
      "network.switch.sl2vl: SL 2 has no VL | give 3 VLs, one for each traffic class",
    ],
    [
      "VL15 for data",
      { switch: { vcs: 3, sl2vl: "0,1,15" }, traffic: three },
      "network.switch.sl2vl.2: 15 is too large | choose a value at least 0, at most 14",
    ],
    [
      "a VL that there is not",
      { switch: { vcs: 3, sl2vl: "0,1,5" }, traffic: three },
      "network.switch.sl2vl: VL 5 of level 2 does not exist: there are 3 | choose one from 0 to 2",
    ],
    [
      "a port that there is not",
      { switch: { vcs: 3, sl2vl: "0,1,2", sl2vlPorts: [{ inputs: "0-9", to: "0,1,2" }] }, traffic: three },
      'network.switch.sl2vlPorts.0.inputs: "0-9" does not name ports from 0 to 4 | write numbers or ranges such as 0-4',
    ],
    [
      "a level without a VL between some ports",
      { switch: { vcs: 3, sl2vl: "0,1,2", sl2vlPorts: [{ to: "0,1" }] }, traffic: three },
      "network.switch.sl2vlPorts.0.to: SL 2 has no VL | give 3 VLs, one for each traffic class",
    ],
    [
      "VLs of some ports alone",
      { switch: { vcs: 3, sl2vlPorts: [{ to: "0,1,2" }] }, traffic: three },
      "network.switch.sl2vlPorts: the ports without a row have no table | give sl2vl, the table of all other ports",
    ],
    [
      "another VL on the way round a ring of bubbles",
      {
        topology: { name: "torus", sides: "4x4" },
        routing: { name: "torus.bubble" },
        switch: { vcs: 3, sl2vl: "0,1,2", sl2vlPorts: [{ inputs: "1", to: "1,2,0" }] },
        traffic: three,
      },
      'network.switch.sl2vlPorts: "torus.bubble" needs packets that stay on one VL in a ring ' +
        "| remove it, or choose a routing without bubble flow control",
    ],
    [
      "a weight above 255",
      { qos: { name: "dtable", table: "0:32,1:256,2:32" }, traffic: three },
      "network.qos.table.1: weight 256 does not fit the eight bits of an entry | write 1:255 at most",
    ],
    [
      "more than 64 entries",
      { qos: { name: "dtable", table: new Array(65).fill("0:32").join(",") } },
      "network.qos.table: has 65 entries | keep 64 at most",
    ],
    [
      "a table beside levels of several VLs",
      { switch: { vcs: 6, sl2vl: "0,1,2" }, traffic: three },
      "network.switch.sl2vl: each level has 2 VLs, because its routing may need them | leave it out, or set vcs to 3",
    ],
    [
      "flits behind a head that are slower than it",
      { switch: { vcs: 1, body: "3cycles" } },
      "network.switch.body: is 3 cycles, more than the 2 of heads, which are also routed | set it to at most 2cycles",
    ],
    [
      "priorities beside a scheduler",
      { switch: { vcs: 2 }, traffic: [{}, { class: 1, priority: 1 }] },
      'traffic.1.priority: needs priorities of streams, which switch "infiniband" does not have | ' +
        "leave it out, or set network.switch.name to input-queued or tiled or combined",
    ],
    [
      "a ring's bubble without room",
      {
        topology: { name: "torus", sides: "4x4" },
        routing: { name: "torus.bubble" },
        switch: { vcs: 1, reservedPerVl: "63flits" },
        traffic: [{ flits: 32 }],
      },
      'network.switch.reservedPerVl: "torus.bubble" needs buffer space for 2 packets of 32 flits, but a VC has 63 | set it to at least 64flits',
    ],
    [
      "a packet longer than a VL may hold",
      { switch: { vcs: 1, output: "31flits", reservedPerVl: "0flits" }, traffic: [{ flits: 32 }] },
      "traffic.0.packet: is 32 flits, but the switch accepts packets of at most 31 | set network.switch.input and network.switch.output to at least 32flits, or send shorter packets",
    ],
    [
      "a scheduler on a switch that has none",
      { switch: { name: "combined" }, qos: { name: "round-robin" } },
      'network.qos.name: needs a scheduler at every output, which switch "combined" does not have | ' +
        "leave network.qos out, or set network.switch.name to infiniband or omni-path",
    ],
  ])("%s", (_, w, says) => expect(complaintsOf(w)).toEqual([says]))
})
