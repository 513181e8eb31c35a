// Abilities: features of switches and endpoints that an experiment or a plug-in may need and that not all of them have.
// A model declares its abilities. An experiment that needs an undeclared one is rejected before cycle 0
// (compile/requirements.ts), so that no key is accepted without an effect.

/** The kinds of plug-ins that must have the ability, and its description. */
export const abilities = {
  classes: { of: ["switch", "endpoint"], about: "separate VCs for each traffic class" },
  priorities: { of: ["switch", "endpoint"], about: "priorities of streams" },
  replies: { of: ["switch", "endpoint"], about: "replies to packets" },
  admittance: {
    of: ["switch"],
    about: "endpoints with a queue for each destination that check the free space of each",
  },
  acknowledgements: { of: ["switch"], about: "acknowledgements and a queue for each destination" },
  drawnVcs: { of: ["switch", "endpoint"], about: "a random VC for each attempt to inject" },
  streamVcs: { of: ["switch", "endpoint"], about: "a round-robin over the injection VCs for each stream" },
  marks: { of: ["switch"], about: "marks on packets that pass a congested input" },
  sensing: { of: ["switch"], about: "marks on packets that cross to an output that several inputs request" },
  telemetry: {
    of: ["switch"],
    about: "marks by the queue length of an output, or link utilisation that packets carry",
  },
  drops: { of: ["switch"], about: "speculative packets that routers drop and report by a NACK" },
  copies: { of: ["switch"], about: "copies of speculative packets in the first switch of their path" },
  protocols: { of: ["switch"], about: "VC classes and control packets of a congestion protocol" },
  windows: { of: ["endpoint"], about: "injection that waits for an open window" },
  bubbles: {
    of: ["switch"],
    about: "free space for several packets before one may enter a ring (bubble flow control)",
  },
  schedulers: { of: ["switch"], about: "a scheduler at every output" },
  escapes: { of: ["switch"], about: "any free candidate while a packet waits (escape VCs)" },
  occupancy: { of: ["switch"], about: "counters of routers and channels for each interval" },
  laneFill: { of: ["switch"], about: "the number of flits of each VL in each buffer of a router for each interval" },
  events: { of: ["switch"], about: "a list of events by cycle" },
  packetEvents: { of: ["switch"], about: "events of packets inside the network and of control packets" },
  lineEvents: { of: ["switch"], about: "events of CAM lines" },
  farQueues: { of: ["switch"], about: "queue lengths of other routers without delay" },
} as const satisfies Record<string, { of: readonly ("switch" | "endpoint")[]; about: string }>

export type Ability = keyof typeof abilities
