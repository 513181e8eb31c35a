// Reads OTF2 traces in the text form of the tool otf2-print -A or -G (D. Eschweiler et al., "Open Trace Format 2",
// 2012): definitions first, then the events of all locations in the order of time. A non-blocking receive gets its
// sender and size only at its completion event. Therefore the calls of a rank are stored until the end and written by
// `finish`.
import { complain } from "../../core/complaint.ts"
import { resolve } from "../check/communicators.ts"
import { trafficOf } from "../check/traffic.ts"
import { ANY, FIRST_COMM, inMemory, Kind, type Program, SELF, WORLD } from "../program.ts"
import { RankWriter } from "../writer.ts"
import { BadTrace } from "./bytes/bad.ts"
import { lineSink, wholeOf } from "./bytes/lines.ts"
import type { Sink } from "./bytes/sink.ts"
import { Requests } from "./requests.ts"
import { few, mostRanks, type Trace, type TraceFormat, type TraceReader } from "./trace.ts"

export const otf2: TraceFormat = {
  name: "otf2",
  about: "OTF2 as text: what otf2-print -A writes (Debian: otf2-tools)",
  accepts: (name, _, text) => text.includes("=== OTF2-PRINT ===") || name.endsWith(".otf2"),
  read: (trace) => new Otf2Reader(trace),
}

interface Message {
  readonly kind: "send" | "isend" | "recv" | "irecv"
  peer: number
  comm: number
  tag: number
  bytes: number
  readonly request: number
  known: boolean
}
type Step =
  | { readonly compute: number }
  | { readonly message: Message }
  | { readonly wait: readonly number[]; readonly call: string }
  | { readonly kind: Kind; readonly comm: number; readonly root: number; readonly bytes: number; readonly call: string }
  | { readonly mark: "init" | "finalize" }

class Location {
  readonly counts: Record<string, number> = {}
  readonly steps: Step[] = []
  /** MPI calls that were entered and not yet left. */
  readonly open: string[] = []
  readonly receives = new Map<number, Message>()
  readonly complete: number[] = []
  left = Number.NaN
}

const collectives: Readonly<Record<string, Kind>> = {
  BARRIER: Kind.BARRIER,
  BCAST: Kind.BCAST,
  GATHER: Kind.GATHER,
  SCATTER: Kind.SCATTER,
  ALLGATHER: Kind.ALLGATHER,
  ALLTOALL: Kind.ALLTOALL,
  ALLREDUCE: Kind.ALLREDUCE,
  REDUCE: Kind.REDUCE,
  REDUCE_SCATTER: Kind.REDUCE_SCATTER,
  REDUCE_SCATTER_BLOCK: Kind.REDUCE_SCATTER,
  SCAN: Kind.SCAN,
  EXSCAN: Kind.SCAN,
}

class Otf2Reader implements TraceReader {
  readonly #trace: string
  #ticks = 0
  readonly #groups = new Map<number, number[]>()
  readonly #comms = new Map<number, number>()
  readonly #locations = new Map<number, Location>()
  readonly #order: number[] = []
  #skipped = new Map<string, number>()
  readonly #sent = { messages: 0, bytes: 0 }
  readonly #received = { messages: 0, bytes: 0 }
  #ended = false

  constructor(trace: string) {
    this.#trace = trace
  }

