// The rules of LogGOPSim one by one: schedules of a few lines whose finish times are sums. All times are ns.
import { describe, expect, test } from "vitest"
import { type LogGOPSimOptions, scheduleEnds } from "../../src/reproduce/peers/schedule-ends.ts"

/** The options that LogGOPSim's documentation uses. */
const doc: LogGOPSimOptions = { L: 2500, o: 1500, g: 1000, G: 6, O: 0, S: 65535 }
const { L, o, g, G } = doc

/** Returns the finish times of ranks that are given as lists of lines. */
function ends(ranks: readonly (readonly string[])[], options: LogGOPSimOptions = doc): number[] {
  const text = [`num_ranks ${ranks.length}`, ...ranks.flatMap((lines, r) => [`rank ${r} {`, ...lines, "}"]), ""]
  const got = scheduleEnds(text.join("\n"), options)
  if ("bad" in got) throw new Error(got.bad.map((b) => b.says).join("\n"))
  return got.ok
}

describe("messages", () => {
  test("one message takes o + L and then o + (s - 1) G of the receiver's processor", () => {
    const got = ends([["send 101b to 1 tag 0"], ["recv 101b from 0 tag 0"]])
    expect(got).toEqual([o, o + L + o + 100 * G])
  })
  test("O above 0 occupies the sender, and the receiver takes the larger of O and G for each byte", () => {
    const ranks = [["send 101b to 1 tag 0"], ["recv 101b from 0 tag 0"]]
    expect(ends(ranks, { ...doc, O: 10 })).toEqual([o + 100 * 10, o + L + o + 100 * 10])
    expect(ends(ranks, { ...doc, O: 5 })).toEqual([o + 100 * 5, o + L + o + 100 * G])
  })
  test("a message that arrives while the rank computes waits for the processor", () => {
    const got = ends([["send 1b to 1 tag 0"], ["recv 1b from 0 tag 0", "calc 50000"]])
    expect(got[1]).toBe(50000 + o)
  })
  test("a second send waits for the interface, and then needs the processor again", () => {
    const got = ends([
      ["send 1000b to 1 tag 0", "send 1000b to 1 tag 1"],
      ["recv 1000b from 0 tag 0", "recv 1000b from 0 tag 1"],
    ])
    expect(got[0]).toBe(g + 999 * G + o)
  })
  test("while a send waits for the interface, the processor computes", () => {
    const got = ends([["send 1000b to 1 tag 0", "send 1000b to 1 tag 1", "calc 10000"], []])
    // The calculation starts after the first send, and the second send after the calculation.
    expect(got[0]).toBe(o + 10000 + o)
  })
  test("two arrivals at one receiver occupy its processor one after the other", () => {
    const got = ends([
      ["send 1000b to 2 tag 0"],
      ["send 1000b to 2 tag 0"],
      ["recv 1000b from 0 tag 0", "recv 1000b from 1 tag 0"],
    ])
    expect(got[2]).toBe(o + L + 2 * (o + 999 * G))
  })
  test("with g above o the receiver's interface separates two arrivals", () => {
    const options = { ...doc, o: 100, g: 4000 }
    const got = ends(
      [["send 11b to 2 tag 0"], ["send 11b to 2 tag 0"], ["recv 11b from 0 tag 0", "recv 11b from 1 tag 0"]],
      options,
    )
    expect(got[2]).toBe(100 + L + (4000 + 10 * G) + (100 + 10 * G))
  })
  test("an unexpected message costs the processor when it arrives, and its receive is free", () => {
    const got = ends([
      ["send 1b to 1 tag 1"],
      ["a: recv 1b from 2 tag 2", "b: recv 1b from 0 tag 1", "c: calc 100", "b requires a", "c requires b"],
      ["a: calc 20000", "b: send 1b to 1 tag 2", "b requires a"],
    ])
    expect(got[1]).toBe(20000 + o + L + o + 100)
  })
})

describe("order", () => {
  test("sends go before calculations that become free at the same time", () => {
    const got = ends([["calc 5000", "send 1b to 1 tag 0"], ["recv 1b from 0 tag 0"]])
    expect(got).toEqual([o + 5000, o + L + o])
  })
  test("equal operations go in the order of the file", () => {
    const got = ends([["send 1b to 2 tag 0", "send 1b to 1 tag 0"], ["recv 1b from 0 tag 0"], ["recv 1b from 0 tag 0"]])
    expect(got).toEqual([2 * o, 2 * o + L + o, o + L + o])
  })
  test("operations that one end frees go in the order of the lines that name it", () => {
    const lines = ["a: calc 10", "b: send 1b to 1 tag 0", "c: send 1b to 2 tag 0"]
    const receivers = [["recv 1b from 0 tag 0"], ["recv 1b from 0 tag 0"]]
    const first = 10 + o + L + o
    expect(ends([[...lines, "b requires a", "c requires a"], ...receivers]).slice(1)).toEqual([first, first + o])
    expect(ends([[...lines, "c requires a", "b requires a"], ...receivers]).slice(1)).toEqual([first + o, first])
  })
  test("irequires frees an operation at the start of another one: a receive starts when it is posted", () => {
    const lines = ["a: recv 1b from 0 tag 0", "b: send 1b to 0 tag 1"]
    const sender = ["recv 1b from 1 tag 1", "a: calc 9000", "b: send 1b to 1 tag 0", "b requires a"]
    expect(ends([sender, [...lines, "b irequires a"]])[1]).toBe(9000 + o + L + o)
    expect(ends([sender, [...lines, "b requires a"]])[1]).toBe(9000 + o + L + o + o)
  })
})

