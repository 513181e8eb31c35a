// The network as an immutable graph: routers with numbered ports, and endpoints on some of them. A topology builds it
// once with GraphBuilder; all other parts share it.
import type { Chan, End, Port, Router } from "./ids.ts"

/** In `far` and `near`: the port is not connected. */
export const UNWIRED = -1
/** In `far` and `near`: endpoint `e` is written as endMark(e); a value <= -2 is an endpoint. */
export function endMark(e: End): number {
  return -2 - e
}
export function endOf(mark: number): End {
  return -2 - mark
}

export interface Graph {
  readonly ends: number
  readonly routers: number
  /** number of channels (ports) of all routers */
  readonly chans: number
  /** links of one endpoint; 1 except in multi-rail networks */
  readonly rails: number
  /** [router] -> its first channel; one entry more than routers */
  readonly firstChan: Int32Array
  /** [chan] -> the router whose output it is */
  readonly routerOf: Int32Array
  /** [chan] -> the input port (numbered as channels) where it arrives; UNWIRED, or endMark(end) if it ejects */
  readonly far: Int32Array
  /**
   * [input port] -> the channel that feeds it; UNWIRED, or endMark(end) if an endpoint injects here. The inverse of
   * `far`.
   */
  readonly near: Int32Array
  /** [chan] -> latency in the engine's unit (cycles, or picoseconds for the packet engine) */
  readonly latency: Int32Array
  /** [chan] -> index into `classes` */
  readonly linkClass: Uint8Array
  readonly classes: readonly string[]
  /** [end * rails + rail] -> the channel that ejects to it */
  readonly home: Int32Array
  /**
   * [end * rails + rail] -> the input port where it injects (the same number as `home` except in unidirectional
   * networks)
   */
  readonly entry: Int32Array
  /** [end * rails + rail] -> latency of the injection channel */
  readonly entryLatency: Int32Array
}

type Spec = { classes: readonly string[]; latencies?: readonly number[]; rails?: number }

/**
 * Builds a graph: add links and endpoints, then call finish(). Calls in a wrong order throw an error that names the
 * missing step. Class 0 is the endpoint link.
 */
export class GraphBuilder {
  readonly ends: number
  readonly routers: number
  readonly spec: Spec
  private readonly firstChan: Int32Array
  private readonly far: Int32Array
  private readonly near: Int32Array
  private readonly linkClass: Uint8Array
  private readonly latency: Int32Array
  private readonly home: Int32Array
  private readonly entry: Int32Array
  private done = false

  /** `ports`: number of ports of each router, or of all of them. */
  constructor(ends: number, routers: number, ports: number | ArrayLike<number>, spec: Spec) {
    this.ends = ends
    this.routers = routers
    this.spec = spec
    this.firstChan = shared(Int32Array, routers + 1)
    for (let r = 0; r < routers; r++)
      this.firstChan[r + 1] = this.firstChan[r] + (typeof ports === "number" ? ports : ports[r])
    const chans = this.firstChan[routers]
    this.far = shared(Int32Array, chans).fill(UNWIRED)
    this.near = shared(Int32Array, chans).fill(UNWIRED)
    this.linkClass = shared(Uint8Array, chans)
    this.latency = shared(Int32Array, chans).fill(spec.latencies?.[0] ?? 1)
    this.home = shared(Int32Array, ends * (spec.rails ?? 1)).fill(UNWIRED)
    this.entry = shared(Int32Array, ends * (spec.rails ?? 1)).fill(UNWIRED)
  }

  /** Adds a link in both directions. */
  link(a: Router, portA: Port, b: Router, portB: Port, linkClass = 1): void {
    this.wire(a, portA, b, portB, linkClass)
    this.wire(b, portB, a, portA, linkClass)
  }

