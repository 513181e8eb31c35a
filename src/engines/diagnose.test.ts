import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { diagnose, type Place, type Waiter, type Waits } from "./diagnose.ts"

/** Packets as a table: where each stands, what it wants; channels have one VC. Packets that only hold do not wait. */
function table(
  rows: readonly { packet: number; at: number; wants: readonly number[]; waited?: number; overtaken?: number }[],
  moving: readonly { packet: number; holds: number }[] = [],
): Waits {
  const row = (packet: number) => rows.find((r) => r.packet === packet)!
  const waiters = rows.map((r): Waiter => ({ key: r.at, packet: r.packet, chan: r.at, vc: 0 }))
  const place = (chan: number): Place => ({ chan, vc: 0 })
  const by = (chan: number) =>
    waiters.find((w) => w.chan === chan) ?? moving.find((m) => m.holds === chan)?.packet ?? -1
  return {
    waiters: () => waiters,
    blockers: (w) =>
      rows[waiters.indexOf(w)].wants.map((chan) => ({ wants: place(chan), holds: place(chan), by: by(chan) })),
    waited: (p) => row(p).waited ?? 0,
    overtaken: (w) => row(w.packet).overtaken ?? 0,
    source: (p) => 100 + p,
    destination: (p) => 200 + p,
    channelLabel: (c) => `r${c} -> r${c + 1}`,
  }
}

