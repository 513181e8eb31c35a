// Parameters of the InfiniBand switch. Defaults are those of "QoS Provision in Hierarchical and non-Hierarchical Switch Architectures" (J. Cano-Cano,
// F. J. Andújar, F. J. Alfaro and J. L. Sánchez), in flits of 64 bytes; the README says which it leaves open.
import { choice, cycles, flits, int, list, maybe, real, schema } from "../../core/schema.ts"
import { MOST_VL } from "../../model/arbitration.ts"
import { portRows } from "../parts/port-tables.ts"

export const params = schema({
  vcs: int({
    about: "virtual lanes of data; each class of traffic (service level) has as many as its routing needs",
    min: 1,
    max: MOST_VL + 1,
    default: 7,
  }),
  input: flits({ about: "input buffer of a port, shared by its VLs", min: 1, max: 65535, default: "1792flits" }),
  output: flits({ about: "output buffer of a port, shared by its VLs", min: 1, max: 65535, default: "1792flits" }),
  least: flits({ about: "of each buffer: what every VL has for itself", max: 65535, default: "64flits" }),
  most: maybe(
    flits({
      about: "of each buffer: what one VL may hold; all that the others do not have for themselves, unless given",
      min: 1,
      max: 65535,
    }),
  ),
  sl2vl: list(int({ about: "VL of a service level", min: 0, max: MOST_VL }), {
    about: "VL of each service level (class of traffic), from 0 on; levels may share one. Left out: each level has VLs of its own",
    default: [],
  }),
  sl2vlPorts: portRows(
    "VL",
    MOST_VL,
    "other VLs between some inputs and outputs: rows of inputs, outputs and a VL for each level, of which the last that fits counts; sl2vl is that of all other ports and of endpoints",
  ),
  speed: real({ about: "core steps for each link cycle: flits that the crossbar moves", min: 1, max: 8, default: 1.25 }),
  start: choice(["head", "dry"], {
    about:
      "a transfer through a crossbar that is faster than the links starts at the head and lasts until the tail is there, or when it cannot run dry",
    default: "head",
  }),
  release: choice(["flit", "tail"], {
    about: "space is free again as the flits leave (counted in whole packets: when the first one leaves), or when the tail has left",
    default: "flit",
  }),
  credits: choice(["link", "crossbar"], {
    about: "room behind the link is taken when a packet leaves the output buffer, or before it crosses (as in the combined switch)",
    default: "link",
  }),
  route: cycles({ about: "cycles before a packet may ask for the crossbar: input buffer and routing", max: 64, default: "2cycles" }),
  body: maybe(
    cycles({
      about: "cycles before a flit behind the head may cross: only heads are routed; as many as the head's unless given",
      max: 64,
    }),
  ),
  traverse: cycles({ about: "cycles through the crossbar, beside the one in which the link follows it", max: 8, default: "1cycle" }),
})

export type InfinibandParams = typeof params extends { parse(raw: unknown, path: string): infer C }
  ? Extract<C, { ok: unknown }>["ok"]
  : never