describe("matching", () => {
  test("-1 matches any source and any tag; the oldest receive takes the first message", () => {
    const got = ends([
      ["send 1b to 2 tag 5"],
      ["a: calc 40", "b: send 1b to 2 tag 6", "b requires a"],
      [
        "a: recv 1b from -1 tag -1",
        "b: recv 1b from -1 tag -1",
        "c: calc 700",
        "c requires a",
        "d: calc 90",
        "d requires b",
      ],
    ])
    // The second message needs the processor before the calculation, because it was sent earlier.
    expect(got[2]).toBe(o + L + o + o + 700 + 90)
  })
  test("the size of the send counts, not that of the receive", () => {
    const got = ends([["send 101b to 1 tag 0"], ["recv 9b from 0 tag 0"]])
    expect(got[1]).toBe(o + L + o + 100 * G)
  })
})

describe("rendezvous", () => {
  const options = { ...doc, S: 100 }
  const sender = ["a: send 101b to 1 tag 0", "b: calc 700", "b requires a"]
  test("a posted receive ends the send when the message arrives", () => {
    const got = ends([sender, ["recv 101b from 0 tag 0"]], options)
    expect(got).toEqual([o + L + 700, o + L + o + 100 * G])
  })
  test("a late receive ends the send when it is posted, and nothing takes L again", () => {
    const got = ends([sender, ["a: calc 30000", "b: recv 101b from 0 tag 0", "b requires a"]], options)
    expect(got).toEqual([30000 + 700, 30000 + o + 100 * G])
  })
  test("a message of exactly S bytes is eager", () => {
    const got = ends([["a: send 100b to 1 tag 0", "b: calc 700", "b requires a"], ["recv 100b from 0 tag 0"]], options)
    expect(got[0]).toBe(o + 700)
  })
})

describe("several processors and interfaces", () => {
  test("calculations on two processors overlap", () => {
    expect(ends([["calc 20000", "calc 5000 cpu 1"]])).toEqual([20000])
    expect(ends([["calc 20000", "calc 5000"]])).toEqual([25000])
  })
  test("a message occupies the numbers that the send names, at the receiver too", () => {
    const got = ends([["send 1b to 1 tag 0 cpu 1"], ["recv 1b from 0 tag 0", "calc 5600"]])
    // The processor 0 of the receiver computes until 5600 while processor 1 takes the message.
    expect(got).toEqual([o, Math.max(5600, o + L + o)])
  })
  test("two interfaces send at the same time", () => {
    const got = ends([
      ["send 1000b to 1 tag 0", "send 1000b to 1 tag 1 nic 1"],
      ["recv 1000b from 0 tag 0", "recv 1000b from 0 tag 1"],
    ])
    expect(got[0]).toBe(2 * o)
  })
  test("a dependency between two processors carries no time", () => {
    expect(ends([["a: calc 20000", "b: calc 500 cpu 1", "b requires a"]])).toEqual([20000])
    expect(ends([["a: calc 20000", "b: calc 500", "b requires a"]])).toEqual([20500])
  })
})

describe("patterns", () => {
  test("a binomial tree of 1 KiB to rank 0 of 8 takes the times that LogGOPSim's documentation prints", () => {
    const ranks = Array.from({ length: 8 }, (_, r) => {
      const lines: string[] = []
      for (const bit of [4, 2, 1]) {
        if (r >= 2 * bit) continue
        const n = lines.length
        lines.push(r < bit ? `l${n}: recv 1024b from ${r + bit} tag 0` : `l${n}: send 1024b to ${r - bit} tag 0`)
      }
      const ops = lines.length
      for (let i = 1; i < ops; i++) lines.push(`l${i} requires l${i - 1}`)
      return lines
    })
    expect(ends(ranks)).toEqual([34914, 24776, 13138, 13138, 1500, 1500, 1500, 1500])
  })
  test("a ring of p ranks, two laps, takes 2 p (o + L + o + (s - 1) G)", () => {
    const p = 5
    const ranks = Array.from({ length: p }, (_, r) => {
      const [from, to] = [(r + p - 1) % p, (r + 1) % p]
      const laps = [0, 1].flatMap((lap) => {
        const [send, recv] = [`s${lap}: send 33b to ${to} tag ${lap}`, `r${lap}: recv 33b from ${from} tag ${lap}`]
        return r === 0 ? [send, recv] : [recv, send]
      })
      return [...laps, ...(r === 0 ? ["s1 requires r0"] : ["s0 requires r0", "s1 requires r1"])]
    })
    expect(Math.max(...ends(ranks))).toBe(2 * p * (o + L + o + 32 * G))
  })
  test("a linear gather of n messages occupies the root's processor n times", () => {
    const n = 9
    const root = Array.from({ length: n }, (_, i) => `recv 501b from ${i + 1} tag 0`)
    const got = ends([root, ...Array.from({ length: n }, () => ["send 501b to 0 tag 0"])])
    expect(got[0]).toBe(o + L + n * (o + 500 * G))
  })
})
