// Receiver credits as the Ultra Ethernet specification 1.0 grants them (`rules: uec` of rccc.ts), in the form of its
// reference model, uet-htsim (uec.cpp). W is the largest credit, and the first one.
//
//   Source: It may send while its credit is above zero. Each packet carries the pull target: the credits pulled so far,
//     plus the backlog (W at most), minus the credit that is left. While several flows of the endpoint can send, each
//     asks for its share only. The first credit is speculative: what is left of it lapses when the first
//     acknowledgement, pull or header comes back. Until then a flow with a backlog asks for at least one packet.
//   Destination: Sources whose target is above the pulled credits are active. Each in turn gets one quantum, but never
//     more than its target. A source that got all of it becomes idle. While no source is active, idle ones get quanta
//     above their targets in turn, up to W (slow pulls). A header of a trimmed packet makes its source active.
//
// Pulls and targets are running sums, so that messages may overtake each other. They carry the low bits of these sums
// and the number of the flow's present life, because a flow that was silent for a while ends, and its sums start again.
// A source that waits for a pull this long asks again.
import { type EndpointProtocol, type EndpointSite, KIND } from "../model/protocol.ts"
import { eachFlow, makeFlows } from "./flows.ts"
import { withRepeats } from "./repeats.ts"

export interface UecCredits {
  readonly quantum: number
  readonly rate: number
  /** W in flits */
  readonly most: number
  /** cycles without packets or pulls after which a flow ends */
  readonly silent: number
  readonly flows: number
}

const REQUEST = KIND.own
const CREDIT = KIND.own + 1
const STARTED = KIND.own + 2
/** A cycle far in the future: the flow waits for an event. */
const FAR = 0x10000000

// A carried word: the low bits of a sum, the number of the life, and whether the first credit is still there.
const SUM_BITS = 25
const SUM = 2 ** SUM_BITS - 1
const LIVES = 31
const FIRST = 2 ** 30
/** Word of a packet whose flow found no row. */
const NO_FLOW = -1

/** Returns the signed difference of two sums of which only the low bits are known. */
function above(a: number, b: number): number {
  return ((a - b) << (32 - SUM_BITS)) >> (32 - SUM_BITS)
}
function lifeOf(word: number): number {
  return (word >>> SUM_BITS) & LIVES
}

interface Source {
  readonly columns: Readonly<Record<string, Int32Array>>
  mayInject(e: number, to: number, f: number, now: number): number
  injected(e: number, to: number, packet: number, now: number): void
  generated(e: number, to: number, flits: number, now: number): void
  headerReturned(e: number, to: number, flits: number, now: number): void
  /** A pull has arrived, or with `credits` false the acknowledgement of a first packet. */
  pulled(e: number, from: number, word: number, credits: boolean, now: number): void
  /** Ends silent flows, and asks again for those that wait. Returns the cycle of the next check, 0: no flow is left. */
  check(e: number, now: number): number
  digest(add: (key: number, value: number, more?: number) => void): void
}

