// What ranks do, on a network whose times one can add up: LogGOPS, all in ns unless named.
import { describe, expect, test } from "vitest"
import { play, quick } from "../../../test/support/ideal.ts"
import { ANY, BLOCKS, Kind, NONE, ONE_OF, SELF, WORLD } from "../program.ts"
import { type RankWriter, written } from "../writer.ts"

const ns = 1000
/** LogGOPSim's parameters of its documentation */
const doc = { L: 2500 * ns, o: 1500 * ns, g: 1000 * ns, G: 6 * ns, O: 0 }
const big = { eager: "1GiB", header: "1B" }

describe("LogGOPS", () => {
  test("one message: o + L + (s - 1) G + o", () => {
    const p = written(2, (r, w) => (r === 0 ? w.send(1, 1024) : w.recv(0, 1024)))
    expect([...play(p, doc, big).ends]).toEqual([1500 * ns, (1500 + 2500 + 1023 * 6 + 1500) * ns])
  })
  test("a binomial tree of 1 KiB to rank 0 of 8: the times that LogGOPSim's documentation prints", () => {
    const p = written(8, (_, w) => w.collective(Kind.REDUCE, 1024, { peer: 0 }))
    // its tree halves the ranks: r receives from r + 4, r + 2, r + 1
    const tree = written(8, (r, w) => {
      for (const bit of [4, 2, 1]) {
        if (r >= 2 * bit) continue
        if (r >= bit) {
          w.send(r - bit, 1024)
          return
        }
        w.recv(r + bit, 1024)
      }
    })
    expect([...play(tree, doc, big).ends].map((t) => t / ns)).toEqual([
      34914, 24776, 13138, 13138, 1500, 1500, 1500, 1500,
    ])
    expect(play(p, doc, big).ended).toBe(34914 * ns)
  })
  test("dissemination among 16: four times o + L + o", () => {
    const p = written(16, (_, w) => w.collective(Kind.BARRIER, 0))
    expect(new Set(play(p, doc, big).ends)).toEqual(new Set([22000 * ns]))
  })
  test("two messages of one rank are g + (s - 1) G apart, of which the receiver sees the second so much later", () => {
    const net = { L: 100, o: 10, g: 50, G: 2, O: 0 }
    const p = written(3, (r, w) => {
      if (r > 0) w.recv(0, 101)
      else {
        w.send(1, 101)
        w.send(2, 101)
      }
    })
    const first = 10 + 100 + 200 + 10
    expect([...play(p, net, big).ends]).toEqual([250 + 10, first, first + 250])
  })
  test("two senders to one rank: its interface takes them one after the other", () => {
    const net = { L: 100, o: 0, g: 50, G: 2, O: 0 }
    const p = written(3, (r, w) => {
      if (r > 0) w.send(0, 101)
      else {
        w.recv(ANY, 101)
        w.recv(ANY, 101)
      }
    })
    expect(play(p, net, big).ends[0]).toBe(100 + 250 + 200)
  })
  test("a byte of processor time for each byte: O", () => {
    const p = written(2, (r, w) => (r === 0 ? w.send(1, 11) : w.recv(0, 11)))
    // 10 + 10 * 3 at the sender, L, (G - O) each byte, 10 + 30 at the receiver
    expect([...play(p, { L: 100, o: 10, g: 0, G: 5, O: 3 }, big).ends]).toEqual([40, 40 + 100 + 20 + 40])
  })
})

describe("collectives on LogGOPS", () => {
  test("ring all-reduce of 2 to 33 ranks: 2 (p - 1) (L + 2 o - G + G m / p), exactly", () => {
    for (let p = 2; p <= 33; p++) {
      const m = p * 1000
      const program = written(p, (_, w) => w.collective(Kind.ALLREDUCE, m))
      const alpha = doc.L + 2 * doc.o - doc.G
      const ended = play(program, doc, { ...big, algorithms: { allreduce: "ring" } }).ended
      expect([p, ended]).toEqual([p, 2 * (p - 1) * (alpha + (doc.G * m) / p)])
    }
  })
  test("free collectives take no time and no message; two in a row on one communicator do not mix", () => {
    const p = written(7, (_, w) => {
      w.collective(Kind.ALLREDUCE, 8)
      w.collective(Kind.ALLREDUCE, 8)
    })
    expect(play(p, doc, { collectives: "free" })).toMatchObject({ ended: 0, messages: 0, finished: 7 })
    // 7 ranks: 2 * 3 folded, 4 * 2 exchanged, each call
    expect(play(p, doc, big)).toMatchObject({ messages: 2 * (6 + 8), finished: 7 })
  })
})

