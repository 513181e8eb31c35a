// What an experiment, or one of its plug-ins, may ask of switches and endpoints that not all of them do. A model declares what it can; what it does not
// declare is refused before cycle 0 (compile/asks.ts): nothing is accepted without an effect.

/** Who must be able to do it, and what it is. */
export const abilities = {
  classes: { of: ["switch", "endpoint"], about: "VCs of its own for each class of traffic" },
  priorities: { of: ["switch", "endpoint"], about: "more urgent streams first" },
  replies: { of: ["switch", "endpoint"], about: "answers to packets" },
  admittance: { of: ["switch"], about: "endpoints with a queue for each destination that look at the room of each" },
  acknowledgements: { of: ["switch"], about: "acknowledgements and a queue for each destination" },
  drawnVcs: { of: ["switch", "endpoint"], about: "a VC drawn anew for each attempt to inject" },
  streamVcs: { of: ["switch", "endpoint"], about: "a turn over the injection VCs for each stream" },
  marks: { of: ["switch"], about: "marks on what passes a congested input" },
  sensing: { of: ["switch"], about: "marks on what crosses to an output that several inputs ask for" },
  telemetry: { of: ["switch"], about: "marks by the queue of an output, or its utilisation on packets" },
  drops: { of: ["switch"], about: "speculative packets that routers drop and answer" },
  copies: { of: ["switch"], about: "copies of speculative packets in the first switch of their way" },
  protocols: { of: ["switch"], about: "VC classes and control packets of a congestion protocol" },
  windows: { of: ["endpoint"], about: "injection that waits for an open window" },
  bubbles: { of: ["switch"], about: "room for several packets before one may enter a ring (bubble flow control)" },
  schedulers: { of: ["switch"], about: "a scheduler at every output" },
  escapes: { of: ["switch"], about: "any candidate that is free while a packet waits (escape VCs)" },
  occupancy: { of: ["switch"], about: "the flits in each router, interval by interval" },
  laneFill: { of: ["switch"], about: "the flits of each VL in each buffer of a router, interval by interval" },
  events: { of: ["switch"], about: "a list of events, cycle by cycle" },
  packetEvents: { of: ["switch"], about: "events of packets inside the network and of control packets" },
  lineEvents: { of: ["switch"], about: "events of CAM lines" },
  farQueues: { of: ["switch"], about: "queues of other routers, as an oracle would tell them" },
} as const satisfies Record<string, { of: readonly ("switch" | "endpoint")[]; about: string }>

export type Ability = keyof typeof abilities