function makeSource(site: EndpointSite, p: UecCredits): Source {
  const { packets, rows, maxPacket } = site
  const flows = makeFlows(rows, Math.min(p.flows, site.ends), site.column, 7)
  /** [row] -> flits to send, credit (a packet may overdraw it), sum of pulls, 1 while the first credit is there */
  const queued = flows.word(0)
  const credit = flows.word(1)
  const sum = flows.word(2)
  const first = flows.word(3)
  const life = flows.word(4)
  const last = flows.word(5)
  /** [row] -> 1 if it can send; [endpoint] -> number of such rows; lives that have started; cycle of the next check */
  const ready = flows.word(6)
  const sending = site.column(rows)
  const lives = site.column(rows)
  const checkAt = site.column(rows)

  function rowOf(e: number, to: number): number {
    return flows.count(e) === 0 ? -1 : flows.find(e, to)
  }

  function count(e: number, row: number): void {
    const can = credit[row] > 0 && queued[row] > 0 ? 1 : 0
    sending[e] += can - ready[row]
    ready[row] = can
  }

  /** Starts a flow with speculative credit. Returns -1 if no row is left. */
  function start(e: number, to: number, now: number): number {
    const row = flows.open(e, to)
    if (row < 0) return -1
    queued[row] = 0
    credit[row] = p.most
    sum[row] = 0
    first[row] = 1
    lives[e] = (lives[e] + 1) & LIVES
    life[row] = lives[e]
    last[row] = now
    ready[row] = 0
    if (checkAt[e] <= now) {
      checkAt[e] = now + p.silent
      site.wakeAt(e, checkAt[e])
    }
    return row
  }

  /** Returns the word that announces the pull target. */
  function target(e: number, row: number): number {
    let more = (queued[row] < p.most ? queued[row] : p.most) - credit[row]
    if (first[row] !== 0 && more < maxPacket && queued[row] > 0) more = maxPacket
    const others = sending[e] - ready[row]
    if (others > 0) more = Math.trunc(more / (others + 1))
    return (first[row] !== 0 ? FIRST : 0) | (life[row] << SUM_BITS) | ((sum[row] + more) & SUM)
  }

  function ask(e: number, row: number): void {
    site.send(e, flows.to(row), REQUEST, target(e, row), 1, site.firstClass)
  }

  function lapse(row: number): void {
    if (first[row] === 0) return
    first[row] = 0
    if (credit[row] > 0) credit[row] = 0
  }

  return {
    columns: { ...flows.columns, sending, lives, checkAt },
    mayInject(e, to, f, now) {
      const row = rowOf(e, to)
      if (row < 0 || credit[row] > 0) return 0
      // Messages that found no row used the credits of this one, so it must ask for more.
      if (queued[row] < f) {
        queued[row] = f
        ask(e, row)
      }
      return now + FAR
    },
    injected(e, to, packet, now) {
      const row = rowOf(e, to)
      if (row < 0) {
        packets.setValue(packet, NO_FLOW)
        return
      }
      const f = packets.flits(packet)
      queued[row] = queued[row] > f ? queued[row] - f : 0
      credit[row] -= f
      last[row] = now
      packets.setValue(packet, target(e, row))
      count(e, row)
    },
    generated(e, to, flits, now) {
      let row = rowOf(e, to)
      if (row < 0) row = start(e, to, now)
      // No row is left: the flow sends without credits.
      if (row < 0) return
      const waits = queued[row] === 0 && credit[row] <= 0
      queued[row] += flits
      last[row] = now
      if (waits) ask(e, row)
      count(e, row)
    },
    headerReturned(e, to, flits, now) {
      const known = rowOf(e, to)
      const row = known < 0 ? start(e, to, now) : known
      if (row < 0) return
      if (known >= 0) lapse(row)
      queued[row] += flits
      last[row] = now
      count(e, row)
    },
    pulled(e, from, word, credits, now) {
      const row = rowOf(e, from)
      if (row < 0 || lifeOf(word) !== life[row]) return
      lapse(row)
      const more = credits ? above(word, sum[row]) : 0
      if (more > 0) {
        sum[row] = (sum[row] + more) & SUM
        const sure = credit[row] + more
        credit[row] = sure < p.most ? sure : p.most
        last[row] = now
        site.wake(e)
      }
      count(e, row)
    },
    check(e, now) {
      if (flows.count(e) === 0) return 0
      if (checkAt[e] > now) return checkAt[e]
      let next = 0
      for (let row = flows.firstRow(e); row < flows.endRow(e); row += flows.size) {
        if (flows.to(row) < 0) continue
        if (last[row] + p.silent <= now) {
          if (queued[row] === 0) {
            flows.close(e, flows.to(row))
            continue
          }
          last[row] = now
          if (credit[row] <= 0) ask(e, row)
        }
        const at = last[row] + p.silent
        if (next === 0 || at < next) next = at
      }
      checkAt[e] = next
      return next
    },
    digest(add) {
      for (let e = 0; e < rows; e++) if (site.outer(e) >= 0) add(site.outer(e) ^ 0x5bd1e995, lives[e])
      eachFlow(site, flows, (key, row) => {
        add(key, queued[row], credit[row])
        add(key + 1, sum[row] + first[row] * FIRST, last[row])
      })
    },
  }
}