describe("requests and waits", () => {
  const sendLater = (w: RankWriter, to: number, times: number[]) => {
    let last = 0
    times.forEach((t, i) => {
      w.compute(t - last)
      w.send(to, 8, i)
      last = t
    })
  }
  test("waitall ends with the last, waitany with the first; a wait for what has finished is free", () => {
    const p = written(2, (r, w) => {
      if (r === 0) return sendLater(w, 1, [5000, 9000])
      w.irecv(0, 8, 0, 0)
      w.irecv(0, 8, 1, 1)
      w.wait([0, 1], { flags: BLOCKS | ONE_OF })
      w.compute(100)
      w.wait([0])
      w.compute(100)
      w.wait([0, 1])
    })
    const { ends, calls } = play(p)
    expect(ends[1]).toBe(10000)
    // held back until 6000, and from 6200 to 10000
    expect(calls.find((c) => c.call === "wait")).toMatchObject({ calls: 3, most: 6000 + 3800 })
  })
  test("a graph: what has no needs runs at once, needs are waited for, and a start is not an end", () => {
    // 0 computes 1000; 1 after 0; 2 after the start of 1; 3 after 1 and 2
    const p = written(1, (_, w) => {
      w.compute(1000, { flags: 0, request: 0 })
      w.compute(2000, { flags: 0, request: 1, needs: [0] })
      w.compute(5000, { flags: 0, request: 2, needs: [~1] })
      w.compute(100, { flags: 0, needs: [1, 2] })
    })
    // one processor: 1000 + 2000 + 5000 + 100
    expect(play(p).ended).toBe(8100)
  })
  test("a request may be reused while its first operation still runs", () => {
    const p = written(2, (r, w) => {
      if (r === 0) return sendLater(w, 1, [1000, 2000])
      w.irecv(0, 8, 1, 5)
      w.irecv(0, 8, 0, 5)
      w.wait([5])
      w.compute(50)
    })
    // the wait is for the second receive alone; the rank ends when the first has its message too
    expect(play(p).ends[1]).toBe(3000)
  })
  test("loops are played, nested too", () => {
    const p = written(2, (r, w) =>
      w.loop(3, () => {
        w.loop(4, () => (r === 0 ? w.send(1, 8) : w.recv(0, 8)))
        w.loop(0, () => w.compute(1e9))
      }),
    )
    expect(play(p)).toMatchObject({ messages: 12, finished: 2, ended: 1000 })
  })
  test("nobody: sends to and receives from NONE are nothing", () => {
    const p = written(1, (_, w) => {
      w.send(NONE, 8)
      w.recv(NONE, 8)
    })
    expect(play(p)).toMatchObject({ messages: 0, finished: 1 })
  })
})

describe("protocols", () => {
  const one = (bytes: number, late = 0, flags = 0) =>
    written(2, (r, w) => {
      if (r === 0) w.send(1, bytes, 7, { flags: BLOCKS | flags })
      else {
        if (late > 0) w.compute(late)
        w.recv(0, bytes, 7)
      }
    })
  test("the limit belongs to those sent at once, or does not", () => {
    expect(play(one(8192)).messages).toBe(1)
    expect(play(one(8193)).messages).toBe(3)
    expect(play(one(8192), quick, { limit: "below" }).messages).toBe(3)
    expect(play(one(8191), quick, { limit: "below" }).messages).toBe(1)
  })
  test(
    "rendezvous: request, answer, data; the sender is held back until its " +
      "data has left, a late receiver adds its lateness",
    () => {
      const net = { L: 1000, o: 0, g: 0, G: 1, O: 0 }
      const mpi = { control: "1B", header: "1B" }
      const early = play(one(10001), net, mpi)
      expect([...early.ends]).toEqual([2000 + 10000, 3000 + 10000])
      const late = play(one(10001, 50000), net, mpi)
      expect([...late.ends]).toEqual([50000 + 1000 + 10000, 50000 + 2000 + 10000])
    },
  )
  test("delays of software and interface come before every message, the copy before short ones", () => {
    const mpi = { software: "2500ns", nic: "1010ns", copy: "0.55ns", header: "1B" }
    expect(play(one(1000), quick, mpi).ends[1]).toBe(3510 * ns + 550 * ns + 1000)
    expect(play(one(10000), quick, mpi).ends[1]).toBe(3 * (3510 * ns + 1000))
  })
  test("a synchronous send waits for its receive, whatever its size; one that counts as finished once left", () => {
    expect(play(one(8, 7000, 1 << 9)).ends[0]).toBe(8000)
    expect(play(one(8)).ends[0]).toBe(0)
    expect(play(one(1001), { ...quick, G: 10 }, { sends: "left" }).ends[0]).toBe(10000)
  })
  test("latency by size, from interface to interface", () => {
    const net = { L: 1000, o: 0, g: 0, G: 1, O: 0 }
    const p = written(2, (r, w) => {
      for (const b of [1, 2, 3, 4, 1025])
        if (r === 0) w.send(1, b)
        else w.recv(0, b)
    })
    expect(play(p, net, { header: "1B", gap: "0ns" }).sizes.map((s) => [s.bytes, s.messages])).toEqual([
      [1, 1],
      [2, 1],
      [4, 2],
      [2048, 1],
    ])
  })
})

