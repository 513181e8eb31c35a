// Tables of the results folder: their names and columns, for the manual. One list for all engines and switches, as
// values.ts is for measured values. A table or a column of a run that is not listed here fails a test
// (test/contract/probes.test.ts).

export interface TableInfo {
  readonly about: string
  /** probe, or condition, without which a run does not have the table */
  readonly when: string
  /** if there are several traffic streams, each has its own table as well: STREAM.endpoints */
  readonly each?: true
  readonly columns: Readonly<Record<string, string>>
}

const interval = "end of the interval, in cycles"
const probe = (name: string) => `probe \`${name}\``
const jobs = "the run has jobs"

const histogram = {
  low: "shortest latency of the bin, in cycles",
  high: "longest latency of the bin, in cycles",
  count: "packets in the bin",
  share: "fraction of all packets with a latency of at most `high`",
}

export const tables = {
  "latency.histogram": {
    about: "Distribution of packet latency; empty bins are left out",
    when: probe("latency"),
    each: true,
    columns: histogram,
  },
  "network.histogram": {
    about: "Distribution of network latency; the packet engine does not give it",
    when: probe("latency"),
    each: true,
    columns: histogram,
  },
  series: {
    about: "Latency and load over time, one row for each interval; the last interval may be shorter",
    when: probe("series"),
    each: true,
    columns: {
      time: interval,
      latency: "mean latency of the packets that arrived in the interval",
      network: "mean network latency of these packets; not given by the packet engine",
      accepted: "accepted load, as a fraction of one endpoint channel",
      injected: "injected load, as a fraction of one endpoint channel; not given by the packet engine",
      packets: "packets that arrived in the interval",
    },
  },
  channels: {
    about: "Load of each channel",
    when: probe("channels"),
    columns: {
      chan: "number of the channel",
      from: "number of the router that it leaves",
      at: "name of that router",
      to: "router or endpoint that it reaches",
      class: "class of the link",
      load: "flits per cycle, as a fraction of the channel",
    },
  },
  "channels.series": {
    about: "Load of each channel over time; rows of idle channels are left out",
    when: `${probe("channels")} with \`overTime: true\``,
    columns: {
      time: interval,
      chan: "number of the channel",
      class: "class of the link",
      load: "flits per cycle in the interval",
    },
  },
  figures: {
    about: "How the report draws tables of probes, one row for each figure",
    when: "a probe declares figures of the tables that the run has",
    columns: {
      table: "name of the table",
      kind: "`lines`, `bars`, `heat` or `graph`",
      title: "title of the figure",
      caption: "caption of the figure",
      x: "column of the horizontal axis",
      xLabel: "label of the horizontal axis",
      y: "column of the vertical axis",
      yLabel: "label of the vertical axis",
      value: "heat, graph: column that is coloured",
      unit: "heat, graph: unit of the colour key",
      by: "lines: column that distinguishes the lines",
    },
  },
  "channels.classes": {
    about: "Load of each class of channels",
    when: probe("channels"),
    columns: {
      class: "class of the link",
      count: "number of channels",
      mean: "mean load of the channels",
      min: "smallest load of a channel",
      max: "largest load of a channel",
      unevenness: "largest load divided by the mean; 1 means equal loads",
    },
  },
  endpoints: {
    about: "Injected and accepted load of each endpoint",
    when: probe("endpoints"),
    each: true,
    columns: {
      end: "number of the endpoint",
      injected: "injected load, as a fraction of its channel; not given by the packet engine",
      accepted: "accepted load, as a fraction of its channel",
    },
  },
  occupancy: {
    about: "Flits in the queues of each router at the end of each interval; empty routers are left out",
    when: probe("occupancy"),
    columns: { time: interval, router: "number of the router", flits: "flits in its queues" },
  },
  "occupancy.vls": {
    about:
      "Flits of each virtual lane (VL) in the buffers of a router; a packet counts in the central " +
      "buffer from the cycle in which it leaves its input; empty VLs are left out",
    when: "probe `occupancy` with `perVl: true`, on an InfiniBand or Omni-Path switch",
    columns: {
      time: interval,
      router: "number of the router",
      vl: "number of the VL",
      input: "flits in the input buffers",
      output: "flits in the output buffers",
      centre: "flits in the central buffers",
    },
  },
  blocked: {
    about: "Flits in blocked queues: queues whose head packet has not moved for some time",
    when: probe("blocked"),
    columns: {
      time: interval,
      link: "class of the link that the head packet requests",
      vc: "virtual channel of the queue",
      hot: "1 if the destination is one that the probe names, otherwise 0",
      queues: "blocked queues",
      flits: "flits in them",
    },
  },
  waits: {
    about: "Flits that wait, directly or behind other packets, for the router that the probe names",
    when: "probe `blocked` with `router`",
    columns: {
      time: interval,
      distance: "routers between the queue and that router; 0 means its own queues to its endpoints",
      link: "class of the link that the head packet requests",
      vc: "virtual channel of the queue",
      hot: "1 if the destination is one that the probe names, otherwise 0",
      routers: "routers with such queues",
      queues: "such queues",
      flits: "flits in them",
    },
  },
  events: {
    about: "Trace events, ordered by cycle, kind and numbers",
    when: probe("events"),
    columns: {
      cycle: "cycle of the event",
      event: "kind of the event, see below",
      a: "first number; its meaning depends on the kind",
      b: "second number",
      c: "third number",
    },
  },
  groups: {
    about: "Load between each ordered pair of groups that are connected",
    when: probe("groups"),
    columns: {
      from: "group that the channels leave",
      to: "group that they reach",
      load: "mean load of the channels",
      channels: "number of channels",
    },
  },
  attribution: {
    about:
      "Mean latency of the measured packets, divided into parts that add up to it " +
      "exactly; each part is also a value `time.PART`",
    when: "every run of the flit and packet engines",
    columns: { part: "name of the part", cycles: "cycles of the mean latency" },
  },
  "channels-worst": {
    about:
      "The ten worst channels, ordered by their utilisation times the flits queued for them; " +
      "a channel that itself waits for another one is not counted",
    when: "clocked switches, if a packet ever waited",
    columns: {
      channel: "number of the channel",
      from: "router and port that it leaves",
      to: "router or endpoint that it reaches",
      utilisation: "flits per cycle in the measured window",
      queued: "flits queued for it, mean of up to 64 samples",
      flows: "most frequent pairs of endpoints among the queued packets",
    },
  },
  "limited-by": {
    about: "Why a saturated network accepts no more load: one row",
    when: "saturated runs of the flit and packet engines",
    columns: {
      cause: "`endpoint`, `link`, `source`, `credits`, `crossbar` or `undecided`",
      channel: "number of the channel; -1: none",
      utilisation: "share of the measured window in which this channel, or the sources, carried data",
      says: "the cause in one sentence",
    },
  },
  stash: {
    about: "Largest stash occupancy of each router in each interval; routers without stashed flits are left out",
    when: "probe `series`, on a switch `tiled` with a stash",
    columns: { time: "start of the interval, in cycles", router: "number of the router", flits: "flits in its stash" },
  },
  lines: {
    about: "CAM lines that are in use at the end of the run",
    when: "probe `series`, with the queue schemes `fbicm-1`, `fbicm-2` and `recn`",
    columns: {
      router: "number of the router",
      port: "port of the router",
      line: "number of the line",
      hops: "hops from the port to the congested point",
      packets: "packets in the queue of the line",
      side: "`input` or `output`",
      list: "destinations of the line",
      state: "`alone`, `mapped` or `stopping` at an input, `stop` or `go` at an output",
      from: "router or endpoint that feeds the input; at an output, the router behind it",
      to: "output port, and the line at that port to which this line is mapped",
    },
  },
  isolation: {
    about: "Lines in use and messages about them over time",
    when: "probe `series`, with a queue scheme that isolates congested flows",
    columns: {
      time: interval,
      lines: "CAM lines in use at all input ports; only of schemes that have lines",
      flits: "flits of the messages between switches in the interval",
    },
  },
  throttled: {
    about: "Endpoints that were throttled",
    when: "probe `endpoints`, with `network.congestion: cbcm`",
    columns: {
      end: "number of the endpoint",
      first: "cycle of the first throttle",
      throttles: "throttles that it received",
      cycles: "throttled cycles, summed over its flows",
    },
  },
  jobs: {
    about: "One row for each job",
    when: jobs,
    columns: {
      job: "name of the job",
      ranks: "number of ranks",
      ended: "ranks that have ended",
      began: "start time, in cycles",
      end: "end time of the last rank, in cycles",
      "communication.min": "shortest communication time of a rank",
      "communication.mean": "mean communication time of a rank",
      "communication.max": "longest communication time of a rank",
      exposed: "exposed communication: fraction of the time of the ranks in which they did not compute",
      straggler: "rank that computed longest; missing if all computed equally long",
      "straggler.excess": "computing time of that rank, relative to the mean of the ranks",
      "time.p50": "median of the times from start to end of the ranks, in cycles",
      "time.p99": "99th percentile of these times, in cycles",
      tail: "longest of these times, relative to the median",
    },
  },
  "jobs-ranks": {
    about: "One row for each rank; communication time is the time from its start to its end, minus computing",
    when: jobs,
    columns: {
      job: "name of the job",
      rank: "number of the rank",
      end: "end time, in cycles",
      communication: "communication time, in cycles",
      computing: "computing time, in cycles",
    },
  },
  "jobs-calls": {
    about: "Time for which each MPI call blocked its ranks",
    when: jobs,
    columns: {
      job: "name of the job",
      call: "name of the call",
      calls: "number of calls",
      min: "shortest time of a rank, in cycles",
      mean: "mean time of a rank, in cycles",
      max: "longest time of a rank, in cycles",
    },
  },
  "jobs-sizes": {
    about: "Message latency by size, from the interface of the sender until the receiver has all of the message",
    when: jobs,
    columns: {
      job: "name of the job",
      bytes: "size of the message",
      messages: "number of messages",
      mean: "mean latency, in cycles",
      max: "longest latency, in cycles",
    },
  },
  "jobs-flows": {
    about: "One row for each flow of a job that replays a list of flows or a matrix",
    when: "a job with `workload: trace` and a list of flows or a matrix",
    columns: {
      job: "name of the job",
      flow: "number of the flow in its file, from 0",
      src: "rank that sends it",
      dst: "rank that receives it",
      bytes: "size of the flow",
      start: "time at which the sender issued it, in cycles",
      finish: "time at which the receiver had all of it, in cycles; missing if it has not finished",
    },
  },
  "jobs-path": {
    about: "Critical path of each job, from its start to the rank that ended last",
    when: jobs,
    columns: {
      job: "name of the job",
      rank: "rank of this step",
      from: "rank that sent the message which started the step; missing in the first step",
      sent: "time at which that message was sent, in cycles",
      came: "time at which it arrived, in cycles",
      until: "time at which this rank sent the next message of the path, or ended",
    },
  },
  "jobs-operations": {
    about: "Operations of each rank with their times, in order of their ends; the last ones if not all were stored",
    when: "probe `timeline`, with jobs",
    columns: {
      job: "name of the job",
      rank: "number of the rank",
      call: "name of the call",
      state:
        "`blocked`: the call blocked the rank; `computing`: the rank computed; `progress`: the operation did not block",
      from: "start, in cycles",
      until: "end, in cycles",
      peer: "partner of a send or receive; missing if there is none, or any rank",
      bytes: "bytes of the message or of the collective; 0 of a wait or of computing",
    },
  },
  "jobs-timeline": {
    about: "Activity of each rank, or group of ranks, over time",
    when: jobs,
    columns: {
      job: "name of the job",
      rank: "rank, or first rank of the group",
      time: "start of the interval, in cycles",
      held: "fraction of the interval in which a call blocked the rank",
      computing: "fraction of the interval in which it computed",
    },
  },
} as const satisfies Readonly<Record<string, TableInfo>>

