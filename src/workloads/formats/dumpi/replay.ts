// Converts the calls of one rank of a DUMPI trace into operations. It replays the recorded behaviour: a Waitsome waits
// for the requests that it completed, a Test counts only if it returned true, and the time between two calls is
// computation. One-sided communication is counted, but not replayed.
import { ANY, BLOCKS, Kind, NONE, PARTIAL, SYNCHRONOUS } from "../../program.ts"
import type { RankWriter } from "../../writer.ts"
import { Requests } from "../requests.ts"
import { BadCall } from "./file.ts"
import { Groups } from "./groups.ts"
import type { CallRecord } from "./record.ts"
import { followType, type TypeSizes } from "./types.ts"

const NULL_REQUEST = 1
const PROC_NULL = -1
const mostValue = 2 ** 31 - 1

/**
 * How a call transfers data: blocking, non-blocking or persistent. A `SYNCHRONOUS` send finishes only when its receive
 * has begun.
 */
interface Way {
  readonly does: "send" | "recv"
  readonly how: "blocks" | "starts" | "prepares"
  readonly flags: number
}
const ways: readonly (Way | undefined)[] = (() => {
  const made: (Way | undefined)[] = new Array(31).fill(undefined)
  const set = (fn: number, does: Way["does"], how: Way["how"], flags = 0) => void (made[fn] = { does, how, flags })
  for (const fn of [0, 5]) set(fn, "send", "blocks")
  set(4, "send", "blocks", SYNCHRONOUS)
  set(1, "recv", "blocks")
  for (const fn of [8, 9, 11]) set(fn, "send", "starts")
  set(10, "send", "starts", SYNCHRONOUS)
  set(12, "recv", "starts")
  for (const fn of [26, 27, 29]) set(fn, "send", "prepares")
  set(28, "send", "prepares", SYNCHRONOUS)
  set(30, "recv", "prepares")
  return made
})()

interface Prepared {
  readonly way: Way
  readonly peer: number
  readonly bytes: number
  readonly tag: number
  readonly comm: number
}

export class Replay {
  readonly groups: Groups
  readonly #to: RankWriter
  readonly #sizes: TypeSizes
  readonly #requests = new Requests()
  readonly #prepared = new Map<number, Prepared>()
  #last = Number.NaN
  /** Number of calls that move data and are not replayed. */
  oneSided = 0
  finalized = false

  constructor(to: RankWriter, sizes: TypeSizes) {
    this.#to = to
    this.#sizes = sizes
    this.groups = new Groups(to)
  }

  record(r: CallRecord): void {
    if (r.hasWall) {
      const start = r.wall[0] * 1e9 + r.wall[1]
      const between = start - this.#last
      // The clocks of several threads may overlap.
      if (between > 0) this.#to.plain(Kind.COMPUTE | BLOCKS, NONE, 0, 0, between * 1000, NONE, NONE)
      this.#last = r.wall[2] * 1e9 + r.wall[3]
    }
    const { fn, ints: x } = r
    const way = ways[fn]
    if (way !== undefined) this.#transfer(way, fn, x, r)
    else if (fn < 35) this.#completion(fn, x)
    else if (!this.#collective(fn, x) && !this.groups.follow(fn, x)) this.#other(fn, x)
  }

  #transfer(way: Way, fn: number, x: Int32Array, r: CallRecord): void {
    const bytes = this.#sizes.bytes(x[0], x[1])
    const peer = x[2]
    const comm = this.groups.of(x[4])
    // A blocking receive whose status has no source had MPI_PROC_NULL. For others the source is unknown until they
    // complete.
    const nobody =
      peer < -1 ||
      (peer === PROC_NULL && (way.does === "send" || (fn === 1 && r.hasStatus && x[5] === 1 && x[7] === PROC_NULL)))
    if (way.how === "prepares") {
      this.#prepared.set(x[5], { way, peer: nobody ? -2 : peer, bytes, tag: x[3], comm })
      return
    }
    if (nobody) {
      if (way.how === "starts") this.#requests.forget(x[5])
      return
    }
    this.#put(way, peer, bytes, x[3], comm, fn, way.how === "starts" ? this.#requests.issue(x[5]) : undefined)
  }

