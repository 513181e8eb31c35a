// The input of a proof: a routing function on a topology with a given number of VCs for one traffic class. Also the
// faults that a walk can find without any deadlock.
import type { End, Router, Vc } from "../model/ids.ts"
import type { RoutingFunction } from "../model/routing.ts"
import type { Topology } from "../model/topology.ts"

/** The routing function under proof, with all that its decisions can depend on. */
export interface Subject {
  readonly topology: Topology
  readonly routing: RoutingFunction
  /** VCs of one traffic class. Classes have separate VCs, so one class stands for all. */
  readonly vcs: number
  /** scratch slots (ints) of each packet */
  readonly scratch: number
  /** maximum number of candidates that the routing declares */
  readonly candidates: number
  /** A VC that does not exist means the last one that does. vcs.ts uses this to judge a routing with too few VCs. */
  readonly fold?: boolean
  /** A VC is assigned only while it is empty. If false, a packet may be assigned to a VC behind other packets, and
   *  escape channels prove nothing. */
  readonly atomic?: boolean
}

/** An error that is no deadlock: a packet that is led nowhere. One example of each kind is reported. */
export interface Fault {
  readonly kind:
    | "stuck"
    | "unwired"
    | "wrong end"
    | "no such vc"
    | "no vc"
    | "too many candidates"
    | "no such scratch"
    | "endless"
  readonly at: Router
  readonly from: End
  readonly to: End
  readonly vc: Vc
}

const why: Record<Fault["kind"], string> = {
  stuck: "has no candidate whatever the queues are",
  unwired: "is sent to a port without a link",
  "wrong end": "is ejected to another endpoint than its destination",
  "no such vc": "requests a VC that the switch does not have",
  "no vc": "gets a candidate without any VC",
  "too many candidates": "gets more candidates than the routing declares",
  "no such scratch": "uses a scratch slot that the routing does not declare",
  endless: "has not arrived after the maximum number of hops that a packet can count",
}

/** Returns the message for a fault. */
export function tellFault(f: Fault, topology: Topology): string {
  const vc = f.kind === "no such vc" ? ` (VC ${f.vc})` : ""
  return `at router ${topology.label(f.at)} a packet from endpoint ${f.from} to endpoint ${f.to} ${why[f.kind]}${vc}`
}
