// The pull pacer of a destination: lists of active and idle sources, and the times of pulls (protocol.ts).
import type { EndpointSite } from "../../model/protocol.ts"
import { eachFlow, makeFlows } from "../flows.ts"
import { makeList, makeRing } from "./lists.ts"
import { above, CREDIT, FIRST, lifeOf, NO_FLOW, STARTED, SUM, SUM_BITS, type UecCredits } from "./words.ts"

/** Fixed-point unit of the times between pulls. */
const PARTS = 1024
/** Places among the idle sources of a destination, for each source. */
const IDLE_PLACES = 8

export interface Pacer {
  readonly columns: Readonly<Record<string, Int32Array>>
  /** Takes the pull target of a source, of a packet (`data`), a header or a request. The latter two demand a pull. */
  announced(e: number, from: number, word: number, data: boolean, now: number): void
  /** Sends a pull if it is time. Returns the cycle of the next one, 0: no source waits. */
  due(e: number, now: number): number
  check(e: number, now: number): number
  digest(add: (key: number, value: number, more?: number) => void): void
}

export function makePacer(site: EndpointSite, p: UecCredits): Pacer {
  const { rows, maxPacket } = site
  const QUANTUM = p.quantum > maxPacket ? p.quantum : maxPacket
  const demands = makeFlows(rows, Math.min(p.flows, site.ends), site.column, 6)
  /** [row] -> life of the source; low bits of its highest target and of the pulls; ACTIVE, and IDLE for each
   *  place among the idle ones */
  const life = demands.word(0)
  const highest = demands.word(1)
  const latest = demands.word(2)
  const lists = demands.word(3)
  const last = demands.word(4)
  const active = makeList(site, demands.word(5))
  const idle = makeRing(site, IDLE_PLACES * Math.min(p.flows, site.ends))
  /** [endpoint] -> cycle of the next pull, and the part of a cycle by which it should be later */
  const nextAt = site.column(rows)
  const part = site.column(rows)
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
    if (idle.push(e, row)) lists[row] += IDLE
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
    lists[row] -= IDLE
    latest[row] = (latest[row] + QUANTUM) & SUM
    const over = above(latest[row], highest[row])
    if (over >= 0 && over < p.most) rest(e, row)
    return QUANTUM
  }

  function waiting(e: number): boolean {
    return active.head(e) >= 0 || idle.length(e) > 0
  }

  return {
    columns: {
      ...Object.fromEntries(Object.entries(demands.columns).map(([name, column]) => [`demands.${name}`, column])),
      "active.ends": active.ends,
      ...idle.columns,
      nextAt,
      part,
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
        const time = Math.round((PARTS * (flits > 0 ? flits : maxPacket / 4)) / p.rate) + part[e]
        nextAt[e] = now + Math.floor(time / PARTS)
        part[e] = time % PARTS
      }
      return waiting(e) ? nextAt[e] : 0
    },
    check(e, now) {
      if (demands.count(e) === 0) return 0
      if (checkAt[e] > now) return checkAt[e]
      let next = 0
      for (let row = demands.firstRow(e); row < demands.endRow(e); row += demands.size) {
        if (demands.to(row) < 0) continue
        // A source ends first: after half of this time.
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
        add(outer ^ 0x165667b1, nextAt[e], part[e])
        let place = 0
        const adds = (row: number) => add((outer * site.ends + demands.to(row)) ^ 0x27d4eb2f, ++place)
        for (let row = active.head(e); row >= 0; row = active.after(row)) adds(row)
        for (let n = 0; n < idle.length(e); n++) adds(idle.at(e, n))
      }
      eachFlow(site, demands, (key, row) => add(key ^ 0x2545f491, highest[row], latest[row]))
    },
  }
}