  /** Adds one direction: output `portA` of `a` leads to input `portB` of `b`. */
  wire(a: Router, portA: Port, b: Router, portB: Port, linkClass = 1, latency?: number): void {
    const out = this.port(a, portA)
    const into = this.port(b, portB)
    if (this.far[out] !== UNWIRED) throw new Error(`output ${portA} of router ${a} is wired twice`)
    if (this.near[into] !== UNWIRED) throw new Error(`input ${portB} of router ${b} is wired twice`)
    this.far[out] = into
    this.near[into] = out
    this.linkClass[out] = linkClass
    this.latency[out] = latency ?? this.spec.latencies?.[linkClass] ?? 1
  }

  /** Attaches endpoint `e` to a port, in both directions. */
  attach(e: End, r: Router, port: Port, rail = 0): void {
    this.inject(e, r, port, rail)
    this.eject(e, r, port, rail)
  }

  inject(e: End, r: Router, port: Port, rail = 0): void {
    const c = this.port(r, port)
    if (this.near[c] !== UNWIRED) throw new Error(`input ${port} of router ${r} is wired twice`)
    this.near[c] = endMark(e)
    this.entry[e * (this.spec.rails ?? 1) + rail] = c
  }

  eject(e: End, r: Router, port: Port, rail = 0): void {
    const c = this.port(r, port)
    if (this.far[c] !== UNWIRED) throw new Error(`output ${port} of router ${r} is wired twice`)
    this.far[c] = endMark(e)
    this.home[e * (this.spec.rails ?? 1) + rail] = c
  }

  finish(): Graph {
    this.done = true
    const rails = this.spec.rails ?? 1
    for (let i = 0; i < this.ends * rails; i++) {
      if (this.home[i] === UNWIRED || this.entry[i] === UNWIRED)
        throw new Error(`endpoint ${Math.floor(i / rails)} is not attached: call attach() before finish()`)
    }
    const chans = this.firstChan[this.routers]
    const routerOf = shared(Int32Array, chans)
    for (let r = 0; r < this.routers; r++) routerOf.fill(r, this.firstChan[r], this.firstChan[r + 1])
    return {
      ends: this.ends,
      routers: this.routers,
      chans,
      rails,
      firstChan: this.firstChan,
      routerOf,
      far: this.far,
      near: this.near,
      latency: this.latency,
      linkClass: this.linkClass,
      classes: this.spec.classes,
      home: this.home,
      entry: this.entry,
      entryLatency: shared(Int32Array, this.ends * rails).fill(this.spec.latencies?.[0] ?? 1),
    }
  }

  private port(r: Router, port: Port): Chan {
    if (this.done) throw new Error("the graph is finished: make a new builder")
    const c = this.firstChan[r] + port
    if (!(r >= 0 && r < this.routers && port >= 0 && c < this.firstChan[r + 1]))
      throw new Error(`router ${r} has no port ${port}`)
    return c
  }
}

/** Sets latencies by link class, before a run; classes without an entry keep theirs. Class 0 is the endpoint link. */
export function setLatencies(graph: Graph, byClass: ReadonlyMap<string, number>): void {
  for (let c = 0; c < graph.chans; c++)
    graph.latency[c] = byClass.get(graph.classes[graph.linkClass[c]]) ?? graph.latency[c]
  const end = byClass.get(graph.classes[0])
  if (end !== undefined) graph.entryLatency.fill(end)
}

type IntArray = Int32Array | Uint8Array | Uint16Array | Uint32Array | Float64Array
interface ArrayKind<A extends IntArray> {
  readonly BYTES_PER_ELEMENT: number
  new (buffer: ArrayBufferLike): A
  new (length: number): A
}

/**
 * Allocates memory that workers can share, if the platform permits it (a page without cross-origin isolation does not).
 */
export function shared<A extends IntArray>(kind: ArrayKind<A>, length: number): A {
  return typeof SharedArrayBuffer === "undefined"
    ? new kind(length)
    : new kind(new SharedArrayBuffer(length * kind.BYTES_PER_ELEMENT))
}
