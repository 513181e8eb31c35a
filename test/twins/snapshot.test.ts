// A snapshot copies what was used, and only a machine of the same layout takes it.
import { describe, expect, it } from "vitest"
import type { Snapshot } from "../../src/engines/flit/clocked.ts"
import type { Column } from "../../src/fabric/columns.ts"
import { recordSize } from "../../src/fabric/flit.ts"
import { END, MESSAGE } from "../../src/fabric/packets.ts"
import { engineOf } from "../support/machine.ts"
import { small, engineOf as tiledOf } from "../support/tiled.ts"

const bytes = (columns: Readonly<Record<string, Column>>) =>
  Object.values(columns).reduce((n, c) => n + c.byteLength, 0)
const sum = (c: Column) => Array.from(c).reduce((a, b) => a + b, 0)

describe("records of packets are copied as far as they were ever used", () => {
  const w = { traffic: [{ load: 0.3, flits: 2 }] }

  it("flits", () => {
    const engine = engineOf(w)
    engine.advance(300)
    const { fresh, freeTop, packet, free, flitAt, flitCount, creditAt, creditCount, outbox } = engine.columns
    const [used, given] = [sum(fresh), sum(freeTop)]
    expect(used).toBeGreaterThan(0)
    // 5 % of what fits into all buffers at most: the rest is what a copy of everything would waste
    expect(used).toBeLessThan(0.05 * engine.constants.packetSlots)
    // one partition has no outboxes, and a column has a word at least
    expect(outbox.length).toBe(1)
    const records = packet.length - used * recordSize(engine.constants) + free.length - given
    // a flit on its way has two words, a credit one
    const wheels = 2 * (flitAt.length - sum(flitCount)) + creditAt.length - sum(creditCount)
    expect(sum(flitCount)).toBeGreaterThan(0)
    expect(bytes(engine.snapshot().columns)).toBe(bytes(engine.allColumns()) - 4 * (records + wheels + outbox.length))
  })

  it("whole packets, in as many partitions as there are groups", () => {
    const engine = tiledOf(small({ load: 0.4, stash: 1, switch: { reliability: true } }))
    // in the middle of a window
    engine.advance(603)
    const { fresh, packets, stashed, messages, ends, outbox, outCount } = engine.columns
    expect(engine.parts).toBeGreaterThan(1)
    // the first record of each partition is none
    const used = (sum(fresh) + engine.parts) * engine.constants.stride
    const records = packets.length - used + stashed.length - used / 16
    // and so is the first message of each endpoint
    const sent = ends.filter((_, i) => i % END.size === END.fresh)
    const waiting = messages.length - (sum(sent) + sent.length) * MESSAGE.size + outbox.length - 3 * sum(outCount)
    expect(sum(outCount)).toBeGreaterThan(0)
    expect(bytes(engine.snapshot().columns)).toBe(bytes(engine.allColumns()) - 4 * (records + waiting))
  })

  it("what a machine used beyond the copy is as good as new again", () => {
    const engine = engineOf(w)
    engine.advance(20)
    const early = engine.snapshot()
    engine.advance(400)
    const after = engine.fingerprint()
    const most = sum(engine.columns.fresh)
    engine.restore(early)
    expect(sum(engine.columns.fresh)).toBeLessThan(most)
    const other = engineOf(w)
    other.restore(early)
    expect(engine.columns.packet).toEqual(other.columns.packet)
    engine.advance(400)
    expect(engine.fingerprint()).toBe(after)
  })
})

describe("a snapshot of another layout is refused, with the difference, and nothing is changed", () => {
  const engine = engineOf({})
  engine.advance(100)
  const whole = engine.snapshot()
  const before = engine.fingerprint()
  const { made } = engine.columns
  const altered = (columns: Record<string, Column>): Snapshot => ({
    now: 50,
    columns: { ...whole.columns, ...columns },
  })
  const without = (name: string): Snapshot => ({
    now: 50,
    columns: Object.fromEntries(Object.entries(whole.columns).filter(([k]) => k !== name)),
  })
  const fresh = whole.columns["fresh"]

  const cases: readonly [string, Snapshot, RegExp][] = [
    [
      "a missing column",
      without("made"),
      new RegExp(`^column made: the copy has none, and this machine has one of length ${made.length}$`),
    ],
    [
      "a shorter one",
      altered({ made: made.slice(1) }),
      new RegExp(
        `^column made: Int32Array of length ${made.length - 1} in the copy, Int32Array of length ${made.length} in`,
      ),
    ],
    ["a longer one", altered({ made: new Int32Array(made.length + 1) }), /^column made: Int32Array of length/],
    [
      "another kind",
      altered({ made: new Uint32Array(made.length) }),
      /^column made: Uint32Array of length .* Int32Array of length/,
    ],
    [
      "one too many",
      altered({ extra: new Int32Array(3) }),
      /^column extra: the copy has it, and this machine has none$/,
    ],
    [
      "fewer records than it says",
      altered({ packet: whole.columns["packet"].slice(8) }),
      /^column packet: Int32Array of length/,
    ],
    [
      "more records than there are",
      altered({ fresh: fresh.map(() => 2 ** 30) }),
      /^column packet: the copy uses .* words of a part that has/,
    ],
    [
      "another network",
      engineOf({ topology: { name: "mesh", k: 3, n: 2 } }).snapshot(),
      /^column \w+: .* in the copy, .* in this machine$/,
    ],
  ]
  for (const [name, snapshot, says] of cases)
    it(name, () => {
      expect(() => engine.restore(snapshot)).toThrow(says)
      expect([engine.now, engine.fingerprint()]).toEqual([100, before])
    })
})
