// The chunk network with one event for every step, objects and a sorted list: slow, and plain enough to be believed. It
// is the twin of the reduced events in src/switches/chunk and src/endpoints/rails: both must deliver every chunk at the
// same picosecond. It knows all orders of service, and CODES' early commit.
import { linkTimes, type PacketNetwork } from "../../compile/packet/machine.ts"
import { Draws, draw, streamOf } from "../../core/rng.ts"
import { endOf } from "../../model/graph.ts"
import { EJECT, ENTRY, HANDOVER, linkNoise, localLatency, mixed, NIC, PORT } from "../../model/jitter.ts"
import { Candidates, NetView } from "../../model/routing.ts"

interface Chunk {
  readonly id: number
  readonly uid: number
  readonly dst: number
  readonly bytes: number
  hops: number
  /** slot whose credit it holds */
  up: number
  ready: number
}
interface Message {
  readonly to: number
  readonly who: number
  left: number
  index: number
}
interface Rail {
  readonly queue: Chunk[]
  free: number
  busy: boolean
  /** the head of the queue waits for a credit */
  blocked: boolean
  outstanding: number
}
interface End {
  nicIn: number
  nicFree: number
  readonly messages: Message[]
  /** earliest next hand-over */
  next: number
  /** rail whose full send queue stops the hand-over, -1 = none */
  gate: number
  pacing: boolean
}

export type Delivery = { readonly uid: number; readonly time: number; readonly hops: number }

const CLASS = { credit: 0, arrive: 1, send: 2, inject: 3, issue: 4 }