describe("computing", () => {
  const p = written(1, (_, w) => {
    w.compute(100 * ns)
    w.compute(101 * ns)
  })
  test("as it is, scaled, ignored, short ones dropped", () => {
    expect(play(p)).toMatchObject({
      ended: 201 * ns,
      computing: Float64Array.of(201 * ns),
      communication: Float64Array.of(0),
    })
    expect(play(p, quick, { compute: 2 }).ended).toBe(402 * ns)
    expect(play(p, quick, { compute: 0 }).ended).toBe(0)
    expect(play(p, quick, { gap: "100ns" }).ended).toBe(101 * ns)
  })
})

describe("communicators", () => {
  test("split: rows of a 3 x 4 grid, keys turn the order; a broadcast inside reaches the row alone", () => {
    const p = written(12, (r, w) => {
      w.op(Kind.COMM_SPLIT, { comm: WORLD, peer: 2, tag: Math.floor(r / 4), amount: -r })
      // rank 0 of each is the last of its row
      if (r === 3) w.compute(500)
      w.collective(Kind.BCAST, 8, { comm: 2, peer: 0 })
    })
    const { ends, messages } = play(p)
    expect(messages).toBe(3 * 3)
    expect(ends[3]).toBe(500)
    expect(Math.min(...[0, 1, 2].map((r) => ends[r]))).toBe(1500)
    expect(Math.max(...Array.from(ends.subarray(4)))).toBeLessThan(2500)
  })
  test("dup has tags of its own; create takes members in its order; some get none; SELF is oneself", () => {
    const p = written(4, (r, w) => {
      w.op(Kind.COMM_DUP, { comm: WORLD, peer: 2 })
      w.op(Kind.COMM_CREATE, { comm: 2, peer: 3, values: [2, 0] })
      if (r === 0) w.send(1, 8, 5, { comm: 2 })
      if (r === 0) w.send(1, 16, 5, { comm: WORLD })
      if (r === 1) w.recv(0, 16, 5, { comm: WORLD })
      if (r === 1) w.recv(0, 8, 5, { comm: 2 })
      // 2 is rank 0 of the new one
      if (r === 2) w.send(1, 8, 9, { comm: 3 })
      if (r === 0) w.recv(0, 8, 9, { comm: 3 })
      w.collective(Kind.BARRIER, 0, { comm: SELF })
      w.irecv(0, 8, 1, 0, { comm: SELF })
      w.send(0, 8, 1, { comm: SELF })
      w.wait([0])
    })
    expect(play(p)).toMatchObject({ finished: 4, messages: 3 + 4 })
  })
  test("a colour of NONE gets no communicator; define needs nobody else", () => {
    const p = written(4, (r, w) => {
      w.op(Kind.COMM_SPLIT, { comm: WORLD, peer: 2, tag: r === 3 ? NONE : 0 })
      if (r < 3) w.collective(Kind.BARRIER, 0, { comm: 2 })
      if (r > 1) w.op(Kind.COMM_DEFINE, { peer: 4, values: [3, 2] })
      if (r > 1) w.collective(Kind.BARRIER, 0, { comm: 4 })
    })
    expect(play(p)).toMatchObject({ finished: 4, messages: 3 * 2 + 2 })
  })
})

describe("hangs", () => {
  test("two that receive first: both are named with what they wait for, and nothing is pending", () => {
    const p = written(2, (r, w) => {
      w.recv(1 - r, 8, 3)
      w.send(1 - r, 8, 3)
    })
    const { finished, waiting, pending } = play(p)
    expect([finished, pending]).toEqual([0, 0])
    expect(waiting).toEqual([
      "job rank 0 waits in recv from rank 1, tag 3 (operation 0)",
      "job rank 1 waits in recv from rank 0, tag 3 (operation 0)",
    ])
    const all = written(2, (r, w) => {
      w.irecv(1 - r, 8, 4, 0)
      w.wait([0])
    })
    expect(play(all).waiting[1]).toBe(
      "job rank 1 waits in wait (operation 1) for recv from rank 0, tag 4 (operation 0)",
    )
  })
})