  file(name: string): Sink {
    if (name.endsWith(".otf2"))
      throw new BadTrace(
        name,
        "an OTF2 archive, expected it as text",
        "print it with otf2-print -A FILE > FILE.txt (Debian: otf2-tools), and name that",
      )
    if (this.#ended) throw new BadTrace(name, "a second printed trace", "name one file")
    this.#ended = true
    let events = false
    return lineSink(
      name,
      (line, number) => {
        if (line.startsWith("=== Events")) events = true
        const word = /^[A-Z][A-Z0-9_]+(?=\s)/.exec(line)?.[0]
        if (word === undefined) return
        const wrong = events ? this.#event(word, line) : this.#definition(word, line)
        if (wrong !== undefined)
          throw new BadTrace(`${name}, line ${number} (${word})`, wrong, "print the trace again with otf2-print -A")
      },
      () => {
        if (!events)
          throw new BadTrace(
            name,
            'expected a part that begins with "=== Events"',
            "print the trace again with otf2-print -A",
          )
        if (this.#ticks === 0)
          throw new BadTrace(
            name,
            "expected CLOCK_PROPERTIES: the definitions are missing",
            "print the trace with otf2-print -A",
          )
      },
    )
  }

  /** Reads one definition line. Returns a message if it is wrong. */
  #definition(word: string, line: string): string | undefined {
    const id = wholeOf(/^\S+\s+(\d+)\s/.exec(line)?.[1])
    if (word === "CLOCK_PROPERTIES") {
      this.#ticks = wholeOf(/Ticks per Seconds: (\d+)/.exec(line)?.[1]) ?? 0
      if (!(this.#ticks > 0)) return "expected ticks per second above 0"
    } else if (word === "LOCATION" && line.includes("Type: CPU_THREAD")) {
      if (id === undefined) return "expected the number of a location"
      if (this.#order.length >= mostRanks) return `more than ${mostRanks} locations`
      this.#locations.set(id, new Location())
      this.#order.push(id)
    } else if (word === "GROUP" && line.includes("Type: COMM_GROUP")) {
      const members = /Members: (.*)$/.exec(line)?.[1] ?? ""
      if (id !== undefined)
        this.#groups.set(
          id,
          [...members.matchAll(/(?:^|, )(\d+) \("/g)].map((m) => Number(m[1])),
        )
    } else if (word === "COMM" && id !== undefined) {
      const group = wholeOf(/Group: "[^"]*" <(\d+)>/.exec(line)?.[1])
      if (group === undefined) return "expected the group of a communicator"
      this.#comms.set(id, group)
    }
  }

  /** Reads one event line. Returns a message if it is wrong. */
  #event(word: string, line: string): string | undefined {
    const m = /^\S+\s+(\d+)\s+(\d+)\s*(.*)$/.exec(line)
    if (m === null) return "expected a location and a time"
    const at = this.#locations.get(Number(m[1]))
    if (at === undefined) return undefined
    const time = Number(m[2])
    const says = m[3]
    const field = (name: string) => wholeOf(new RegExp(`${name}: (\\d+)`).exec(says)?.[1])
    const comm = () => wholeOf(/Communicator: "[^"]*" <(\d+)>/.exec(says)?.[1])
    if (word === "ENTER" || word === "LEAVE") {
      const region = /Region: "([^"]*)"/.exec(says)?.[1]
      if (region === undefined) return "expected a region"
      if (!region.startsWith("MPI_")) return undefined
      return word === "ENTER" ? this.#enter(at, region, time) : this.#leave(at, region, time)
    }
    if (word === "MPI_SEND" || word === "MPI_ISEND")
      return this.#send(at, word, field("Receiver"), comm(), field("Tag"), field("Length"), field("Request"))
    if (word === "MPI_IRECV_REQUEST") {
      const request = field("Request")
      if (request === undefined) return "expected the number of a request"
      const message: Message = { kind: "irecv", peer: ANY, comm: 0, tag: ANY, bytes: 0, request, known: false }
      at.receives.set(request, message)
      at.steps.push({ message })
    } else if (word === "MPI_ISEND_COMPLETE" || word === "MPI_REQUEST_CANCELLED")
      at.complete.push(field("Request") ?? -1)
    else if (word === "MPI_RECV" || word === "MPI_IRECV")
      return this.#receive(at, word, field("Sender"), comm(), field("Tag"), field("Length"), field("Request"))
    else if (word === "MPI_COLLECTIVE_END") return this.#collective(at, says, comm())
    return undefined
  }

  /** Enters a call. The time since the end of the previous call is computation. */
  #enter(at: Location, region: string, time: number): undefined {
    at.counts[region] = (at.counts[region] ?? 0) + 1
    at.open.push(region)
    if (at.open.length === 1 && time > at.left)
      at.steps.push({ compute: Math.round(((time - at.left) / this.#ticks) * 1e12) })
    if (region === "MPI_Init" || region === "MPI_Init_thread") at.steps.push({ mark: "init" })
    if (region === "MPI_Finalize") at.steps.push({ mark: "finalize" })
    if (/^MPI_I(all|bar|bcast|gather|reduce|scan|scatter|exscan|neigh)/.test(region))
      this.#skipped.set(region, (this.#skipped.get(region) ?? 0) + 1)
  }
  /** Leaves a call, which waits for the requests that completed inside it. */
  #leave(at: Location, region: string, time: number): string | undefined {
    if (at.open.pop() !== region) return `${region} is left, expected the call that was entered last`
    at.left = time
    if (at.complete.length > 0) at.steps.push({ wait: at.complete.splice(0), call: region })
    return undefined
  }
  #send(
    at: Location,
    word: string,
    peer?: number,
    comm?: number,
    tag?: number,
    bytes?: number,
    request?: number,
  ): string | undefined {
    if (peer === undefined || comm === undefined || tag === undefined || bytes === undefined)
      return "expected receiver, communicator, tag and length"
    if (word === "MPI_ISEND" && request === undefined) return "expected the number of a request"
    this.#sent.messages++
    this.#sent.bytes += bytes
    at.steps.push({
      message: {
        kind: word === "MPI_ISEND" ? "isend" : "send",
        peer,
        comm,
        tag,
        bytes,
        request: request ?? 0,
        known: true,
      },
    })
    return undefined
  }
  #receive(
    at: Location,
    word: string,
    peer?: number,
    comm?: number,
    tag?: number,
    bytes?: number,
    request?: number,
  ): string | undefined {
    if (peer === undefined || comm === undefined || tag === undefined || bytes === undefined)
      return "expected sender, communicator, tag and length"
    this.#received.messages++
    this.#received.bytes += bytes
    if (word === "MPI_RECV") {
      at.steps.push({ message: { kind: "recv", peer, comm, tag, bytes, request: 0, known: true } })
      return undefined
    }
    const message = request === undefined ? undefined : at.receives.get(request)
    if (message === undefined) return `request ${request ?? "?"} is complete, expected one that was started`
    at.receives.delete(request!)
    Object.assign(message, { peer, comm, tag, bytes, known: true })
    at.complete.push(request!)
    return undefined
  }
  #collective(at: Location, says: string, comm: number | undefined): string | undefined {
    const operation = /Operation: (\w+)/.exec(says)?.[1] ?? ""
    const [sent, received] = ["Sent", "Received"].map(
      (f) => wholeOf(new RegExp(`${f}: (\\d+)`).exec(says)?.[1]) ?? 0,
    ) as [number, number]
    if (comm === undefined) return "expected a communicator"
    const kind = collectives[operation]
    if (kind === undefined) {
      // The definitions contain the creation of communicators. The v-forms are skipped, because they do not record the
      // size for each partner.
      if (!/^(CREATE|DESTROY)/.test(operation)) this.#skipped.set(operation, (this.#skipped.get(operation) ?? 0) + 1)
      return undefined
    }
    const size = Math.max(1, this.#members(comm).length)
    const root = wholeOf(/Root: (\d+)/.exec(says)?.[1]) ?? 0
    // The trace records sums over all partners, except for ranks with only one partner.
    const most = Math.max(sent, received)
    const all = kind === Kind.ALLREDUCE || kind === Kind.ALLGATHER || kind === Kind.ALLTOALL || kind === Kind.SCAN
    const least = sent === 0 ? received : received === 0 ? sent : Math.min(sent, received)
    const rooted = kind === Kind.BCAST || kind === Kind.REDUCE || kind === Kind.GATHER || kind === Kind.SCATTER
    const bytes = all
      ? most / size
      : rooted
        ? Math.min(least, Math.ceil(most / (sent > 0 && received > 0 ? size : 1)))
        : received
    at.steps.push({ kind, comm, root, bytes: Math.floor(bytes), call: operation })
    return undefined
  }

  #members(comm: number): readonly number[] {
    return this.#groups.get(this.#comms.get(comm) ?? -1) ?? []
  }

  finish(): Trace {
    const ranks = Math.max(1, this.#order.length)
    /** The world is the first defined communicator that contains all ranks. */
    const world = [...this.#comms.keys()].find((c) => this.#members(c).length === ranks)
    const own = (rank: number): Map<number, number> => {
      const numbers = new Map<number, number>()
      for (const c of this.#comms.keys()) {
        const members = this.#members(c)
        if (c === world) numbers.set(c, WORLD)
        else if (members.length === 0) numbers.set(c, SELF)
        else if (members.includes(rank)) numbers.set(c, FIRST_COMM + numbers.size)
      }
      return numbers
    }
    const program: Program = {
      ranks,
      calls: [],
      rank: (r) => this.#written(this.#locations.get(this.#order[r] ?? -1), own(r)),
    }
    const { flows } = trafficOf(program, resolve(program))
    const calls: Record<string, number> = {}
    const perRank: Record<string, Record<string, number>> = {}
    let unfinished = 0
    this.#order.forEach((id, rank) => {
      const at = this.#locations.get(id)!
      perRank[rank] = at.counts
      unfinished += at.open.length
      for (const [call, n] of Object.entries(at.counts)) calls[call] = (calls[call] ?? 0) + n
    })
    const pending = [...this.#locations.values()].reduce((n, l) => n + l.receives.size, 0)
    const notes = []
    if (this.#skipped.size > 0)
      notes.push(
        complain(
          this.#trace,
          "calls whose sizes the trace does not contain are not replayed: " +
            `${few([...this.#skipped].map(([c, n]) => `${n} ${c}`))}`,
          "take the result with that in mind",
        ),
      )
    if (calls["MPI_Finalize"] === undefined)
      notes.push(
        complain(
          this.#trace,
          "no MPI_Finalize: the recorded part ends before the program did",
          "record the whole run, or take what there is",
        ),
      )
    if (pending > 0)
      notes.push(
        complain(
          this.#trace,
          `${pending} receives are never complete, and left out`,
          "record the whole run, or take what there is",
        ),
      )
    const listed = [...this.#comms.keys()].filter((c) => this.#members(c).length > 0)
    return {
      format: "otf2",
      ranks,
      missing: [],
      summary: {
        ranks: this.#order.length,
        ticksPerSecond: this.#ticks,
        communicators: Object.fromEntries(listed.map((c) => [c, this.#members(c)])),
        calls,
        sendMessages: this.#sent.messages,
        sendBytes: this.#sent.bytes,
        recvMessages: this.#received.messages,
        recvBytes: this.#received.bytes,
        sendsAndReceivesMatch:
          this.#sent.messages === this.#received.messages && this.#sent.bytes === this.#received.bytes,
        pairs: flows.flat().length,
        unfinishedRows: unfinished,
        perRank,
      },
      program,
      notes,
      bad: [],
    }
  }

  /** Writes the stored steps of a location as a stream. */
  #written(at: Location | undefined, own: ReadonlyMap<number, number>) {
    if (at === undefined) return inMemory(new Int32Array(0), 0, new Int32Array(0))
    const to = new RankWriter()
    for (const [c, number] of own)
      if (number >= FIRST_COMM) to.op(Kind.COMM_DEFINE, { peer: number, values: this.#members(c) })
    const requests = new Requests()
    for (const s of at.steps) {
      if ("compute" in s) to.compute(s.compute)
      else if ("mark" in s) to.op(s.mark === "init" ? Kind.INIT : Kind.FINALIZE)
      else if ("wait" in s) {
        const needs = s.wait.flatMap((id) => requests.get(id) ?? [])
        for (const id of s.wait) requests.forget(id)
        if (needs.length > 0) to.wait(needs)
      } else if ("message" in s) {
        const { kind, peer, tag, bytes, request } = s.message
        const comm = own.get(s.message.comm) ?? WORLD
        if (kind === "send") to.send(peer, bytes, tag, { comm })
        else if (kind === "recv") to.recv(peer, bytes, tag, { comm })
        else if (kind === "isend") to.isend(peer, bytes, tag, requests.issue(request), { comm })
        else if (s.message.known) to.irecv(peer, bytes, tag, requests.issue(request), { comm })
      } else {
        const rooted =
          s.kind === Kind.BCAST || s.kind === Kind.REDUCE || s.kind === Kind.GATHER || s.kind === Kind.SCATTER
        to.collective(s.kind, s.bytes, { comm: own.get(s.comm) ?? WORLD, ...(rooted ? { peer: s.root } : {}) })
      }
    }
    return to.source()
  }
}
