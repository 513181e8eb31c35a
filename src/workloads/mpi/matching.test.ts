// Matching beside an oracle that knows only the rules: receives in the order they were posted, messages of one sender
// in the order they were sent.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { play } from "../../../test/support/ideal.ts"
import { FROM, type RankHost } from "../../model/workload.ts"
import { ANY } from "../program.ts"
import { written } from "../writer.ts"
import { CONTEXT, layRanks, PAIR, PEER, PLACE, TAG } from "./columns.ts"
import { makeMatching } from "./matching.ts"
import { makeWords } from "./words.ts"

interface Envelope {
  readonly from: number
  readonly tag: number
  readonly context: number
}
type Action = { readonly post: Envelope } | { readonly send: Envelope }

/** What each receive gets, by the rules: [number of the receive, number of the message]. `order`: as messages arrive.
 *  */
function oracle(actions: readonly Action[], order: readonly number[]): [number, number][] {
  const posted: { n: number; e: Envelope }[] = []
  const waiting: { n: number; e: Envelope }[] = []
  const got: [number, number][] = []
  const fits = (r: Envelope, m: Envelope) =>
    r.context === m.context && (r.from === ANY || r.from === m.from) && (r.tag === ANY || r.tag === m.tag)
  const sent = actions.map((a, n) => ("send" in a ? { n, e: a.send } : undefined))
  const deliver = (m: { n: number; e: Envelope }) => {
    const i = posted.findIndex((r) => fits(r.e, m.e))
    if (i < 0) waiting.push(m)
    else got.push([posted.splice(i, 1)[0].n, m.n])
  }
  const arrived = new Set<number>()
  const delivered = new Set<number>()
  for (const n of order) {
    const a = actions[n]
    if ("post" in a) {
      const i = waiting.findIndex((m) => fits(a.post, m.e))
      if (i < 0) posted.push({ n, e: a.post })
      else got.push([n, waiting.splice(i, 1)[0].n])
      continue
    }
    arrived.add(n)
    // all of this sender that have come and whose predecessors have
    for (const m of sent) {
      if (m === undefined || m.e.from !== a.send.from || delivered.has(m.n)) continue
      if (!arrived.has(m.n)) break
      delivered.add(m.n)
      deliver(m)
    }
  }
  return got
}

function ours(actions: readonly Action[], order: readonly number[]): [number, number][] {
  let words = 16
  const memory = { reserve: (n: number) => (words += n) - n, times() {} }
  const at = layRanks(memory, [
    {
      ranks: 1,
      groups: [Int32Array.of(0)],
      made: [new Map()],
      first: Int32Array.of(0, 4),
      sendsTo: Int32Array.of(0, 1, 2, 3),
      requests: Int32Array.of(0),
      comms: Int32Array.of(2),
      depth: Int32Array.of(0),
      ops: 0,
    },
  ])
  const mem = new Int32Array(words + 32 * (actions.length + 1))
  const host: RankHost = {
    mem,
    own: 5,
    alloc: () => 0,
    release() {},
    undo: false,
    note() {},
    noteRange() {},
    wake() {},
    send() {},
    ready: (_, t) => t,
  }
  const matching = makeMatching(host, makeWords(host), at)
  const record = (n: number) => words + 32 * n
  const number = (e: number) => (e - words) / 32
  const places = new Int32Array(4)
  const place = actions.map((a) => ("send" in a ? places[a.send.from]++ : 0))
  const got: [number, number][] = []
  for (const n of order) {
    const a = actions[n]
    const x = record(n) + host.own
    const e = "post" in a ? a.post : a.send
    mem[x + TAG] = e.tag
    mem[x + CONTEXT] = e.context
    if ("post" in a) {
      mem[x + PEER] = e.from
      const m = matching.messageFor(0, record(n), true)
      if (m === 0) matching.post(0, record(n))
      else got.push([n, number(m)])
      continue
    }
    mem[x + FROM] = e.from
    mem[x + PAIR] = e.from
    mem[x + PLACE] = place[n]
    if (!matching.inTurn(0, record(n))) continue
    for (let m = record(n); m !== 0; ) {
      const next = matching.next(0, m)
      const r = matching.receiveFor(0, m)
      if (r === 0) matching.keep(0, m)
      else got.push([number(r), number(m)])
      m = next
    }
  }
  return got
}

const envelope = (wild: boolean) =>
  fc.record({
    from: wild ? fc.constantFrom(ANY, 0, 1, 2, 3) : fc.constantFrom(0, 1, 2, 3),
    tag: wild ? fc.constantFrom(ANY, 0, 1, 2) : fc.constantFrom(0, 1, 2),
    context: fc.constantFrom(0, 1),
  })
const action: fc.Arbitrary<Action> = fc.oneof(
  envelope(true).map((post) => ({ post })),
  envelope(false).map((send) => ({ send })),
)
const actions = fc.array(action, { maxLength: 40 })

describe("matching beside an oracle", () => {
  test("messages that come as they were sent", () => {
    fc.assert(
      fc.property(actions, (list) => {
        const order = list.map((_, n) => n)
        expect(ours(list, order)).toEqual(oracle(list, order))
      }),
      { numRuns: 500 },
    )
  })
  test("messages that overtake each other", () => {
    const shuffled = actions.chain((list) =>
      fc.tuple(
        fc.constant(list),
        fc.array(fc.nat(1000), { minLength: list.length, maxLength: list.length }).map((keys) =>
          list
            .map((_, n) => n)
            // posts stay in order among themselves, messages move
            .sort((a, b) => {
              const key = (n: number) => n * 20 + ("send" in list[n] ? keys[n] : 0)
              return key(a) - key(b) || a - b
            }),
        ),
      ),
    )
    let overtaken = 0
    fc.assert(
      fc.property(shuffled, ([list, order]) => {
        if (order.some((n, i) => i > 0 && n < order[i - 1])) overtaken++
        expect(ours(list, order)).toEqual(oracle(list, order))
      }),
      { numRuns: 500 },
    )
    expect(overtaken).toBeGreaterThan(100)
  })
})

describe("random programs", () => {
  const message = fc.record({
    from: fc.nat(5),
    to: fc.nat(5),
    tag: fc.nat(2),
    bytes: fc.constantFrom(0, 1, 100, 8192, 8193, 100000),
  })
  test("lose nothing: every rank ends, every message is received, under every protocol", () => {
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 60 }),
        fc.nat(63),
        fc.constantFrom("copied", "left"),
        (list, wild, sends) => {
          const program = written(6, (r, w) => {
            let request = 0
            for (const m of list) {
              const any = ((wild >> m.to) & 1) === 1
              if (m.to === r) w.irecv(any ? ANY : m.from, m.bytes, any ? ANY : m.tag, request++)
              if (m.from === r) w.isend(m.to, m.bytes, m.tag, request++)
              if (request % 7 === 3) w.compute(request * 100)
            }
            w.wait(Array.from({ length: request }, (_, q) => q))
          })
          const net = { L: 1000, o: 10, g: 20, G: 1, O: 0 }
          const done = play(program, net, { sends })
          expect([done.finished, done.pending, done.waiting]).toEqual([6, 0, []])
          expect(done.sizes.reduce((n, s) => n + s.messages, 0)).toBe(list.length)
        },
      ),
      { numRuns: 60 },
    )
  })
})
