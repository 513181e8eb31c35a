// Small networks that between them use every option of the clocked engine and its switch.
import type { Named } from "../../src/model/experiment.ts"
import type { Wish } from "./machine.ts"

const torus: Pick<Wish, "topology" | "routing"> = {
  topology: { name: "torus", k: 4, n: 2 },
  routing: { name: "torus.dimension-order" },
}
const dragonfly: Pick<Wish, "topology" | "links"> = {
  topology: { name: "dragonfly", p: 1, a: 4, h: 1 },
  links: { local: "3cycles", global: "9cycles" },
}
const mixed: Named = { name: "bimodal", short: "1flit", long: "6flits", share: 0.3 }

/** All of them are loaded past what they can carry comfortably, so that buffers fill and everything waits for
 *  something. */
export const options: Readonly<Record<string, Wish>> = {
  plain: { traffic: [{ load: 0.5 }] },
  "one VC": { switch: { vcs: 1, buffer: "2flits" }, traffic: [{ load: 0.3 }] },
  "three VCs, 5 flits": { switch: { vcs: 3, buffer: "4flits" }, traffic: [{ load: 0.5, flits: 5 }] },
  "16 VCs (more than one word for a router)": {
    switch: { vcs: 16, buffer: "2flits" },
    traffic: [{ load: 0.6, flits: 3 }],
  },
  "mixed sizes": { traffic: [{ load: 0.5, packet: mixed }] },
  "messages of several packets": { traffic: [{ load: 0.4, flits: 2, message: { name: "fixed", size: "4packets" } }] },
  damq: { switch: { vcs: 3, buffer: "6flits", sharing: "damq", reserve: "1flit" }, traffic: [{ load: 0.6, flits: 4 }] },
  "damq, cut-through": {
    switch: { vcs: 2, buffer: "12flits", sharing: "damq", reserve: "4flits", flow: "cut-through" },
    traffic: [{ load: 0.5, flits: 4 }],
  },
  "cut-through": {
    switch: { vcs: 2, buffer: "10flits", flow: "cut-through" },
    traffic: [{ load: 0.5, packet: mixed }],
  },
  hold: { switch: { hold: true }, traffic: [{ load: 0.5, flits: 6 }] },
  "hold, damq": { switch: { vcs: 2, hold: true, sharing: "damq" }, traffic: [{ load: 0.5, packet: mixed }] },
  "look-ahead": { switch: { route: 0 }, traffic: [{ load: 0.5, flits: 2 }] },
  speculative: { switch: { route: 0, speculative: true }, traffic: [{ load: 0.5, flits: 2 }] },
  "speculative with priorities": {
    switch: {
      speculative: true,
      vcAllocator: "separable-input-first",
      swAllocator: "separable-input-first",
      priority: "age",
    },
    traffic: [{ load: 0.5, flits: 3 }],
  },
  "speed 2": { switch: { speed: 2 }, traffic: [{ load: 0.6, flits: 3 }] },
  "speed 1.3": { switch: { speed: 1.3, route: 0 }, traffic: [{ load: 0.6, packet: mixed }] },
  "crossbar speed-up": { switch: { inputSpeedup: 2, outputSpeedup: 2 }, traffic: [{ load: 0.6, flits: 2 }] },
  "slow stages": { switch: { route: 2, vc: 2, switch: 2, traverse: 3 }, traffic: [{ load: 0.5, flits: 3 }] },
  "credit delay": { switch: { buffer: "4flits", creditDelay: "3cycles" }, traffic: [{ load: 0.5, flits: 2 }] },
  "tail credit": { switch: { tailCredit: true }, traffic: [{ load: 0.4, flits: 3 }] },
  "busy when full": { switch: { busyWhenFull: true, buffer: "2flits" }, traffic: [{ load: 0.4, flits: 3 }] },
  "iSLIP of 3 rounds": { switch: { vcAllocator: "islip(3)", swAllocator: "islip(3)" }, traffic: [{ load: 0.5 }] },
  wavefront: { switch: { vcAllocator: "wavefront", swAllocator: "wavefront" }, traffic: [{ load: 0.5, flits: 2 }] },
  pim: { switch: { vcAllocator: "pim(2)", swAllocator: "pim(2)" }, traffic: [{ load: 0.5, flits: 2 }] },
  maximum: { switch: { vcAllocator: "maximum", swAllocator: "maximum" }, traffic: [{ load: 0.5, flits: 2 }] },
  "input first": {
    switch: { vcAllocator: "separable-input-first", swAllocator: "separable-input-first" },
    traffic: [{ load: 0.5, flits: 2 }],
  },
  "matrix arbiters": {
    switch: { vcAllocator: "separable-output-first", swAllocator: "separable-input-first", arbiter: "matrix" },
    traffic: [{ load: 0.5, flits: 2 }],
  },
  retention: { switch: { retention: "5flits" }, links: { link: "4cycles" }, traffic: [{ load: 0.5, flits: 2 }] },
  "retention, speed 2, cut-through": {
    switch: { retention: "9flits", speed: 2, flow: "cut-through", buffer: "12flits", vcs: 2 },
    links: { link: "3cycles" },
    traffic: [{ load: 0.5, packet: mixed }],
  },
  "request and reply": { switch: { vcs: 4 }, traffic: [{ load: 0.15, flits: 1, reply: "3flits" }] },
  "request and reply of one size": { switch: { vcs: 4 }, traffic: [{ load: 0.2, flits: 2, reply: "2flits" }] },
  "two streams": {
    switch: { vcs: 4, vcAllocator: "separable-input-first", swAllocator: "separable-input-first", priority: "class" },
    traffic: [
      { load: 0.3, flits: 2, class: 0 },
      { load: 0.2, flits: 5, class: 1, priority: 3, pattern: { name: "hotspot", targets: [3], share: 0.5 } },
    ],
  },
  "bursts and pauses": { traffic: [{ load: 0.4, flits: 2, arrivals: { name: "on-off", on: "20cycles" } }] },
  "torus, dateline": { ...torus, traffic: [{ load: 0.6, flits: 3 }] },
  "torus, bubbles": {
    topology: { name: "torus", k: 4, n: 2 },
    routing: { name: "torus.bubble" },
    switch: { vcs: 1, buffer: "8flits", flow: "cut-through" },
    traffic: [{ load: 0.5, flits: 2 }],
  },
  "mesh, adaptive": { routing: { name: "mesh.adaptive" }, switch: { vcs: 3 }, traffic: [{ load: 0.5, flits: 3 }] },
  "tree, adaptive": {
    topology: { name: "tree", k: 2, n: 3 },
    routing: { name: "tree.nearest-ancestor", up: "adaptive" },
    traffic: [{ load: 0.7, flits: 2 }],
  },
  "dragonfly, UGAL": {
    ...dragonfly,
    routing: { name: "dragonfly.ugal-l" },
    switch: { vcs: 6 },
    traffic: [{ load: 0.5, flits: 2, pattern: { name: "group-adversarial" } }],
  },
  "dragonfly, random injection VC": {
    ...dragonfly,
    routing: { name: "dragonfly.minimal" },
    endpoint: { name: "simple", vc: "random" },
    switch: { vcs: 4, speed: 2 },
    traffic: [{ load: 0.5 }],
  },
}