interface Pacer {
  readonly columns: Readonly<Record<string, Int32Array>>
  /** Takes the pull target of a source, of a packet (`data`), a header or a request. The latter two demand a pull. */
  announced(e: number, from: number, word: number, data: boolean, now: number): void
  /** Sends a pull if it is time. Returns the cycle of the next one, 0: no source waits. */
  due(e: number, now: number): number
  check(e: number, now: number): number
  digest(add: (key: number, value: number, more?: number) => void): void
}

function makePacer(site: EndpointSite, p: UecCredits): Pacer {
  const { rows, maxPacket } = site
  const QUANTUM = p.quantum > maxPacket ? p.quantum : maxPacket
  const demands = makeFlows(rows, Math.min(p.flows, site.ends), site.column, 7)
  /** [row] -> life of the source; low bits of its highest target and of the pulls; lists that it is in */
  const life = demands.word(0)
  const highest = demands.word(1)
  const latest = demands.word(2)
  const lists = demands.word(3)
  const last = demands.word(4)
  const active = makeList(site, demands.word(5))
  const idle = makeList(site, demands.word(6))
  const nextAt = site.column(rows)
  const checkAt = site.column(rows)
  const ACTIVE = 1
  const IDLE = 2

  function activate(e: number, row: number, now: number): void {
    if ((lists[row] & ACTIVE) !== 0) return
    lists[row] |= ACTIVE
    active.push(e, row)
    site.wakeAt(e, nextAt[e] > now ? nextAt[e] : now)
  }

  function rest(e: number, row: number): void {
    if ((lists[row] & IDLE) !== 0) return
    lists[row] |= IDLE
    idle.push(e, row)
  }

  /** Grants a quantum up to the target. Returns the granted flits. */
  function grant(e: number, row: number): number {
    const wanted = above(highest[row], latest[row])
    const flits = wanted < 0 ? 0 : wanted < QUANTUM ? wanted : QUANTUM
    latest[row] = (latest[row] + flits) & SUM
    if (wanted > flits) active.push(e, row)
    else {
      lists[row] &= ~ACTIVE
      rest(e, row)
    }
    return flits
  }

  /** Grants a quantum above the target. */
  function slowGrant(e: number, row: number): number {
    latest[row] = (latest[row] + QUANTUM) & SUM
    const over = above(latest[row], highest[row])
    if (over >= 0 && over < p.most) idle.push(e, row)
    else lists[row] &= ~IDLE
    return QUANTUM
  }

  function waiting(e: number): boolean {
    return active.head(e) >= 0 || idle.head(e) >= 0
  }

  return {
    columns: {
      ...Object.fromEntries(Object.entries(demands.columns).map(([name, column]) => [`demands.${name}`, column])),
      "active.ends": active.ends,
      "idle.ends": idle.ends,
      nextAt,
      "demands.checkAt": checkAt,
    },
    announced(e, from, word, data, now) {
      if (word === NO_FLOW) return
      const known = demands.find(e, from) >= 0
      const row = demands.open(e, from)
      if (row < 0) {
        // No row is left: grant everything at once.
        const all = (data ? word : word + QUANTUM) & SUM
        site.send(e, from, CREDIT, (lifeOf(word) << SUM_BITS) | all, 1, site.firstClass)
        return
      }
      if (!known) lists[row] = 0
      last[row] = now
      if (checkAt[e] <= now) {
        checkAt[e] = now + 2 * p.silent
        site.wakeAt(e, checkAt[e])
      }
      if (!known || life[row] !== lifeOf(word)) {
        life[row] = lifeOf(word)
        // The sums of a source whose first credit has lapsed are not known: it gets one quantum.
        latest[row] = (word & FIRST) !== 0 ? 0 : (word - QUANTUM) & SUM
        highest[row] = latest[row]
        if (data) site.send(e, from, STARTED, word & ~FIRST, 1, site.firstClass)
      }
      if (above(word & SUM, highest[row]) > 0) {
        highest[row] = word & SUM
        activate(e, row, now)
      }
      if (!data) activate(e, row, now)
    },
    due(e, now) {
      if (!waiting(e)) return 0
      if (nextAt[e] <= now) {
        const busy = active.head(e) >= 0
        const row = (busy ? active : idle).pop(e)
        const flits = busy ? grant(e, row) : slowGrant(e, row)
        last[row] = now
        site.send(e, demands.to(row), CREDIT, (life[row] << SUM_BITS) | latest[row], 1, site.firstClass)
        // A pull without credits takes time, too.
        nextAt[e] = now + Math.ceil((flits > 0 ? flits : maxPacket / 4) / p.rate)
      }
      return waiting(e) ? nextAt[e] : 0
    },
    check(e, now) {
      if (demands.count(e) === 0) return 0
      if (checkAt[e] > now) return checkAt[e]
      let next = 0
      for (let row = demands.firstRow(e); row < demands.endRow(e); row += demands.size) {
        if (demands.to(row) < 0) continue
        // A source ends first, because it asks again after one such time.
        if (lists[row] === 0 && last[row] + 2 * p.silent <= now) {
          demands.close(e, demands.to(row))
          continue
        }
        const at = last[row] + 2 * p.silent > now ? last[row] + 2 * p.silent : now + p.silent
        if (next === 0 || at < next) next = at
      }
      checkAt[e] = next
      return next
    },
    digest(add) {
      for (let e = 0; e < rows; e++) {
        const outer = site.outer(e)
        if (outer < 0) continue
        add(outer ^ 0x165667b1, nextAt[e])
        let place = 0
        for (const list of [active, idle])
          for (let row = list.head(e); row >= 0; row = list.after(row))
            add((outer * site.ends + demands.to(row)) ^ 0x27d4eb2f, ++place)
      }
      eachFlow(site, demands, (key, row) => add(key ^ 0x2545f491, highest[row], latest[row]))
    },
  }
}

