// Parameters of the InfiniBand switch. The defaults are those of "QoS Provision in Hierarchical and non-Hierarchical
// Switch Architectures" (J. Cano-Cano, F. J. Andújar, F. J. Alfaro and J. L. Sánchez), in flits of 64 bytes. The README
// lists the values that the paper leaves open.
import { choice, cycles, flits, int, list, maybe, real, schema } from "../../core/schema.ts"
import { MOST_VL } from "../../model/arbitration.ts"
import { portRows } from "../parts/port-tables.ts"

export const params = schema({
  vcs: int({
    about: "Number of virtual lanes of data; each traffic class (service level) has as many as its routing needs",
    min: 1,
    max: MOST_VL + 1,
    default: 7,
  }),
  input: flits({ about: "Input buffer of a port, shared by its VLs", min: 1, max: 65535, default: "1792flits" }),
  output: flits({ about: "Output buffer of a port, shared by its VLs", min: 1, max: 65535, default: "1792flits" }),
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
  sl2vl: list(int({ about: "VL of a service level", min: 0, max: MOST_VL }), {
    about: "VL of service level (traffic class) 0, 1, …; levels may share a VL (default: separate VLs for each level)",
    default: [],
  }),
  sl2vlPorts: portRows(
    "VL",
    MOST_VL,
    "other VLs between some inputs and outputs: rows of inputs, outputs and a VL for each level, of which " +
      "the last that fits counts; sl2vl is that of all other ports and of endpoints",
  ),
  speed: real({
    about: "Crossbar speedup: core steps per link cycle, in each of which the crossbar moves one flit",
    min: 1,
    max: 8,
    default: 1.25,
  }),
  grain: choice(["packet", "message"], {
    about:
      "What crosses after an arbitration: a packet of one flit, so that messages of several VLs cross together and " +
      "leave the switch when they are whole, or a message, which holds input and output until its tail has crossed",
    default: "packet",
  }),
  iterations: int({
    about: "Iterations of the allocator in a core step, for grain: packet; inputs and outputs without a partner repeat",
    min: 1,
    max: 8,
    default: 3,
  }),
  start: choice(["head", "dry"], {
    about:
      "Start of a transfer through a crossbar with speedup: with the head, until the tail has arrived, " +
      "or as soon as it cannot run dry (with grain: message)",
    default: "head",
  }),
  release: choice(["flit", "tail"], {
    about:
      "Free buffer space as the flits leave (for whole-packet counts, with the first flit), or when the tail has left",
    default: "flit",
  }),
  credits: choice(["link", "crossbar"], {
    about:
      "Take credits of the link when a packet leaves the output buffer, or before it crosses (as in " +
      "the combined switch, with grain: message)",
    default: "link",
  }),
  route: cycles({
    about: "Number of cycles for input buffer and routing before a packet may request the crossbar",
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
  traverse: cycles({
    about: "Number of cycles through the crossbar, besides the cycle in which the link follows it",
    max: 8,
    default: "1cycle",
  }),
})

export type InfinibandParams = typeof params extends { parse(raw: unknown, path: string): infer C }
  ? Extract<C, { ok: unknown }>["ok"]
  : never
