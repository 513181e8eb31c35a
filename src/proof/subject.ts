// What is proved: a routing function on a topology with so many VCs for one class of traffic.
import type { End, Router, Vc } from "../model/ids.ts"
import type { RoutingFunction } from "../model/routing.ts"
import type { Topology } from "../model/topology.ts"

export interface Subject {
  readonly topology: Topology
  readonly routing: RoutingFunction
  /** VCs of one class of traffic; classes have VCs of their own, so one stands for all */
  readonly vcs: number
  /** ints that ride on each packet */
  readonly scratch: number
  /** most candidates that the routing says it adds */
  readonly candidates: number
  /** a VC that is not there means the last one that is: how a routing with too few VCs is judged */
  readonly fold?: boolean
  /** a VC is handed out only while it is empty. If not (false), a packet may be bound to a full VC behind others, and escape channels prove nothing */
  readonly atomic?: boolean
}

/** Something that is wrong without any deadlock: a packet that is led nowhere. */
export interface Fault {
  readonly kind: "stuck" | "unwired" | "wrong end" | "no such vc" | "no vc" | "too many candidates" | "no such scratch" | "endless"
  readonly at: Router
  readonly from: End
  readonly to: End
  readonly vc: Vc
}

const why: Record<Fault["kind"], string> = {
  stuck: "has no candidate whatever the queues are",
  unwired: "is sent to a port that is not wired",
  "wrong end": "is ejected to another endpoint than its destination",
  "no such vc": "asks for a VC that the switch does not have",
  "no vc": "gets a candidate without any VC",
  "too many candidates": "gets more candidates than the routing declares",
  "no such scratch": "uses a scratch slot that the routing does not declare",
  endless: "is still on its way after more hops than a packet can count",
}

export function tellFault(f: Fault, topology: Topology): string {
  const vc = f.kind === "no such vc" ? ` (VC ${f.vc})` : ""
  return `at router ${topology.label(f.at)} a packet from endpoint ${f.from} to endpoint ${f.to} ${why[f.kind]}${vc}`
}
