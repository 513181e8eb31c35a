// What the schemas do not say: parameters that a plug-in needs, what must hold so that a key matters, values for lists and maps; and keys without effect.

/** Enough traffic that queues decide. */
const crowded = (pattern: string) => ({
  "traffic.pattern": pattern,
  "traffic.load": 0.9,
  "measure.window": "400cycles",
  "measure.limit": "400cycles",
})
/** Everybody to the n-th after it, of 16. */
const around = (n: number) => Array.from({ length: 16 }, (_, e) => (e + n) % 16)
/** Endpoints with two rails. */
const railed = {
  "network.topology": { name: "fitfly", q: 3, p: 2, rails: 2 },
  "network.routing": "slimfly.minimal",
  "network.links": {},
  "traffic.load": 1.6,
}
const two = [
  { name: "one", pattern: "uniform", load: 0.4, packet: "3flits" },
  { name: "two", pattern: "tornado", load: 0.4, packet: "3flits" },
]
const separable = {
  "network.switch.vcAllocator": "separable-input-first",
  "network.switch.swAllocator": "separable-input-first",
  "traffic.load": 0.9,
}
const automatic = { "measure.warmup": "auto", "measure.window": "auto", "measure.limit": "3000cycles" }

/** By "kind name", "kind name.key" or "kind *.key": keys of the scene to set first, and values to try. */
export const special: Readonly<Record<string, { readonly with?: Readonly<Record<string, unknown>>; readonly to?: readonly unknown[] }>> = {
  "topology *.failed": { to: Array.from({ length: 24 }, (_, r) => [`0-${r + 1}`]) },
  // up-down routing does not use every link: one that fails may be missed by nobody
  "topology *.failures": { to: [1, 2, 4, 8, 16] },
  "topology butterfly": { with: { k: 2, n: 2 } },
  "topology butterfly.k": { with: { "network.routing": "butterfly.destination-tag" } },
  "topology butterfly.n": { with: { "network.routing": "butterfly.destination-tag" } },
  "topology butterfly.failed": { with: { "network.routing": "butterfly.destination-tag" }, to: [["0-2"]] },
  "topology butterfly.failures": { with: { "network.routing": "butterfly.destination-tag" } },
  "topology cmesh": { with: { k: 2 } },
  "topology cmesh.k": { to: [4] },
  "topology crossbar": { with: { n: 4 } },
  "topology dragonfly": { with: { p: 1, a: 4, h: 2, g: 5 } },
  "topology dragonfly.parallel": { to: [1] },
  "topology fitfly": { with: { q: 3, p: 1 } },
  "topology graph": { with: { file: "ring.txt" } },
  "topology graph.file": { to: ["pair.txt"] },
  "topology graph.form": { to: ["json"] },
  "topology graph.duplicates": { with: { "network.topology.file": "double.txt", "network.topology.duplicates": true } },
  "topology hyperx": { with: { sides: "3x3" } },
  "topology hyperx.k": { with: { "network.topology": { name: "hyperx", k: 3, n: 2 } } },
  "topology hyperx.n": { with: { "network.topology": { name: "hyperx", k: 3, n: 2 } } },
  "topology hyperx.sides": { to: ["4x2"] },
  "topology hyperx.links": { to: [[2]] },
  "topology hyperx.block": { with: { "network.topology": { name: "hyperx", sides: "4x4", p: 4 } }, to: ["2x2"] },
  "topology mesh.k": { with: { "network.topology": { name: "mesh", k: 3, n: 2 } } },
  "topology mesh.n": { with: { "network.topology": { name: "mesh", k: 3, n: 2 } } },
  "topology mesh.sides": { to: ["4x2"] },
  "topology torus.k": { with: { "network.topology": { name: "torus", k: 3, n: 2 } } },
  "topology torus.n": { with: { "network.topology": { name: "torus", k: 3, n: 2 } } },
  "topology torus.sides": { to: ["4x2"] },
  "topology xgft.m": { to: [[3, 4]] },
  "topology xgft.w": { to: [[1, 2]] },
  "topology xgft.links": { to: [[1, 2]] },
  "topology mesh": { with: { sides: "3x3" } },
  "topology torus": { with: { sides: "3x3" } },
  "topology tree": { with: { k: 2, n: 3 } },
  "topology slimfly": { with: { q: 3 } },
  "topology polarfly": { with: { q: 3 } },
  "topology oft": { with: { q: 2 } },
  "topology megafly": { with: { groups: 3, leaves: 2, spines: 2, p: 1 } },
  "topology cascade": { with: { groups: 2, rows: 2, columns: 2, bundle: 1, p: 1 } },
  "topology cascade.bundle": { to: [2] },

  "routing *.odd": { with: { ...crowded("uniform"), "network.switch.vcs": 3 } },
  "routing any.table.file": { to: ["other-square.txt"] },
  "routing dragonfly.booksim-ugal.bias": { with: crowded("group-adversarial"), to: ["0flits"] },
  "routing dragonfly.par.idle": { with: crowded("group-adversarial"), to: ["1flit", "4flits"] },
  "routing dragonfly.par62.idle": { with: crowded("group-adversarial"), to: ["1flit", "400flits"] },
  "routing dragonfly.par-codes.draws": {
    with: { ...crowded("uniform"), "network.topology": { name: "dragonfly", p: 2, a: 2, h: 4, g: 3, arrangement: "codes" } },
  },
  "routing megafly.par.draws": {
    with: { ...crowded("uniform"), "network.topology": { name: "megafly", groups: 3, leaves: 2, spines: 2, p: 2, h: 4 } },
  },
  "routing hyperx.ugal-g.odd": { with: { ...crowded("uniform"), "network.switch.vcs": 5 } },
  "routing hyperx.ugal-l.odd": { with: { ...crowded("uniform"), "network.switch.vcs": 5 } },
  "routing hyperx.valiant.odd": { with: { "network.switch.vcs": 5 } },
  "routing torus.dimension-order.odd": { with: { "network.switch.vcs": 5 } },
  "routing torus.bubble.tie": { with: { "network.switch.flow": "cut-through" } },
  "routing torus.bubble.trunk": { with: { "network.switch.flow": "cut-through" } },

  "pattern fixed.to": { with: { "traffic.pattern.to": around(1) }, to: [around(2)] },
  "pattern fixed.pairs": { with: { "traffic.pattern.pairs": [[0, 5]] }, to: [[[0, 6]]] },
  "pattern group-adversarial.offset": { with: { "traffic.pattern.size": 4 } },
  "pattern group-adversarial.size": { with: { "traffic.pattern.size": 4 }, to: [2] },
  "pattern hotspot": { with: { targets: [0, 1] } },
  "pattern hotspot.targets": { to: [[0, 2]] },
  "pattern hotspot.rates": { to: [[1, 3]] },
  "pattern matrix": { with: { file: "all.csv" } },
  "pattern matrix.file": { to: ["some.csv"] },
  "pattern to-set": { with: { set: [0, 1] } },
  "pattern to-set.set": { to: [[0, 2]] },
  "pattern neighbour.digits": { to: [[16, 1]] },
  "pattern neighbour.radix": { to: [16] },
  "pattern neighbour.count": { with: { "traffic.pattern.radix": 4, "traffic.pattern.count": 2 }, to: [1] },
  "pattern tornado.digits": { to: [[16, 1]] },
  "pattern tornado.radix": { to: [16] },
  "pattern tornado.count": { with: { "traffic.pattern.radix": 4, "traffic.pattern.count": 2 }, to: [1] },

  "sizes fixed": { with: { size: "2flits" } },
  "sizes bimodal": { with: { short: "1flit", long: "4flits" } },
  "sizes range": { with: { min: "1flit", max: "4flits" } },
  "sizes weighted": { with: { sizes: ["1flit", "4flits"], weights: [1, 1] } },
  "sizes weighted.sizes": { to: [["1flit", "5flits"]] },
  "sizes weighted.weights": { to: [[1, 4]] },

  "switch input-queued.total": { with: { "network.switch.sharing": "damq", "traffic.load": 0.9 }, to: ["8flits"] },
  "switch input-queued.reserve": { with: { "network.switch.sharing": "damq", "traffic.load": 0.9 }, to: ["6flits"] },
  "switch input-queued.stages": { with: { "network.switch.traverse": 3 } },
  "switch input-queued.flow": { with: { "traffic.packet": "7flits", "traffic.load": 0.9 } },
  "switch input-queued.busyWhenFull": {
    with: { "traffic.packet": "7flits", "traffic.load": 0.9, "network.switch.vcs": 1, "network.switch.buffer": "2flits" },
  },
  "switch input-queued.arbiter": { with: separable },
  "switch input-queued.priority": { with: separable },
  "switch chunk.endBuffer": { to: ["1KiB"] },
  "switch chunk.credit": { with: { "network.switch.buffer": "1KiB" } },
  "switch chunk.creditSize": { with: { "network.switch.buffer": "1KiB" }, to: ["1KiB"] },
  "switch chunk.commit": { with: { "network.switch.order": "strict-high" } },
  "switch chunk.creditWire": { with: { "network.switch.buffer": "1KiB", "network.links": { link: "200ns" } } },
  "switch chunk.endRate": { with: railed },
  "switch tiled.carries": { to: [{ link: [0, 3] }] },
  "switch tiled.reliability": { with: { "network.switch.errors": {}, "network.switch.timeout": "0cycles" } },
  "switch tiled.cap": { to: [{ link: 0.1 }] },
  "switch tiled.still": { to: [{ link: 0.1 }] },
  "switch tiled.stash": { to: [{ end: 0.25 }] },
  "switch tiled.errors": { to: [{ link: 0.3 }] },
  "switch tiled.linkErrors": { to: [{ link: 0.3 }] },
  "switch tiled.sidebandSpread": { to: [300] },

  "endpoint simple.turnaround": { with: { "network.endpoint": { name: "simple" }, "traffic.reply": "2flits" }, to: ["5cycles"] },
  "endpoint simple.vc": { with: { "network.endpoint": { name: "simple" } } },
  "endpoint rails.select": { with: railed },
  "endpoint rails.metric": { with: railed },
  "endpoint rails.pace": { with: railed },
  "endpoint queue-pairs.backlog": { to: [1] },
  "congestion ecn-window.least": { to: ["64flits"] },

  "network *.links": { to: [{ link: "30cycles" }] },
  "network *.cycle": { with: { "network.links": { end: "6ns", link: "6ns" } }, to: ["2ns"] },
  // orders are shuffled from the third try on, and which of them need fewer layers is chance
  "routing any.layered.tries": { to: [1, 2, 20, 100] },
  "network input-queued.flit": { with: { "traffic.packet": "24B" }, to: ["12B"] },
  "network tiled.flit": { with: { "network.switch.buffer": "1600B" }, to: ["16B"] },
  "network *.flit": { to: ["16B"] },
  "stream *.from": { to: [[1, 2]] },
  "stream *.start": { to: ["100cycles"] },
  "stream *.stop": { to: ["100cycles"] },
  "stream *.name": { to: ["other"] },
  "stream input-queued.name": { with: { traffic: two }, to: ["other"] },
  "stream input-queued.priority": { with: { traffic: two } },
  // VCs are told apart where their buffers fill
  "stream chunk.class": { with: { "network.switch.buffer": "1KiB" } },
  "stream chunk.name": { with: { traffic: two.map((t) => ({ ...t, packet: "4KiB" })) }, to: ["other"] },
  "measure *.warmup": { with: { "measure.limit": "20kcycles" }, to: ["50cycles"] },
  "measure *.window": { with: { "measure.limit": "20kcycles" }, to: ["50cycles"] },
  "measure *.precision": { with: { ...automatic, "measure.limit": "16000cycles", "traffic.load": 0.2 }, to: [0.5, 0.0001] },
  "measure tiled.precision": {
    with: { ...automatic, "measure.limit": "16000cycles", "traffic.0.load": 0.05, "traffic.1.load": 0.1, "network.switch.errors": {} },
    to: [0.5, 0.0001],
  },
  "measure chunk.precision": { with: { ...automatic, "measure.limit": "100us", "traffic.load": 0.2 }, to: [0.5, 0.0001] },
  "measure *.limit": { with: automatic, to: ["1500cycles"] },
  "measure *.saturation": {
    with: { ...automatic, "measure.limit": "10000cycles", "traffic.load": 1, "traffic.pattern": { name: "to-set", set: [0] } },
  },
  "measure tiled.saturation": { with: { ...automatic, "measure.limit": "10000cycles", "traffic.0.load": 1 } },
  "measure chunk.saturation": {
    with: { ...automatic, "measure.limit": "40us", "traffic.load": 1, "traffic.pattern": { name: "to-set", set: [0] } },
  },
  "measure *.series": { with: { probes: ["series"] }, to: ["128cycles"] },
}