/** Every delivery up to `until` ps. */
export function plainChunks(n: PacketNetwork, until: number): Delivery[] {
  const { graph } = n.topology
  const { chunk: p, rails: railParams, seed, streams, routing } = n
  const links = linkTimes(n)
  const jitter = p.jitter === "codes"
  const early = p.commit === "early"
  const vcs = p.vcs
  const credits = Math.floor(p.buffer / p.chunk)
  const endCredits = Math.floor((p.endBuffer ?? p.buffer) / p.chunk)
  const depth = Math.max(1, Math.floor(railParams.queue / p.chunk))
  const deliveries: Delivery[] = []

  // ---- events in total order: time, class, number, then order of scheduling
  const events: { t: number; kind: number; at: number; order: number; run: () => void }[] = []
  let now = 0
  let order = 0
  function schedule(t: number, kind: number, at: number, run: () => void): void {
    events.push({ t, kind, at, order: order++, run })
    let i = events.length - 1
    while (i > 0) {
      const parent = (i - 1) >> 1
      if (!before(events[i], events[parent])) break
      const e = events[i]
      events[i] = events[parent]
      events[parent] = e
      i = parent
    }
  }
  function before(a: (typeof events)[0], b: (typeof events)[0]): boolean {
    return a.t !== b.t
      ? a.t < b.t
      : a.kind !== b.kind
        ? a.kind < b.kind
        : a.at !== b.at
          ? a.at < b.at
          : a.order < b.order
  }
  function take(): (typeof events)[0] | undefined {
    const top = events[0]
    const last = events.pop()
    if (top === undefined || last === undefined || events.length === 0) return top
    events[0] = last
    for (let i = 0; ; ) {
      let least = i
      for (const k of [2 * i + 1, 2 * i + 2]) if (k < events.length && before(events[k], events[least])) least = k
      if (least === i) return top
      const e = events[i]
      events[i] = events[least]
      events[least] = e
      i = least
    }
  }

  // ---- routers: credits in a column that the view reads, counted in flits
  const perChunk = Math.max(1, Math.round(p.chunk / n.flit))
  const most = 1 << 16
  const columns = {
    src: new Int32Array(most),
    dst: new Int32Array(most),
    flits: new Int32Array(most),
    hops: new Int32Array(most),
    key: new Int32Array(most),
    scratch: new Int32Array(most * Math.max(1, n.scratch)),
    scratchSlots: Math.max(1, n.scratch),
    slot: Int32Array.from({ length: graph.chans }, (_, c) => c * vcs),
    capacity: new Int32Array(graph.chans * vcs),
    credits: new Int32Array(graph.chans * vcs),
    vcs,
    seed,
  }
  for (let c = 0; c < graph.chans; c++)
    columns.capacity.fill((graph.far[c] <= -2 ? endCredits : credits) * perChunk, c * vcs, (c + 1) * vcs)
  columns.credits.set(columns.capacity)
  const waiting: Chunk[][] = Array.from({ length: graph.chans * vcs }, () => [])
  class View extends NetView {
    override queued(c: number): number {
      let sum = super.queued(c)
      for (let v = 0; v < vcs; v++) sum += waiting[c * vcs + v].length * perChunk
      return sum
    }
  }
  const view = new View(columns)
  const out = new Candidates(Math.max(1, n.candidates))
  const ports = Array.from({ length: graph.chans }, () => ({
    queues: Array.from({ length: vcs }, () => [] as { c: Chunk; order: number }[]),
    /** early commit: chunks that leave one after the other whatever joins later, and until when a chunk that joins is
     *  queued instead */
    committed: [] as { c: Chunk; vc: number }[],
    bound: 0,
    busy: false,
    served: 0,
    joined: 0,
  }))

  function credit(slot: number, t: number): void {
    schedule(t, CLASS.credit, slot, () => {
      if (slot >= graph.chans * vcs) return entryCredit(slot - graph.chans * vcs)
      columns.credits[slot] += perChunk
      const c = waiting[slot].shift()
      if (c !== undefined) join(c, slot)
    })
  }

  function arrive(c: Chunk, into: number): void {
    const router = graph.routerOf[into]
    view.decide(now)
    out.n = 0
    columns.hops[c.id] = c.hops
    if (c.hops === 0) routing.inject?.(c.id, router, view)
    routing.route(c.id, router, into - graph.firstChan[router], c.up < graph.chans * vcs ? c.up % vcs : 0, view, out)
    const slot = choose(router)
    c.hops++
    if (columns.credits[slot] >= perChunk) join(c, slot)
    else waiting[slot].push(c)
  }

  function choose(router: number): number {
    const options: { slot: number; cost: number; free: boolean }[] = []
    for (let i = 0; i < out.n; i++) {
      for (let v = 0; v < vcs; v++) {
        if ((out.vcMask[i] & (1 << v)) === 0) continue
        const slot = (graph.firstChan[router] + out.port[i]) * vcs + v
        options.push({ slot, cost: out.cost[i], free: columns.credits[slot] >= perChunk })
      }
    }
    const best = (of: typeof options) => of.reduce((a, b) => (b.cost < a.cost ? b : a))
    const free = options.filter((o) => o.free)
    return best(free.length > 0 ? free : options).slot
  }

  function join(c: Chunk, slot: number): void {
    columns.credits[slot] -= perChunk
    const chan = Math.floor(slot / vcs)
    const up = c.up
    const isEntry = up >= graph.chans * vcs
    const delay = isEntry ? links.entryCredit[up - graph.chans * vcs] : links.credit[Math.floor(up / vcs)]
    credit(up, now + delay + (jitter ? linkNoise(mixed(noiseOf(c))) : 0))
    c.up = slot
    const port = ports[chan]
    const vc = slot % vcs
    const wanted = jitter ? now + localLatency(noiseOf(c)) : now
    const queues = early ? now < port.bound || nextVc(chan) >= 0 : port.busy
    if (queues) port.queues[vc].push({ c, order: port.joined++ })
    else {
      port.bound = wanted
      port.committed.push({ c, vc })
    }
    if (port.busy) return
    // an idle port takes the first chunk that joins; one that is queued there has no latency to wait for
    port.busy = true
    schedule(queues ? now : wanted, CLASS.send, chan, () => serve(chan))
  }

  /** The port is free: what it committed itself to goes first, then its queues in their order. */
  function serve(chan: number): void {
    const port = ports[chan]
    const first = port.committed.shift()
    const vc = nextVc(chan)
    if (first !== undefined) depart(first.c, chan, first.vc)
    else if (vc < 0) port.busy = false
    else {
      port.bound = now
      depart(port.queues[vc].shift()!.c, chan, vc)
    }
  }

  function noiseOf(c: Chunk): number {
    return draw(c.uid ^ streamOf(seed, PORT), c.hops | (c.bytes < p.chunk ? 256 : 0))
  }

  function depart(c: Chunk, chan: number, vc: number): void {
    const port = ports[chan]
    const noise = jitter ? linkNoise(noiseOf(c)) : 0
    port.served = vc
    const end = now + (c.bytes === p.chunk ? links.full[chan] : Math.round(c.bytes * links.perByte[chan])) + noise
    schedule(end, CLASS.send, chan, () => serve(chan))
    const arrival = end + links.after[chan]
    const far = graph.far[chan]
    if (far >= 0) schedule(arrival, CLASS.arrive, far, () => arrive(c, far))
    else {
      schedule(arrival, CLASS.arrive, graph.chans + endOf(far), () => deliver(c))
      credit(c.up, arrival + links.credit[chan] + (jitter ? linkNoise(draw(c.uid ^ streamOf(seed, EJECT), 0)) : 0))
    }
  }

  function nextVc(chan: number): number {
    const { queues, served } = ports[chan]
    const some = queues.map((q, v) => ({ q, v })).filter(({ q }) => q.length > 0)
    if (some.length === 0) return -1
    if (p.order === "fifo") return some.reduce((a, b) => (b.q[0].order < a.q[0].order ? b : a)).v
    if (p.order === "strict-high") return some.at(-1)!.v
    if (p.order === "strict-low") return some[0].v
    return (some.find(({ v }) => v > served) ?? some[0]).v
  }

  function deliver(c: Chunk): void {
    deliveries.push({ uid: c.uid, time: now, hops: c.hops })
    freeIds.push(c.id)
  }

  // ---- endpoints
  const rails = graph.rails
  const ends: End[] = Array.from({ length: graph.ends }, () => ({
    nicIn: 0,
    nicFree: 0,
    messages: [],
    next: 0,
    gate: -1,
    pacing: false,
  }))
  const entries: Rail[] = Array.from({ length: graph.ends * rails }, () => ({
    queue: [],
    free: 0,
    busy: false,
    blocked: false,
    outstanding: 0,
  }))
  const freeIds: number[] = []
  let ids = 1

  function created(end: number, to: number, who: number, bytes: number): void {
    const e = ends[end]
    const reached = jitter ? now + localLatency(draw(who ^ streamOf(seed, NIC), 0)) : now
    e.nicIn = Math.max(reached, e.nicIn)
    e.nicFree =
      Math.max(e.nicIn, e.nicFree) + railParams.nic + (jitter ? localLatency(draw(who ^ streamOf(seed, NIC), 1)) : 0)
    const ready = e.nicFree
    if (to === end) {
      for (let left = bytes, k = 0; left > 0; left -= p.chunk, k++)
        deliveries.push({ uid: chunkUid(who, k), time: ready + Math.round(bytes * links.entryPerByte), hops: 0 })
      return
    }
    schedule(ready, CLASS.issue, end, () => {
      e.messages.push({ to, who, left: bytes, index: 0 })
      handOver(end)
    })
  }

  function chunkUid(who: number, index: number): number {
    return index === 0 ? who : draw(who ^ streamOf(seed, 0x4d340005), index)
  }

  /** Sends the packet that is due, if the pace allows it and the send queue of the last packet has free space. */
  function handOver(end: number): void {
    const e = ends[end]
    const m = e.messages[0]
    if (m === undefined || e.pacing) return
    if (e.gate >= 0 && entries[e.gate].queue.length >= depth) return
    const bytes = Math.min(m.left, railParams.packet)
    const bits = jitter ? draw(m.who ^ streamOf(seed, HANDOVER), m.index) : 0
    const x = end * rails + rail(end, m)
    e.gate = x
    m.left -= bytes
    const pace = railParams.pace === "rails" && p.endRate === "each" ? rails : 1
    const time = bytes % p.chunk === 0 ? (bytes / p.chunk) * (links.entryFull / pace) : bytes * links.entryPerByte
    e.pacing = true
    schedule(now + Math.round(time) + (jitter ? localLatency(bits) + linkNoise(bits) : 0), CLASS.issue, end, () => {
      e.pacing = false
      handOver(end)
    })
    for (let left = bytes; left > 0; left -= p.chunk) {
      const uid = chunkUid(m.who, m.index++)
      const id = freeIds.pop() ?? ids++
      const c: Chunk = {
        id,
        uid,
        dst: m.to,
        bytes: Math.min(left, p.chunk),
        hops: 0,
        up: graph.chans * vcs + x,
        ready: 0,
      }
      c.ready = jitter ? now + localLatency(draw(uid ^ streamOf(seed, HANDOVER), -1)) : now
      columns.src[id] = end
      columns.dst[id] = m.to
      columns.key[id] = uid
      columns.flits[id] = Math.ceil(c.bytes / n.flit)
      columns.scratch.fill(0, id * columns.scratchSlots, (id + 1) * columns.scratchSlots)
      entries[x].queue.push(c)
      // the noise may make a later chunk ready first: the queue keeps its order
      schedule(c.ready, CLASS.inject, x, () => begin(x))
    }
    if (m.left === 0) e.messages.shift()
  }

  /** The rail of a packet; with one rail there is nothing to choose. */
  function rail(end: number, m: Message): number {
    if (rails === 1) return 0
    const any = Math.floor((draw(m.who ^ streamOf(seed, 0x4d340006), m.index) >>> 0) * 2 ** -32 * rails)
    if (railParams.select === "random") return any
    let best = any
    const load = (r: number) =>
      railParams.metric === "queue" ? entries[end * rails + r].queue.length : entries[end * rails + r].outstanding
    for (let k = 1; k < rails; k++) if (load((any + k) % rails) < load(best)) best = (any + k) % rails
    return best
  }

  /** A chunk became ready: if the link idles, the head of the queue starts after the local latency. */
  function begin(x: number): void {
    const r = entries[x]
    const c = r.queue[0]
    if (c === undefined || r.busy || r.blocked || c.ready > now || now < r.free) return
    r.busy = true
    const start =
      c.ready <= r.free ? r.free : jitter ? c.ready + localLatency(draw(c.uid ^ streamOf(seed, ENTRY), 0)) : c.ready
    schedule(start, CLASS.inject, x, () => start_(x))
  }

  function start_(x: number): void {
    const r = entries[x]
    if (r.outstanding >= endCredits) {
      r.blocked = true
      return
    }
    const c = r.queue.shift()!
    r.outstanding++
    const bits = jitter ? draw(c.uid ^ streamOf(seed, ENTRY), 1) : 0
    const sent =
      now +
      (c.bytes === p.chunk ? links.entryFull : Math.round(c.bytes * links.entryPerByte)) +
      (jitter ? linkNoise(bits) : 0)
    r.free = jitter ? sent + (Math.imul(bits & 0xffff, 1001) >>> 16) : sent
    const into = graph.entry[x]
    schedule(sent + links.entryAfter[x], CLASS.arrive, into, () => arrive(c, into))
    schedule(r.free, CLASS.inject, x, () => {
      r.busy = false
      begin(x)
    })
    handOver(Math.floor(x / rails))
  }

  function entryCredit(x: number): void {
    const r = entries[x]
    r.outstanding--
    if (!r.blocked) return
    r.blocked = false
    const c = r.queue[0]
    schedule(jitter ? now + localLatency(draw(c.uid ^ streamOf(seed, ENTRY), 2)) : now, CLASS.inject, x, () =>
      start_(x),
    )
  }

  // ---- traffic: every message is an event at its creation
  const arrivals = new Draws(seed ^ 0x4d340001)
  const targets = new Draws(seed ^ 0x4d340002)
  const sizes = new Draws(seed ^ 0x4d340003)
  const state = new Int32Array(graph.ends * streams.length)
  function next(end: number, s: number, k: number, cycles: number): void {
    const stream = streams[s]
    const t = Math.round(cycles * n.cycle)
    if (!(cycles < stream.stop) || t > until) return
    schedule(t, CLASS.issue + 1 + s, end, () => {
      const entity = end * streams.length + s
      const packets = stream.message.fixed ?? stream.message.size(sizes.at(entity, k << 4))
      const flits = stream.packet.fixed ?? stream.packet.size(sizes)
      created(
        end,
        stream.pattern.dest(end, targets.at(entity, k << 4), k),
        draw(streamOf(seed ^ 0x4d340004, entity), k),
        packets * flits * n.flit,
      )
      next(
        end,
        s,
        k + 1,
        stream.arrivals.next(end, Math.round(t / n.cycle), arrivals.at(entity, (k + 1) << 4), state, entity),
      )
    })
  }
  for (let end = 0; end < graph.ends; end++)
    for (let s = 0; s < streams.length; s++)
      if (streams[s].senders === undefined || streams[s].senders![end] === 1)
        next(end, s, 0, streams[s].start + streams[s].arrivals.first(end, arrivals.at(end * streams.length + s, 0)))

  for (let e = take(); e !== undefined && e.t <= until; e = take()) {
    now = e.t
    e.run()
  }
  return deliveries.filter((d) => d.time <= until)
}
