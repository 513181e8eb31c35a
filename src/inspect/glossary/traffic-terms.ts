// Terms of the glossary: endpoints, traffic, workloads.
import type { Term } from "./term.ts"

export const trafficTerms: readonly Term[] = [
  {
    term: "generation",
    about: "A source creates packets by an arrival process; the creation time starts the latency.",
    also: ["creation time", "packet generation"],
    older: ["births", "birth", "born"],
  },
  {
    term: "injection rate",
    about: "The offered load of a source in flits per cycle; traffic.load.",
    also: ["injection_rate", "offered load", "load"],
  },
  { term: "packet size", about: "Flits of a packet; traffic.packet.", also: ["packet_size", "const_flits_per_packet"] },
  {
    term: "routing delay",
    about: "Cycles that a router needs before a packet may request an output; keys pipeline or route of a switch.",
    also: ["routing_delay", "router_delay", "st_final_delay", "vc_alloc_delay", "sw_alloc_delay"],
  },
  {
    term: "internal speedup",
    about: "How many times faster than a link the crossbar is; network.switch.speed.",
    also: ["internal_speedup", "speedup", "input_speedup", "output_speedup"],
  },
  {
    term: "sample period",
    about: "The measurement window; measure.window.",
    also: ["sample_period", "warmup_periods", "max_samples"],
  },
  {
    term: "latency threshold",
    about: "The latency at which a run counts as saturated; search.latency.",
    also: ["latency_thres"],
  },
  {
    term: "chunk",
    about: "The unit that the packet engine moves, as in CODES; network.switch.chunk.",
    also: ["chunk_size", "packet_size (CODES)"],
  },
  {
    term: "VC size",
    about: "Bytes of the buffer of one virtual channel in CODES; network.switch.buffer of chunk.",
    also: ["local_vc_size", "global_vc_size", "cn_vc_size"],
  },
  {
    term: "link bandwidth",
    about: "Bandwidth of a link; network.switch.bandwidth of chunk.",
    also: ["local_bandwidth", "global_bandwidth", "cn_bandwidth"],
  },
  { term: "inter-arrival time", about: "The time between two packets that a source creates.", older: ["gap", "gaps"] },
  {
    term: "randomness",
    about: "Random numbers are pure functions of the seed, the endpoint and a counter.",
    also: ["probability"],
    older: ["chance"],
  },
  {
    term: "random draw",
    about: "One random number that decides something, for example an intermediate group.",
    older: ["draw", "draws"],
  },
  { term: "random generator", about: "The source of random configurations in tests.", older: ["dice"] },
  {
    term: "control message",
    about: "A short message between neighbouring switches, such as Stop and Go of FBICM.",
    also: ["sendControl", "onControl"],
    older: ["tell", "hear", "note", "notes"],
  },
  {
    term: "retransmit",
    about: "Send a packet again after the network dropped it; from the endpoint or from a copy in a stash.",
    also: ["retransmission"],
    older: ["again"],
  },
  {
    term: "lost after retries",
    about: "The source has dropped a packet permanently after its last retry; the value abandoned.",
    older: ["abandon"],
  },
  {
    term: "retransmit request",
    about: "An order to the first switch of the path to send its copy of a packet.",
    also: ["acknowledge"],
    older: ["recall", "confirm"],
  },
  {
    term: "retransmit queue",
    about: "Packets that wait to be sent again.",
    also: ["checkpointed run"],
    older: ["kept"],
  },
  {
    term: "false positive",
    about: "A flow to a destination that is not congested was throttled; throttle.falsePositive.",
    also: ["wrongly throttled"],
    older: ["wronged", "wrong"],
  },
  {
    term: "non-congested destination",
    about: "A destination that is offered no more than it accepts.",
    older: ["blameless", "innocent"],
  },
  {
    term: "victim flow",
    about: "A flow that congestion slows down although it does not cause it.",
    also: ["victim"],
    older: ["victims", "culprits"],
  },
  {
    term: "hot-spot target",
    about: "A destination of a hot-spot pattern.",
    also: ["destination"],
    older: ["sinks", "sink"],
  },
  { term: "rank adapter", about: "The code that connects MPI ranks to an engine.", older: ["seat"] },
  {
    term: "critical-path trace",
    about: "A record of messages from which the critical path of a job follows.",
    older: ["trail"],
  },
  {
    term: "requirements",
    about: "The bandwidth and delay that a user requests for a traffic class.",
    also: ["options"],
    older: ["wish"],
  },
  {
    term: "no-progress limit",
    about: "Cycles without progress after which lacewing looks for a deadlock.",
    also: ["deadlock_warn_timeout", "spin-wait"],
    older: ["patience"],
  },
]