export interface ColumnInfo {
  readonly type: "text" | "integer" | "number" | "number or text" | "JSON"
  readonly about: string
}

/** Columns of the table `runs`, in their order. Names in capitals stand for several columns. */
export const runColumns: Readonly<Record<string, ColumnInfo>> = {
  hash: { type: "text", about: "run hash; every other table has the same column, for joins" },
  seed: { type: "integer", about: "seed of the random numbers" },
  KEY: {
    type: "number or text",
    about:
      "one column for each swept key, such as `load` or `routing`; " +
      "`point.KEY` if a value or another column has that name",
  },
  VALUE: { type: "number", about: "one column for each measured value; empty if the value is missing" },
  stop_reason: { type: "text", about: "stop reason" },
  stop_detail: { type: "text", about: "stop reason in one sentence" },
  missing: { type: "text", about: "reason for each missing value, such as `latency.mean=saturated`" },
  fingerprint: {
    type: "text",
    about: "hash of the final state; equal on every machine and for any number of workers",
  },
  "provenance.version": { type: "text", about: "version of lacewing" },
  "provenance.node": { type: "text", about: "version of Node" },
  "provenance.host": { type: "text", about: "machine" },
  "provenance.started": { type: "text", about: "start time" },
  "provenance.seconds": { type: "number", about: "computing time in seconds" },
  "provenance.revisions": { type: "text", about: "revisions of the engine, the plug-ins and the measurement" },
  point: { type: "JSON", about: "swept keys and their values" },
  spec: { type: "JSON", about: "complete specification of the run, with defaults" },
  shape: {
    type: "JSON",
    about: "names of the values and tables of the run; `counted` contains the numbers behind missing values",
  },
}
