// The templates plugin-KIND: a commented module of the gallery (examples/plugins), a test of it, and an experiment that
// compares it with a built-in plug-in. They run as they are written.
import type { Starter } from "./starter.ts"

interface Template {
  readonly about: string
  /** file of the gallery */
  readonly module: string
  /** the experiment, without its first lines and `plugins` */
  readonly text: string
  /** files that the experiment reads */
  readonly files?: Readonly<Record<string, string>>
}

const templates: Readonly<Record<string, Template>> = {
  routing: {
    about: "A custom routing algorithm on a mesh",
    module: "o1turn.mjs",
    text: `title: O1TURN compared with dimension order on a mesh
network:
  topology: { name: mesh, sides: 8x8 }
  routing: my.o1turn
  switch: { name: input-queued, vcs: 4, buffer: 8flits }
traffic: { pattern: transpose, packet: 1flit, load: 0.1 }
measure: { warmup: 2kcycles, window: 4kcycles, limit: 20kcycles }
sweep: { traffic.load: [0.1, 0.2, 0.3] }
variants:
  mine: {}
  dimension-order: { network: { routing: mesh.dimension-order } }
`,
  },
  topology: {
    about: "A custom topology, with a routing that fits every topology",
    module: "chordal-ring.mjs",
    text: `title: A chordal ring
network:
  topology: { name: my.chordal-ring, routers: 12, p: 2 }
  routing: any.up-down
  # a latency for each class of links
  links: { ring: 2cycles, chord: 5cycles }
traffic: { pattern: uniform, packet: 2flits, load: 0.05 }
measure: { warmup: 2kcycles, window: 4kcycles, limit: 20kcycles }
sweep: { traffic.load: [0.05, 0.1] }
`,
  },
  pattern: {
    about: "A custom traffic pattern, size distribution and arrival process",
    module: "mice-and-elephants.mjs",
    text: `title: Mice and elephants on a torus
network:
  topology: { name: torus, sides: 4x4 }
  routing: torus.dimension-order
traffic:
  pattern: { name: my.shift, by: 5 }
  packet: { name: my.mice, long: 16flits }
  arrivals: my.pairs
  load: 0.1
measure: { warmup: 2kcycles, window: 4kcycles, limit: 20kcycles }
sweep: { traffic.load: [0.1, 0.2] }
`,
  },
  congestion: {
    about: "A custom congestion control, compared with built-in ones",
    module: "constant-window.mjs",
    text: `title: A constant window compared with none and nscc
network:
  topology: { name: hyperx, sides: "4", p: 4 }
  routing: hyperx.minimal
  # one VC more than the routing needs, for the control packets
  switch: { name: combined, vcs: 3 }
  endpoint: { name: queue-pairs, ack: 0flits, active: 1024 }
  links: { link: 50cycles, end: 1cycle }
# lacewing arena needs the names hot and victims
traffic:
  - { name: hot, pattern: { name: to-set, set: [4] }, from: [0, 5, 8, 12], load: 1, packet: 8flits, start: 2kcycles }
  - name: victims
    pattern: { name: to-set, set: [1, 2, 3, 6, 7, 9, 10, 11, 13, 14, 15] }
    from: [1, 2, 3, 6, 7, 9, 10, 11, 13, 14, 15]
    load: 0.3
    packet: 8flits
measure: { warmup: 4kcycles, window: 8kcycles, limit: 12kcycles, drain: none, saturation: never, series: 200cycles }
probes: [series, endpoints]
variants:
  none: {}
  nscc: { network: { congestion: nscc } }
  mine: { network: { congestion: { name: my.constant-window, window: 256flits } } }
`,
  },
  workload: {
    about: "A custom parallel program",
    module: "ring-channels.mjs",
    text: `title: Ring all-reduce with channels
network:
  topology: { name: hyperx, sides: "4", p: 4 }
  routing: hyperx.minimal
  switch: { name: combined, vcs: 2 }
  endpoint: { name: queue-pairs, ack: 0flits }
  flit: 32B
jobs: { workload: { name: my.ring-channels, ranks: 16, bytes: 64KiB, channels: 1 } }
measure: { until: jobs, limit: 1Mcycles }
sweep: { jobs.workload.slices: [1, 2] }
`,
  },
  trace: {
    about: "A custom reader of traces, with a trace of flows",
    module: "flow-list.mjs",
    text: `title: A list of flows, on short links and on long ones
network:
  topology: { name: hyperx, sides: "4", p: 2 }
  routing: hyperx.minimal
  switch: { name: combined, vcs: 2 }
  endpoint: { name: queue-pairs, ack: 0flits }
  flit: 32B
# the reader turns the lines of the file into sends and receives of ranks
jobs: { workload: { name: my.flow-list, file: my.flows } }
measure: { until: jobs, limit: 1Mcycles }
variants:
  short: {}
  long: { network: { links: { link: 500cycles } } }
`,
    files: {
      "my.flows": `# source destination bytes start (ns)
0 4 65536 0
1 4 65536 0
2 6 4096 200
5 3 16384 500
4 0 4096 9000
`,
    },
  },
  scheduler: {
    about: "A custom scheduler of service levels",
    module: "weighted-round-robin.mjs",
    text: `title: Weighted round robin with weights 3 and 1
network:
  topology: { name: mesh, sides: "3", p: 2 }
  routing: mesh.dimension-order
  switch: { name: infiniband, vcs: 2 }
  endpoint: service-levels
  qos: { name: my.weighted-round-robin, weights: [3, 1] }
# two classes together need more than the link to endpoint 3 carries
traffic:
  - { name: heavy, class: 0, pattern: { name: to-set, set: [3] }, from: [0, 1], load: 0.9, packet: 4flits }
  - { name: light, class: 1, pattern: { name: to-set, set: [3] }, from: [0, 1], load: 0.9, packet: 4flits }
measure: { warmup: 2kcycles, window: 6kcycles, limit: 10kcycles, drain: none, saturation: never }
variants:
  mine: {}
  round-robin: { network: { qos: round-robin } }
`,
  },
  probe: {
    about: "A custom probe, with tables and figures",
    module: "busiest-channels.mjs",
    text: `title: The busiest channels of a torus
network:
  topology: { name: torus, sides: 4x4 }
  routing: torus.dimension-order
traffic: { pattern: tornado, packet: 1flit, load: 0.1 }
measure: { warmup: 2kcycles, window: 4kcycles, limit: 20kcycles }
probes: [{ name: my.busiest, count: 8 }]
sweep: { traffic.load: [0.1, 0.2] }
`,
  },
  switch: {
    about: "A switch with a custom arbiter",
    module: "input-first.mjs",
    text: `title: A switch with a custom arbiter, compared with combined
network:
  topology: { name: hyperx, sides: 3x3, p: 3 }
  routing: hyperx.ugal-l
  switch: { name: my.input-first, vcs: 4, buffer: 64flits, output: 16flits }
  endpoint: { name: queue-pairs, ack: 0flits }
  links: { link: 10cycles, end: 1cycle }
traffic: { pattern: uniform, packet: 4flits, load: 0.2 }
measure: { warmup: 2kcycles, window: 4kcycles, limit: 10kcycles }
sweep: { traffic.load: [0.2, 0.5] }
variants:
  mine: {}
  output-first: { network: { switch: { name: combined, allocator: output-first } } }
`,
  },
  endpoint: {
    about: "A custom endpoint",
    module: "paced-endpoint.mjs",
    text: `title: An endpoint that sends several messages concurrently
network:
  topology: { name: hyperx, sides: "4", p: 4 }
  routing: hyperx.minimal
  switch: { name: combined, vcs: 2 }
  endpoint: { name: my.paced, active: 8 }
traffic: { pattern: uniform, packet: 4flits, message: 8packets, load: 0.3 }
measure: { warmup: 2kcycles, window: 4kcycles, limit: 10kcycles }
variants:
  eight: {}
  one: { network: { endpoint: { active: 1 } } }
`,
  },
}

export const pluginStarters: Readonly<Record<string, Starter>> = Object.fromEntries(
  Object.entries(templates).map(([kind, { about, module, text, files }]) => {
    const own = `my-${kind}.mjs`
    const starter: Starter = {
      about,
      text: `# yaml-language-server: $schema=schema.json\nlacewing: 1\nplugins: [./${own}]\n${text}`,
      gallery: { [own]: module, [`my-${kind}.test.mjs`]: "tests/contract.mjs" },
      ...(files === undefined ? {} : { files }),
    }
    return [`plugin-${kind}`, starter]
  }),
)