/** Keys of which every other value is refused in any scene, and why. */
export const refused: Readonly<Record<string, string>> = {
  "topology crossbar.failed": "one switch has no links that could fail",
  "topology crossbar.failures": "one switch has no links that could fail",
  "topology graph.form": "the file is of one form, and found by auto",
  "topology graph.duplicates": "whether a file may name a link twice",
  "pattern neighbour.count": "digits must number the endpoints of the network",
  "pattern tornado.count": "digits must number the endpoints of the network",
  "endpoint rails.rails": "must be the planes of the network",
  "stream tiled.priority": "an ability that the switch does not declare",
  "stream tiled.class": "an ability that the switch does not declare",
  "stream tiled.reply": "an ability that the switch does not declare",
  "stream chunk.priority": "an ability that the switch does not declare",
  "stream chunk.reply": "an ability that the switch does not declare",
}

/** Keys that may be changed without an effect, and why. */
export const without: Readonly<Record<string, string>> = {
  "pattern bit-complement.self": "no endpoint is its own complement: the key is that of all permutations",
  "pattern neighbour.self": "no endpoint is its own neighbour where a digit has two values or more",
  "pattern tornado.self": "half a ring away is another endpoint where a digit has three values or more",
  "switch input-queued.transfer": "two ways to compute the same result, to the bit (test/twins/held.test.ts)",
  "engine packet.sync": "results are the same in every mode, to the bit (test/twins/packet-modes.test.ts)",
  "engine packet.protocol": "results are the same in every mode, to the bit (test/twins/packet-modes.test.ts)",
  "engine packet.optimism": "results are the same however far a worker runs ahead (test/twins/packet-modes.test.ts)",
  "engine packet.interval": "results are the same however often workers look (test/twins/packet-modes.test.ts)",
  "engine packet.workers": "results are the same for any number of workers (test/twins/packet-modes.test.ts)",
}