interface List {
  /** [2 e] -> first row + 1, [2 e + 1] -> last row + 1 */
  readonly ends: Int32Array
  head(e: number): number
  after(row: number): number
  push(e: number, row: number): void
  pop(e: number): number
}

/** FIFOs of rows, one for each endpoint, linked through a word of the rows. */
function makeList({ rows, column }: EndpointSite, link: Int32Array): List {
  const ends = column(2 * rows)
  return {
    ends,
    head: (e) => ends[2 * e] - 1,
    after: (row) => link[row] - 1,
    push(e, row) {
      link[row] = 0
      if (ends[2 * e] === 0) ends[2 * e] = row + 1
      else link[ends[2 * e + 1] - 1] = row + 1
      ends[2 * e + 1] = row + 1
    },
    pop(e) {
      const row = ends[2 * e] - 1
      ends[2 * e] = link[row]
      return row
    },
  }
}

/** Returns the earlier of two cycles; 0 means never. */
function sooner(a: number, b: number): number {
  return a === 0 || (b !== 0 && b < a) ? b : a
}

export function makeUecRccc(site: EndpointSite, p: UecCredits): EndpointProtocol {
  const { packets } = site
  const source = makeSource(site, p)
  const pacer = makePacer(site, p)

  function received(e: number, packet: number, now: number): boolean {
    const kind = packets.kind(packet)
    const from = packets.src(packet)
    const word = packets.value(packet)
    if (kind === REQUEST) pacer.announced(e, from, word, false, now)
    else if (kind === CREDIT || kind === STARTED) source.pulled(e, from, word, kind === CREDIT, now)
    return false
  }

  function due(e: number, now: number): void {
    const next = sooner(sooner(pacer.due(e, now), pacer.check(e, now)), source.check(e, now))
    if (next !== 0) site.wakeAt(e, next)
  }

  const protocol: EndpointProtocol = {
    columns: { ...source.columns, ...pacer.columns },
    mayInject: source.mayInject,
    injected: source.injected,
    generated: source.generated,
    delivered: (e, packet, now) => pacer.announced(e, packets.src(packet), packets.value(packet), true, now),
    received,
    headerReturned: source.headerReturned,
    headerArrived(e, packet, now) {
      pacer.announced(e, packets.src(packet), packets.value(packet), false, now)
      return false
    },
    due,
    digest(add) {
      source.digest(add)
      pacer.digest(add)
    },
  }
  return withRepeats(site, protocol, p.flows)
}
