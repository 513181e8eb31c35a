// Parameters of the Omni-Path switch. Defaults are those of "QoS Provision in Hierarchical and non-Hierarchical Switch Architectures" (J. Cano-Cano,
// F. J. Andújar, F. J. Alfaro and J. L. Sánchez), in flits of 64 bytes; the README says which it leaves open.
import { choice, cycles, flits, int, list, maybe, schema } from "../../core/schema.ts"
import { portRows } from "../parts/port-tables.ts"
import { vfabricsField } from "./vfabrics.ts"

export const params = schema({
  vcs: int({
    about: "virtual lanes of data; each class of traffic (service level) has as many as its routing needs",
    min: 1,
    max: 31,
    default: 7,
  }),
  input: flits({ about: "input buffer of a port, shared by its VLs", min: 1, max: 65535, default: "1792flits" }),
  output: flits({ about: "output buffer of a port, shared by its VLs", min: 1, max: 65535, default: "1792flits" }),
  central: flits({ about: "central buffer of an MPort, shared by its VLs", min: 1, max: 65535, default: "3584flits" }),
  least: flits({ about: "of each buffer: what every VL has for itself", max: 65535, default: "64flits" }),
  most: maybe(
    flits({
      about: "of each buffer: what one VL may hold; all that the others do not have for themselves, unless given",
      min: 1,
      max: 65535,
    }),
  ),
  sl2sc: list(int({ about: "SC of a service level", min: 0, max: 31 }), {
    about:
      "service channel of each service level (class of traffic), from 0 on; packets carry the SC alone, so each has one level. Left out: SC n for level n",
    default: [],
  }),
  sc2vl: list(int({ about: "VL of a service channel", min: 0, max: 30 }), {
    about: "VL of each service channel, from 0 on; channels may share one. Left out: each level has VLs of its own",
    default: [],
  }),
  sl2scPorts: portRows(
    "SC",
    31,
    "other SCs between some inputs and outputs, changed when a packet is routed: rows of inputs, outputs and an SC for each level, of which the last that fits counts; sl2sc is that of all other ports and of endpoints",
  ),
  vfabrics: vfabricsField,
  mport: int({ about: "ports of an MPort", min: 1, max: 32, default: 4 }),
  uplink: choice(["shared", "one"], {
    about: "packets share the three flits a cycle of an up-link to the central crossbar, or one has it alone",
    default: "shared",
  }),
  reads: choice(["shared", "one"], {
    about: "packets share the three flits a cycle that leave the central buffer of an up-link, or one is read at a time",
    default: "shared",
  }),
  queues: choice(["output", "uplink"], {
    about: "the central buffer of an up-link has a queue for each output and VL, or for each VL",
    default: "output",
  }),
  rate: int({ about: "flits a cycle from an input to an output of the same MPort", min: 1, max: 3, default: 1 }),
  centralRate: int({ about: "flits a cycle from the central crossbar to an output", min: 1, max: 3, default: 1 }),
  route: cycles({ about: "cycles before a packet may ask for a crossbar: input buffer and routing", max: 64, default: "2cycles" }),
  body: maybe(
    cycles({
      about: "cycles before a flit behind the head may cross: only heads are routed; as many as the head's unless given",
      max: 64,
    }),
  ),
  middle: cycles({ about: "cycles from an MPort's crossbar until the central one may be asked", min: 1, max: 16, default: "2cycles" }),
  traverse: cycles({ about: "cycles through the last crossbar, beside the one in which the link follows it", max: 8, default: "1cycle" }),
})

export type OmniPathParams = typeof params extends { parse(raw: unknown, path: string): infer C }
  ? Extract<C, { ok: unknown }>["ok"]
  : never

/** Up-links of an MPort, and flits a cycle of each. */
export const UPLINKS = 2
export const UPLINK_RATE = 3
