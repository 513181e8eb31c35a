// Parameters of the Omni-Path switch. The defaults are those of "QoS Provision in Hierarchical and non-Hierarchical
// Switch Architectures" (J. Cano-Cano, F. J. Andújar, F. J. Alfaro and J. L. Sánchez), in flits of 64 bytes. The README
// lists the values that the paper leaves open.
import { choice, cycles, flits, int, list, maybe, schema } from "../../core/schema.ts"
import { portRows } from "../parts/port-tables.ts"
import { vfabricsField } from "./vfabrics.ts"

export const params = schema({
  vcs: int({
    about: "Number of virtual lanes of data; each traffic class (service level) has as many as its routing needs",
    min: 1,
    max: 31,
    default: 7,
  }),
  input: flits({ about: "Input buffer of a port, shared by its VLs", min: 1, max: 65535, default: "1792flits" }),
  output: flits({ about: "Output buffer of a port, shared by its VLs", min: 1, max: 65535, default: "1792flits" }),
  central: flits({ about: "Central buffer of an MPort, shared by its VLs", min: 1, max: 65535, default: "3584flits" }),
  reservedPerVl: flits({
    aliases: ["least"],
    about: "Flits of each buffer that are reserved for each VL",
    max: 65535,
    default: "64flits",
  }),
  maxPerVl: maybe(
    flits({
      aliases: ["most"],
      about:
        "Maximum number of flits of each buffer that one VL may occupy (default: all that are not " +
        "reserved for other VLs)",
      min: 1,
      max: 65535,
    }),
  ),
  sl2sc: list(int({ about: "SC of a service level", min: 0, max: 31 }), {
    about:
      "Service channel of service level (traffic class) 0, 1, …; each SC has one level, because " +
      "packets carry only the SC (default: SC n for level n)",
    default: [],
  }),
  sc2vl: list(int({ about: "VL of a service channel", min: 0, max: 30 }), {
    about: "VL of service channel 0, 1, …; channels may share a VL (default: separate VLs for each level)",
    default: [],
  }),
  sl2scPorts: portRows(
    "SC",
    31,
    "other SCs between some inputs and outputs, changed when a packet is routed: rows of inputs, outputs and an " +
      "SC for each level, of which the last that fits counts; sl2sc is that of all other ports and of endpoints",
  ),
  vfabrics: vfabricsField,
  mport: int({ about: "Number of ports of an MPort", min: 1, max: 32, default: 4 }),
  grain: choice(["packet", "message"], {
    about:
      "What crosses after an arbitration: a packet of one flit, so that messages of several VLs cross together, take " +
      "space in the output buffer at the central crossbar and leave when they are whole; or a message, which holds " +
      "its path until its tail has crossed, and takes that space before it leaves its input",
    default: "packet",
  }),
  room: choice(["centre", "input"], {
    about:
      "Where a message that crosses the centre takes space of the output buffer, for grain: packet: at the central " +
      "crossbar, as the paper has it, or before it leaves its input",
    default: "centre",
  }),
  iterations: int({
    about: "Iterations of the allocator of an MPort, for grain: packet; inputs and outputs without a partner repeat",
    min: 1,
    max: 8,
    default: 3,
  }),
  uplink: choice(["shared", "one"], {
    about:
      "Up-link to the central crossbar (three flits per cycle): several packets share it, or one uses it at a time " +
      "(with grain: message)",
    default: "shared",
  }),
  reads: choice(["shared", "one"], {
    about:
      "Reads from the central buffer of an up-link (three flits per cycle): several packets share " +
      "them, or one is read at a time (with grain: message)",
    default: "shared",
  }),
  queues: choice(["output", "uplink"], {
    about:
      "Queues of the central buffer of an up-link: one for each output and VL, or one for each VL (with grain: message)",
    default: "output",
  }),
  rate: int({ about: "Flits per cycle from an input to an output of the same MPort", min: 1, max: 3, default: 3 }),
  centralRate: int({ about: "Flits per cycle from the central crossbar to an output", min: 1, max: 3, default: 3 }),
  route: cycles({
    about: "Number of cycles for input buffer and routing before a packet may request a crossbar",
    max: 64,
    default: "2cycles",
  }),
  body: maybe(
    cycles({
      about:
        "Number of cycles before a flit behind the head may cross; only heads are routed (default: that of the head)",
      max: 64,
    }),
  ),
  middle: cycles({
    about: "Number of cycles from the crossbar of an MPort to a request for the central crossbar",
    min: 1,
    max: 16,
    default: "2cycles",
  }),
  traverse: cycles({
    about: "Number of cycles through the last crossbar, besides the cycle in which the link follows it",
    max: 8,
    default: "1cycle",
  }),
})

export type OmniPathParams = typeof params extends { parse(raw: unknown, path: string): infer C }
  ? Extract<C, { ok: unknown }>["ok"]
  : never

/** Number of up-links of an MPort, and their flits per cycle. */
export const UPLINKS = 2
export const UPLINK_RATE = 3
