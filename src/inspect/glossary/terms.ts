// Terms of the field with a definition, the names that other simulators and InfiniBand use for them, and older words of
// lacewing's own texts. `explain` finds all of them.

export interface Term {
  readonly term: string
  readonly about: string
  /** other standard names: BookSim2, CODES, InfiniBand, textbooks */
  readonly also?: readonly string[]
  /** words that lacewing used up to version 0.1 */
  readonly older?: readonly string[]
}

export const terms: readonly Term[] = [
  // flow control and switches
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
  // endpoints, traffic, workloads
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
  // engines
  {
    term: "barrier",
    about: "A point at which all workers wait for each other.",
    also: ["barriers"],
    older: ["meeting", "meet", "met"],
  },
  {
    term: "worker thread",
    about: "One thread of a parallel run.",
    also: ["worker group", "PE"],
    older: ["team", "teammate", "crew"],
  },
  {
    term: "message channel",
    about: "A ring buffer with one writer and one reader, between two workers.",
    also: ["SPSC ring buffer"],
    older: ["mail"],
  },
  { term: "send buffer", about: "Messages to another worker until the next barrier.", older: ["outbox"] },
  {
    term: "synchronisation window",
    about: "The time that workers simulate between two barriers, at most the lookahead.",
    also: ["lookahead", "conservative window", "YAWNS"],
    older: ["window (workers)"],
  },
  {
    term: "lower bound on time stamps",
    about: "A worker guarantees that it sends no message with an earlier time.",
    also: ["LBTS", "null message", "GVT"],
    older: ["promise"],
  },
  {
    term: "global synchronisation point",
    about: "A time that all workers have reached, at which a run can pause.",
    older: ["common time"],
  },
  {
    term: "rollback check",
    about: "Every event is executed, undone and executed again, and the states are compared.",
    older: ["rehearsal"],
  },
  {
    term: "JIT warm-up",
    about: "Rare code paths run once before cycle 0, so that V8 compiles them.",
    older: ["beforehand"],
  },
  {
    term: "trace event",
    about: "A row of the probe events: cycle, kind and three numbers.",
    also: ["trace events", "delivery record"],
    older: ["facts", "fact"],
  },
  { term: "measurement state", about: "The state of a measurement in progress.", older: ["course"] },
  { term: "termination", about: "The end of a run and its reason.", also: ["endpoints"], older: ["ends"] },
  {
    term: "progress watchdog",
    about: "A periodic check that packets still advance.",
    also: ["sample"],
    older: ["looks", "look"],
  },
  {
    term: "saturation load",
    about: "The highest load that a network sustains with bounded latency.",
    also: ["saturation throughput"],
    older: ["knee"],
  },
  {
    term: "symbolic network view",
    about: "A network state that the deadlock proof chooses, so that it explores every decision of a routing.",
    older: ["oracle"],
  },
  {
    term: "state-space exploration",
    about: "The deadlock proof enumerates all decisions of a routing.",
    also: ["traversal"],
    older: ["walker", "walk"],
  },
  {
    term: "witness",
    about: "A packet that shows a dependency between two channels.",
    also: ["proof input"],
    older: ["subject"],
  },
  {
    term: "verdict",
    about: "The classification of a network without progress: deadlock, starvation or waiting ranks.",
    also: ["classify"],
    older: ["judge"],
  },
  { term: "exploration limit", about: "A bound on the work of the deadlock proof.", older: ["effort"] },
  { term: "sequential", about: "A run in one thread.", also: ["sequential mode"], older: ["alone"] },
  { term: "divergence", about: "The first difference between two runs that should be equal.", older: ["parting"] },
  {
    term: "inspection API",
    about: "The functions with which the studio reads the state of a run.",
    also: ["packet trace"],
    older: ["sight", "journey"],
  },
  { term: "reference model", about: "A simple second implementation that must give the same result.", older: ["twin"] },
  {
    term: "randomised differential tests",
    about: "Random configurations that run in all modes and must give equal results.",
    older: ["matrix"],
  },
  // results and texts
  {
    term: "diagnostic",
    about: "An error message with its location, what is wrong and how to fix it.",
    also: ["error message"],
    older: ["complaint", "complain", "says", "bad"],
  },
  {
    term: "stop reason",
    about: "Why a run ended; the column stop_reason, with a sentence in stop_detail.",
    also: ["stop_reason", "stop_detail", "description"],
    older: ["why", "explains"],
  },
  {
    term: "limit reached",
    about: "The run ended at its window or at measure.limit; the stop reason limit.",
    older: ["cycles (stop reason)"],
  },
  {
    term: "ranks hung",
    about: "Ranks wait for messages that no rank will send; the stop reason waiting.",
    also: ["unmatched receive"],
    older: ["waiting (stop reason)"],
  },
  { term: "minimum", about: "The smallest permitted value; keys begin with min.", older: ["least"] },
  { term: "maximum", about: "The largest permitted value; keys begin with max.", older: ["most"] },
  {
    term: "compared with",
    about: "Next to, or in comparison with, another network or value.",
    also: ["next to", "besides"],
    older: ["beside"],
  },
  {
    term: "sustain",
    about: "A network sustains a load if it accepts all that is offered.",
    also: ["accept", "carry"],
    older: ["bear", "bears"],
  },
  {
    term: "reference simulator",
    about: "Another simulator that results are compared with: BookSim2, CODES or ROSS.",
    older: ["peers"],
  },
  { term: "planner", about: "The background worker of the studio that reads and plans experiments.", older: ["desk"] },
  { term: "action", about: "Something that a user does in the studio.", older: ["hands"] },
  { term: "location", about: "File, line and column of an error.", older: ["spot"] },
  {
    term: "placement",
    about: "The endpoints on which the ranks of a job run; jobs.placement.",
    also: ["allocation"],
    older: ["place", "places"],
  },
  { term: "glossary", about: "The list of terms that `lacewing explain` knows.", older: ["words"] },
  { term: "manual", about: "The pages of the documentation.", older: ["pages"] },
  {
    term: "layer",
    about: "A folder of the source code that may import only the folders below it.",
    also: ["module"],
    older: ["house"],
  },
  {
    term: "submit",
    about: "Pass the runs of a sweep to a scheduler such as Slurm.",
    older: ["hand over", "handed over"],
  },
  { term: "reject", about: "lacewing does not accept an input, and says why.", older: ["refuse", "refused"] },
  { term: "default", about: "The value of a key that a file does not set.", older: ["unless given", "given"] },
  { term: "checksum", about: "A hash inside a file that shows whether the file is complete.", older: ["seal"] },
  { term: "task state", about: "Files that show how far a submitted task has come.", older: ["evidence", "trouble"] },
  { term: "design principle", about: "A rule that all parts of lacewing follow.", also: ["invariant"], older: ["law"] },
  { term: "ranking", about: "A table that orders networks or protocols by a value.", older: ["league table"] },
  { term: "custom", about: "Written by the user, for example a plug-in of an experiment.", older: ["of your own"] },
  { term: "distinguish", about: "Report separately.", older: ["told apart"] },
]