  #put(
    way: Way,
    peer: number,
    bytes: number,
    tag: number,
    comm: number,
    call: number,
    request: number | undefined,
  ): void {
    const sends = way.does === "send"
    const word = (sends ? Kind.SEND : Kind.RECV) | way.flags | (request === undefined ? BLOCKS : 0)
    const any = (n: number) => (!sends && n < 0 ? ANY : n)
    this.#to.plain(word, any(peer), any(tag), comm, bytes, request ?? NONE, call)
  }

  /** Handles calls with numbers below 35: waits, tests, persistent requests and probes. */
  #completion(fn: number, x: Int32Array) {
    switch (fn) {
      case 3: {
        // Bsend: the program continues at once.
        const peer = x[2]
        const bytes = this.#sizes.bytes(x[0], x[1])
        const comm = this.groups.of(x[4])
        if (peer >= 0) this.#to.send(peer, bytes, x[3], { comm, call: fn, flags: 0 })
        return
      }
      case 13: // Wait
        return this.#wait([x[0]], fn)
      case 14: // Test
        return x[1] !== 0 ? this.#wait([x[0]], fn) : undefined
      case 15: // Request_free
        this.#prepared.delete(x[0])
        return this.#requests.forget(x[0])
      case 16: // Waitany
        return this.#wait(picked(x, [x[2 + x[1]]]), fn, PARTIAL)
      case 17: // Testany: …, index, flag
        return x[3 + x[1]] !== 0 ? this.#wait(picked(x, [x[2 + x[1]]]), fn, PARTIAL) : undefined
      case 18: // Waitall
        return this.#wait(x, fn, 0, 2, 2 + x[1])
      case 19: // Testall
        return x[2 + x[1]] !== 0 ? this.#wait(x, fn, 0, 2, 2 + x[1]) : undefined
      case 20: // Waitsome, Testsome: …, outcount, n, indices…
      case 21: {
        const at = 3 + x[1]
        return this.#wait(picked(x, x.subarray(at + 1, at + 1 + Math.max(0, Math.min(x[at], x[at - 1])))), fn, PARTIAL)
      }
      case 23: // Probe
        this.#to.op(Kind.PROBE, {
          flags: 1 << 8,
          peer: x[0] < 0 ? ANY : x[0],
          tag: x[1] < 0 ? ANY : x[1],
          comm: this.groups.of(x[2]),
          call: fn,
        })
        return
      case 31:
        return this.#start(x[0], fn)
      case 32:
        for (let i = 0; i < x[1]; i++) this.#start(x[2 + i], fn)
        return
      case 33: // Sendrecv
        return this.#exchange(
          fn,
          x[2],
          this.#sizes.bytes(x[0], x[1]),
          x[3],
          x[6],
          this.#sizes.bytes(x[4], x[5]),
          x[7],
          x[8],
        )
      case 34: {
        const bytes = this.#sizes.bytes(x[0], x[1])
        return this.#exchange(fn, x[2], bytes, x[3], x[4], bytes, x[5], x[6])
      }
    }
  }

  #start(id: number, fn: number): void {
    const p = this.#prepared.get(id)
    if (p === undefined) return
    if (p.peer < -1) this.#requests.forget(id)
    else this.#put(p.way, p.peer, p.bytes, p.tag, p.comm, fn, this.#requests.issue(id))
  }

  /** Writes a wait for those requests whose start is in the trace. Others were started while profiling was off. */
  #wait(ids: ArrayLike<number>, call: number, flags = 0, from = 0, to = ids.length): void {
    const needs: number[] = []
    for (let i = from; i < to; i++) {
      const id = ids[i]
      if (id === NULL_REQUEST) continue
      const slot = this.#requests.slot(id)
      if (slot < 0) continue
      needs.push(slot)
      this.#requests.forget(id)
    }
    if (needs.length > 0) this.#to.plain(Kind.WAIT | BLOCKS | flags, NONE, 0, 0, 0, NONE, call, needs)
  }

  #exchange(
    fn: number,
    dest: number,
    bytes: number,
    tag: number,
    source: number,
    capacity: number,
    fromTag: number,
    handle: number,
  ): void {
    const comm = this.groups.of(handle)
    const needs: number[] = []
    // Negative handles, which no trace assigns to a request.
    if (source >= -1) {
      needs.push(this.#requests.issue(-2))
      this.#to.irecv(source < 0 ? ANY : source, capacity, fromTag < 0 ? ANY : fromTag, needs[0], { comm, call: fn })
    }
    if (dest >= 0) {
      const slot = this.#requests.issue(-3)
      needs.push(slot)
      this.#to.isend(dest, bytes, tag, slot, { comm, call: fn })
    }
    if (needs.length > 0) this.#to.wait(needs, { call: fn })
    this.#requests.forget(-2)
    this.#requests.forget(-3)
  }

  #collective(fn: number, x: Int32Array): boolean {
    const s = this.#sizes
    const to = this.#to
    const put = (kind: Kind, bytes: number, handle: number, root?: number, values?: number[]) => {
      to.collective(kind, bytes, {
        comm: this.groups.of(handle),
        call: fn,
        ...(root === undefined ? {} : { peer: root }),
        ...(values === undefined ? {} : { values }),
      })
      return true
    }
    switch (fn) {
      case 52:
        return put(Kind.BARRIER, 0, x[0])
      case 53:
        return put(Kind.BCAST, s.bytes(x[0], x[1]), x[3], x[2])
      case 54: // Gather: rank, count, type, root, comm
        return put(Kind.GATHER, s.bytes(x[1], x[2]), x[4], x[3])
      case 55: {
        // Gatherv: rank, size, count, type, root, comm, [n, counts…, n, displs…], type
        const own = s.bytes(x[2], x[3])
        if (x[0] !== x[4]) return put(Kind.GATHERV, own, x[5], x[4])
        const type = x[7 + x[6] + 1 + x[7 + x[6]]]
        return put(Kind.GATHERV, own, x[5], x[4], this.#scaled(x, 6, type))
      }
      case 56: // Scatter: rank, count, type, root, comm, [count, type]
        return put(Kind.SCATTER, x[0] === x[3] ? s.bytes(x[5], x[6]) : s.bytes(x[1], x[2]), x[4], x[3])
      case 57: {
        // Scatterv: rank, size, sendtype, count, type, root, comm, [n, counts…, n, displs…]
        const own = s.bytes(x[3], x[4])
        return put(Kind.SCATTERV, own, x[6], x[5], x[0] === x[5] ? this.#scaled(x, 7, x[2]) : undefined)
      }
      case 58:
        return put(Kind.ALLGATHER, s.bytes(x[0], x[1]), x[4])
      case 59: {
        // Allgatherv: size, count, type, n, counts…, n, displs…, type, comm
        const at = 4 + x[3] + 1 + x[4 + x[3]]
        return put(Kind.ALLGATHERV, s.bytes(x[1], x[2]), x[at + 1], undefined, this.#scaled(x, 3, x[at]))
      }
      case 60:
        return put(Kind.ALLTOALL, s.bytes(x[0], x[1]), x[4])
      case 61: {
        // Alltoallv: size, n, counts…, n, displs…, type, n, counts…, n, displs…, type, comm
        const type = 2 + x[1] + 1 + x[2 + x[1]]
        const back = type + 1
        const last = back + 1 + x[back] + 1 + x[back + 1 + x[back]]
        return put(
          Kind.ALLTOALLV,
          0,
          x[last + 1],
          undefined,
          this.#both(this.#scaled(x, 1, x[type]), this.#scaled(x, back, x[last])),
        )
      }
      case 62: // Reduce: count, type, op, root, comm
        return put(Kind.REDUCE, s.bytes(x[0], x[1]), x[4], x[3])
      case 65:
        return put(Kind.ALLREDUCE, s.bytes(x[0], x[1]), x[3])
      case 66: {
        // Reduce_scatter: size, n, counts…, type, op, comm
        const type = 2 + x[1]
        const blocks = this.#scaled(x, 1, x[type])
        const even = blocks.every((b) => b === blocks[0])
        return put(Kind.REDUCE_SCATTER, even ? (blocks[0] ?? 0) : 0, x[type + 2], undefined, even ? undefined : blocks)
      }
      case 67: // Scan, Exscan
      case 156:
        return put(Kind.SCAN, s.bytes(x[0], x[1]), x[3])
      case 155: {
        // Alltoallw: as Alltoallv, with a datatype for each partner
        const displs = 2 + x[1]
        const types = displs + 1 + x[displs]
        const back = types + 1 + x[types]
        const backDispls = back + 1 + x[back]
        const backTypes = backDispls + 1 + x[backDispls]
        const each = (at: number, t: number) =>
          Array.from({ length: Math.min(x[at], x[t]) }, (_, i) => this.#value(x[at + 1 + i], x[t + 1 + i]))
        return put(
          Kind.ALLTOALLV,
          0,
          x[backTypes + 1 + x[backTypes]],
          undefined,
          this.#both(each(1, types), each(back, backTypes)),
        )
      }
    }
    return false
  }

  #both(send: number[], receive: number[]): number[] {
    if (send.length !== receive.length)
      throw new BadCall(
        `${send.length} counts to send and ${receive.length} to receive, expected as many`,
        "the file is damaged: get it again",
      )
    return [...send, ...receive]
  }
  /** Returns the counts of an array in the record as bytes. */
  #scaled(x: Int32Array, at: number, type: number): number[] {
    return Array.from({ length: x[at] }, (_, i) => this.#value(x[at + 1 + i], type))
  }
  #value(count: number, type: number): number {
    const bytes = this.#sizes.bytes(count, type)
    if (bytes > mostValue)
      throw new BadCall(`${bytes} bytes for one partner of a collective, expected at most 2^31 - 1`, "split the call")
    return bytes
  }

  #other(fn: number, x: Int32Array): void {
    if (fn === 124 || fn === 171) this.#to.op(Kind.INIT, { call: fn })
    else if (fn === 125) {
      this.finalized = true
      this.#to.op(Kind.FINALIZE, { call: fn })
    } else if (fn >= 141 && fn <= 143) this.oneSided++
    else followType(this.#sizes, fn, x)
  }
}

/** Returns requests of an array in the record (count, n, requests…) by their indices. */
function picked(x: Int32Array, indices: ArrayLike<number>): number[] {
  return Array.from(indices).flatMap((i) => (i >= 0 && i < x[1] ? [x[2 + i]] : []))
}
