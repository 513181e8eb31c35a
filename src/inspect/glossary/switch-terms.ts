// Terms of the glossary: flow control and switches.
import type { Term } from "./term.ts"

export const switchTerms: readonly Term[] = [
  {
    term: "credits",
    about: "Buffer space of the next router that a sender may still fill, counted for each virtual channel.",
    also: ["credit-based flow control", "free buffer space", "downstream buffer space"],
    older: ["room", "rooms", "room behind"],
  },
  {
    term: "return credit",
    about: "A router sends a credit upstream when a flit leaves its input buffer.",
    also: ["credit return"],
    older: ["giveBack", "give back"],
  },
  {
    term: "credit stall",
    about: "A packet at the head of its queue waits because its output has no credits.",
    older: ["lack", "lacks", "lackers"],
  },
  {
    term: "buffer size",
    about: "Flits that the input buffer of one virtual channel holds; set by network.switch.buffer.",
    also: ["vc_buf_size", "buf_size"],
  },
  {
    term: "virtual channel",
    about:
      "One of several queues of a channel that share its bandwidth and have separate buffers; set by network.switch.vcs.",
    also: ["VC", "num_vcs", "VCs"],
  },
  {
    term: "tail credit",
    about:
      "An output virtual channel is reused only after all its credits have returned; set by network.switch.tailCredit.",
    also: ["wait_for_tail_credit"],
  },
  {
    term: "shared buffer",
    about: "A buffer whose space all virtual channels of a port share dynamically.",
    also: ["DAMQ"],
  },
  {
    term: "request",
    about: "An input requests an output from the allocator, which may grant it.",
    also: ["grant"],
    older: ["ask", "asks", "askers"],
  },
  {
    term: "NACK",
    about: "A negative acknowledgement: a switch reports to the source that it dropped a packet.",
    also: ["response"],
    older: ["answer (router)"],
  },
  {
    term: "packet-granular switch",
    about: "A switch whose crossbar ports stay connected until the whole packet has crossed.",
    older: ["held", "hold"],
  },
  {
    term: "contention in transit",
    about: "A virtual channel whose packet is crossing the crossbar; cbcm counts it with countInTransit.",
    older: ["holders"],
  },
  {
    term: "head of the queue",
    about: "The first packet of a queue; packets behind it wait although their own outputs may be free.",
    also: ["head-of-line packet", "HOL", "HOL blocking"],
    older: ["front", "fronts"],
  },
  {
    term: "link",
    about: "A channel between two routers, or between a router and an endpoint.",
    also: ["wire delay", "link latency", "in flight"],
    older: ["wires", "wire", "onWires"],
  },
  { term: "transmit", about: "A switch puts a packet or flit on a link.", older: ["launch"] },
  {
    term: "VL",
    about: "Virtual lane of InfiniBand or Omni-Path: one of the virtual channels of a link, with its own credits.",
    also: ["virtual lane", "VLs", "vls"],
    older: ["lane", "lanes"],
  },
  {
    term: "service level",
    about: "The SL of InfiniBand: a label of a packet that tables map to a virtual lane; a traffic class here.",
    also: ["SL", "SL2VL", "sl2vl"],
    older: ["level", "levels"],
  },
  {
    term: "service channel",
    about: "The SC of Omni-Path: the label that packets carry and that each link maps to a virtual lane.",
    also: ["SC"],
  },
  {
    term: "VL arbitration",
    about: "InfiniBand tables that give virtual lanes weights at high and low priority; the scheduler vl-arbitration.",
    also: ["VLArb", "VLArbTable"],
  },
  {
    term: "head-of-queue lifetime",
    about:
      "The InfiniBand limit on how long a packet may be at the head of a queue before it is dropped; lacewing does not model it.",
    also: ["HOQ", "HOQLife"],
  },
  {
    term: "packet queues",
    about: "FIFO queues of packets as linked lists through the packet records.",
    older: ["chains"],
  },
  {
    term: "ready set",
    about: "The routers or ports that need arbitration in this cycle.",
    older: ["dirty", "sweep (ready set)"],
  },
  {
    term: "router step",
    about: "The work of one router in one cycle.",
    also: ["fast path"],
    older: ["visit", "common-visit"],
  },
  {
    term: "round-robin",
    about: "An arbiter that serves its inputs one after the other and continues behind the last one served.",
    also: ["round_robin", "alternate"],
    older: ["turn", "in turn"],
  },
  {
    term: "iterations",
    about: "How often a workload repeats its communication; jobs.workload.iterations.",
    older: ["turns", "laps"],
  },
  {
    term: "contention detection",
    about: "CBCM counts the requests for each output and so detects contention.",
    older: ["sense", "sensing"],
  },
  {
    term: "cross-check",
    about: "A check of values that depend on each other, before a run starts.",
    older: ["sense (checks)"],
  },
  {
    term: "ECN mark",
    about: "A bit that a congested switch sets in a packet to notify its source.",
    also: ["FECN", "ECN", "explicit congestion notification"],
    older: ["marks"],
  },
  {
    term: "BECN",
    about:
      "Backward congestion notification: the destination of a marked packet notifies its source; DCQCN calls it CNP.",
    also: ["CNP", "backward congestion notification"],
    older: ["notice"],
  },
  {
    term: "VC class",
    about: "A set of virtual channels that only packets of one kind or traffic class use.",
    older: ["ride", "rides apart"],
  },
  {
    term: "hot spot",
    about: "A destination that is offered more traffic than its channel accepts.",
    also: ["hotspot", "hot endpoint", "oversubscribed destination", "incast"],
    older: ["hot"],
  },
  {
    term: "congestion isolation",
    about: "Packets to a congested destination are moved to separate queues: CFQ in FBICM, SAQ in RECN.",
    also: ["CFQ", "SAQ", "set aside"],
    older: ["aside", "asides"],
  },
  {
    term: "blocked",
    about: "Flits whose packet at the head of the queue has not left its router for some time; the probe blocked.",
    also: ["blocked queue", "no progress"],
    older: ["still", "standing", "stands"],
  },
  {
    term: "deadlock cycle",
    about: "Packets that wait for each other in a cyclic dependency, so that none can advance.",
    also: ["cyclic dependency", "deadlock"],
    older: ["circle"],
  },
  {
    term: "path",
    about: "The channels that a packet crosses from source to destination.",
    also: ["route"],
    older: ["way", "ways"],
  },
  {
    term: "minimal path",
    about: "A path with the fewest hops.",
    also: ["minimal routing", "min"],
    older: ["shortest way", "direct"],
  },
  {
    term: "non-minimal path",
    about: "A path through an intermediate router or group, to avoid congestion; also called a detour.",
    also: ["non-minimal", "valiant path"],
    older: ["detour"],
  },
  {
    term: "peer channel",
    about: "The channel in the opposite direction of a link; `far` in a Graph.",
    also: ["ejection channel"],
    older: ["far", "near", "home"],
  },
  {
    term: "global link",
    about: "A link between two groups of a dragonfly.",
    also: ["global channel"],
    older: ["gate", "gates"],
  },
  {
    term: "VC ordering",
    about: "Virtual channels are used in ascending order along a path, which excludes deadlock.",
    also: ["distance class"],
    older: ["ladder", "rung"],
  },
  { term: "share", about: "A fraction of the bandwidth of a link.", also: ["fraction"], older: ["shares"] },
  {
    term: "conservation audit",
    about: "A check that credits and flits are neither lost nor duplicated.",
    older: ["books"],
  },
  {
    term: "price list",
    about: "Prices of switches, cables and endpoints for `lacewing cost`.",
    also: ["prices"],
    older: ["book"],
  },
  {
    term: "utilisation",
    about: "The fraction of time in which a resource is busy.",
    also: ["channel utilization", "utilization"],
    older: ["use"],
  },
  {
    term: "build context",
    about: "The information that a plug-in gets when it is built; the type Site.",
    also: ["BuildContext"],
    older: ["site"],
  },
  {
    term: "state hash",
    about: "A hash of the state of a simulation, part of the fingerprint.",
    also: ["hashState"],
    older: ["digest"],
  },
  { term: "shared state", about: "The columns that the stages of a switch model share.", older: ["frame"] },
]