describe("diagnose", () => {
  it("names a cycle of three hop by hop, without the packet that waits for it from outside", () => {
    const d = diagnose(
      table([
        { packet: 9, at: 7, wants: [0] },
        { packet: 1, at: 0, wants: [1] },
        { packet: 2, at: 1, wants: [2] },
        { packet: 3, at: 2, wants: [0] },
      ]),
    )
    if (d.kind !== "deadlock") throw new Error(d.kind)
    expect(d.cycle.map((l) => l.packet)).toEqual([1, 2, 3])
    expect(d.stuck).toBe(4)
    expect(d.words).toEqual([
      "deadlock: 3 packets wait for one another in a cycle; in total, 4 packets can never move again",
      "packet 1 of 3 from endpoint 101 to endpoint 201 holds r0 -> r1 VC 0 and waits for r1 -> r2 VC 0, held by packet 2",
      "packet 2 of 3 from endpoint 102 to endpoint 202 holds r1 -> r2 VC 0 and waits for r2 -> r3 VC 0, held by packet 3",
      "packet 3 of 3 from endpoint 103 to endpoint 203 holds r2 -> r3 VC 0 and waits for r0 -> r1 VC 0, held by packet 1",
    ])
  })

  it("one alternative outside the cycle makes it a stall, not a deadlock", () => {
    const d = diagnose(
      table(
        [
          { packet: 1, at: 0, wants: [1], waited: 30 },
          { packet: 2, at: 1, wants: [0, 5], waited: 20 },
        ],
        [{ packet: 8, holds: 5 }],
      ),
    )
    expect(d.kind).toBe("stall")
    expect(d.words[0]).toBe(
      "a stall, no deadlock: a packet from endpoint 101 to endpoint 201 has waited " +
        "30 cycles at r0 -> r1 VC 0 behind 1 other packet",
    )
  })

  it("a free channel and a moving packet are distinguished", () => {
    expect(diagnose(table([{ packet: 1, at: 0, wants: [3] }])).words[1]).toContain("is free, so it waits for a credit")
    expect(diagnose(table([{ packet: 1, at: 0, wants: [3] }], [{ packet: 4, holds: 3 }])).words[1]).toContain(
      "a packet from endpoint 104 to endpoint 204, which holds r3 -> r4 VC 0, is still moving",
    )
    expect(diagnose(table([])).words[0]).toContain("nothing waits")
  })

  it("a packet that others overtake is starved", () => {
    const d = diagnose(table([{ packet: 1, at: 0, wants: [3], waited: 900, overtaken: 40 }], [{ packet: 4, holds: 3 }]))
    expect(d.kind).toBe("starvation")
    expect(d.words[0]).toContain("has waited 900 cycles at r0 -> r1 VC 0 while 40 packets went past it")
  })

  it(
    "numbers packets by their position in the cycle, which starts at the same packet, " +
      "whatever their records and the order of the table",
    () => {
      const wants = [
        { at: 0, wants: [1] },
        { at: 1, wants: [2] },
        { at: 2, wants: [0] },
      ]
      const told = (packets: readonly number[], order: readonly number[]) => {
        const rows = wants.map((r, i) => ({ ...r, packet: packets[i] }))
        const net = table(order.map((i) => rows[i]))
        return diagnose({ ...net, source: (p) => packets.indexOf(p), destination: (p) => 9 - packets.indexOf(p) }).words
      }
      expect(told([800, 16, 424], [2, 0, 1])).toEqual(told([1, 2, 3], [0, 1, 2]))
      expect(told([800, 16, 424], [2, 0, 1])[1]).toBe(
        "packet 1 of 3 from endpoint 0 to endpoint 9 holds r0 -> r1 VC 0 and waits for r1 -> r2 VC 0, held by packet 2",
      )
    },
  )

  it(
    "a packet in several buffers waits for its own head: no cycle while " + "that can move, one link of a cycle if not",
    () => {
      const worm = (wants: number, other: number) =>
        diagnose(
          table([
            { packet: 1, at: 0, wants: [1] },
            { packet: 1, at: 1, wants: [wants] },
            { packet: 2, at: 2, wants: [other] },
          ]),
        )
      expect(worm(5, 0).kind).toBe("stall")
      expect(worm(2, 5).kind).toBe("stall")
      const d = worm(2, 0)
      if (d.kind !== "deadlock") throw new Error(d.kind)
      expect([d.stuck, d.words[0]]).toEqual([
        2,
        "deadlock: 2 packets wait for one another in a cycle; in total, 2 packets can never move again",
      ])
      expect(d.cycle.map(({ packet, holds, wants, by }) => [packet, holds.chan, wants.chan, by])).toEqual([
        [1, 0, 2, 2],
        [2, 2, 0, 1],
      ])
      // its head comes back to its own tail
      expect(worm(0, 5).words).toEqual([
        "deadlock: 1 packet waits for itself; in total, 1 packet can never move again",
        "packet 1 of 1 from endpoint 101 to endpoint 201 holds r0 -> r1 VC 0 and waits for r0 -> r1 VC 0, held by packet 1",
      ])
    },
  )

  it(
    "a head with a VC but without credits is not a separate link: the head that " +
      "requests the VC waits for the packets stored there",
    () => {
      const [at, chans] = [
        (key: number, packet: number, chan: number): Waiter => ({ key, packet, chan, vc: 0 }),
        [0, 1].map((chan) => ({ chan, vc: 0 })),
      ]
      const [head, owner, front] = [at(0, 1, 0), at(1, 2, -1), at(2, 3, 1)]
      const by = new Map([
        [head, { wants: chans[1], holds: chans[1], by: owner }],
        [owner, { wants: chans[1], holds: chans[1], by: front }],
        [front, { wants: chans[0], holds: chans[0], by: head }],
      ])
      const d = diagnose({ ...table([]), waiters: () => by.keys(), blockers: (w) => [by.get(w)!] })
      expect(
        d.kind === "deadlock" && [d.stuck, d.cycle.map((l) => [l.packet, l.holds.chan, l.wants.chan, l.by])],
      ).toEqual([
        3,
        [
          [1, 0, 1, 3],
          [3, 1, 0, 1],
        ],
      ])
    },
  )

  it("a packet at its endpoint may wait for a deadlock but is not named as part of it", () => {
    const d = diagnose(
      table([
        { packet: 5, at: -1, wants: [0] },
        { packet: 1, at: 0, wants: [1] },
        { packet: 2, at: 1, wants: [0] },
      ]),
    )
    expect(d.kind === "deadlock" && d.cycle.map((l) => l.packet)).toEqual([1, 2])
  })

  it("agrees with a search through all orders in which packets could move", () => {
    const rows = fc.integer({ min: 1, max: 6 }).chain((n) =>
      fc.array(fc.uniqueArray(fc.integer({ min: 0, max: n }), { minLength: 1, maxLength: 3 }), {
        minLength: n,
        maxLength: n,
      }),
    )
    let dead = 0
    fc.assert(
      fc.property(rows, (wants) => {
        // packet i stands on channel i; channel n is free; a packet that gets what it wants leaves the network from
        // there
        const n = wants.length
        const d = diagnose(table(wants.map((w, i) => ({ packet: i, at: i, wants: w }))))
        const canEmpty = (left: ReadonlySet<number>): boolean => {
          const mover = [...left].find((i) => wants[i].some((c) => c === n || !left.has(c)))
          return left.size === 0 || (mover !== undefined && canEmpty(new Set([...left].filter((i) => i !== mover))))
        }
        const isDead = !canEmpty(new Set(wants.keys()))
        expect(d.kind === "deadlock").toBe(isDead)
        if (d.kind === "deadlock") {
          dead++
          d.cycle.forEach((l, i) => {
            expect(wants[l.packet]).toContain(l.wants.chan)
            expect(l.by).toBe(d.cycle[(i + 1) % d.cycle.length].packet)
          })
        }
      }),
      { numRuns: 500, seed: 7 },
    )
    expect(dead).toBeGreaterThan(50)
  })
})
