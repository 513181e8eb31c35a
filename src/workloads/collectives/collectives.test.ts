// Every algorithm for 1 to 33 ranks: how many messages, that each send has its receive, and that what must be known in
// the end has travelled.
import { describe, expect, test } from "vitest"
import { Kind, kindNames } from "../program.ts"
import { algorithms, choose } from "./choose.ts"
import { type Algorithm, type Call, call, log2up, Moves, piece, powerBelow } from "./schedule.ts"

interface Sent {
  readonly from: number
  readonly to: number
  readonly bytes: number
  readonly tag: number
}

/** Plays all ranks; rounds are entered when the last one is complete. Throws if ranks wait for each other. `know[r]`:
 *  ranks whose data r has seen. */
function play(a: Algorithm, of: (me: number) => Call, p: number): { sent: Sent[]; know: bigint[] } {
  const sent: Sent[] = []
  const know = Array.from({ length: p }, (_, r) => 1n << BigInt(r))
  const calls = Array.from({ length: p }, (_, r) => of(r))
  const rounds = calls.map((c) => a.rounds(c))
  const round = new Array<number>(p).fill(-1)
  const boxes = new Map<number, { bytes: number; know: bigint }[]>()
  const waits: { key: number; bytes: number }[][] = Array.from({ length: p }, () => [])
  const out = new Moves()
  const keyOf = (from: number, to: number, tag: number) => (tag * 64 + from) * 64 + to
  const enter = (r: number) => {
    round[r]++
    waits[r] = []
    if (round[r] === rounds[r]) return
    out.n = 0
    a.round(calls[r], round[r], out)
    for (let i = 0; i < out.n; i++) {
      const [peer, bytes, tag] = [out.peer[i], out.bytes[i], out.tag[i]]
      if (!(peer >= 0 && peer < p && peer !== r && bytes >= 0))
        throw new Error(`p ${p}: rank ${r} names ${peer}, ${bytes} bytes`)
      if (out.sends[i] === 0) {
        waits[r].push({ key: keyOf(peer, r, tag), bytes })
        continue
      }
      sent.push({ from: r, to: peer, bytes, tag })
      const key = keyOf(r, peer, tag)
      const box = boxes.get(key)
      if (box === undefined) boxes.set(key, [{ bytes, know: know[r] }])
      else box.push({ bytes, know: know[r] })
    }
  }
  for (let r = 0; r < p; r++) enter(r)
  for (let moved = true; moved; ) {
    moved = false
    for (let r = 0; r < p; r++) {
      if (round[r] === rounds[r] || !waits[r].every(({ key }) => (boxes.get(key)?.length ?? 0) > 0)) continue
      for (const { key, bytes } of waits[r]) {
        const got = boxes.get(key)!.shift()!
        if (got.bytes !== bytes) throw new Error(`p ${p}: rank ${r} expects ${bytes} bytes and gets ${got.bytes}`)
        know[r] |= got.know
      }
      moved = true
      enter(r)
    }
  }
  expect(round).toEqual(rounds)
  expect([...boxes.values()].filter((left) => left.length > 0)).toEqual([])
  return { sent, know }
}

const M = 33 * 32 * 5
const total = (s: Sent[]) => s.reduce((n, m) => n + m.bytes, 0)
const ps = Array.from({ length: 33 }, (_, i) => i + 1)
const fold = (p: number) => 2 * (p - powerBelow(p))
const square = (p: number) => p * (p - 1)

/** messages for p ranks */
const counts: Record<string, (p: number) => number> = {
  "barrier dissemination": (p) => p * log2up(p),
  "bcast binomial": (p) => p - 1,
  "bcast scatter-ring": (p) => p - 1 + square(p),
  "bcast scatter-doubling": (p) => p - 1 + p * log2up(p),
  "reduce binomial": (p) => p - 1,
  "allreduce doubling": (p) => fold(p) + powerBelow(p) * log2up(powerBelow(p)),
  "allreduce halving-doubling": (p) => fold(p) + 2 * powerBelow(p) * log2up(powerBelow(p)),
  "allreduce ring": (p) => 2 * square(p),
  // as many rings as the largest divisor of p up to the 4 ranks of a node
  "allreduce ring-channels": (p) => 2 * square(p) * Math.max(...ps.filter((d) => d <= 4 && p % d === 0)),
  "allreduce tree": (p) => 4 * (p - 1),
  "allreduce hierarchical": (p) => {
    const g = Math.max(...ps.filter((d) => d <= 4 && p % d === 0))
    return p * (2 * (g - 1) + 2 * (p / g - 1))
  },
  // pairs whose numbers differ in one bit
  "scan doubling": (p) =>
    ps.slice(0, p).reduce((n, _, r) => n + [0, 1, 2, 3, 4, 5].filter((k) => (r ^ (1 << k)) < p).length, 0),
  "gather binomial": (p) => p - 1,
  "gather linear": (p) => p - 1,
  "scatter binomial": (p) => p - 1,
  "scatter linear": (p) => p - 1,
  "allgather bruck": (p) => p * log2up(p),
  "allgather doubling": (p) => p * log2up(p),
  "allgather ring": square,
  "reduce-scatter halving": (p) => fold(p) + powerBelow(p) * log2up(powerBelow(p)),
  "reduce-scatter bruck": (p) => p * log2up(p),
  "reduce-scatter ring": square,
  "reduce-scatter pairwise": square,
  "alltoall bruck": (p) => p * log2up(p),
  "alltoall pairwise": square,
  "alltoall direct": square,
  "gatherv linear": (p) => p - 1,
  "scatterv linear": (p) => p - 1,
  "allgatherv bruck": (p) => p * log2up(p),
  "allgatherv ring": square,
  "alltoallv pairwise": square,
  "alltoallv direct": square,
}

/** bytes of all messages together, where all ranks have equal blocks b or a vector of m */
const sums: Record<string, (p: number) => number> = {
  "bcast binomial": (p) => (p - 1) * M,
  "reduce binomial": (p) => (p - 1) * M,
  "allreduce ring": (p) => 2 * (p - 1) * M,
  "allreduce ring-channels": (p) => 2 * (p - 1) * M,
  "allreduce tree": (p) => 2 * (p - 1) * M,
  "allgather ring": (p) => square(p) * M,
  "allgather bruck": (p) => square(p) * M,
  "allgather doubling": (p) => square(p) * M,
  "reduce-scatter ring": (p) => square(p) * M,
  "reduce-scatter bruck": (p) => square(p) * M,
  "alltoall pairwise": (p) => square(p) * M,
  "alltoall direct": (p) => square(p) * M,
  "allreduce halving-doubling": (p) => fold(p) * M + 2 * (powerBelow(p) - 1) * M,
}

function listed(kind: number, p: number): ((me: number) => Int32Array) | undefined {
  const block = (i: number) => 100 + 7 * i
  if (kind === Kind.ALLTOALLV)
    return (me) => Int32Array.from({ length: 2 * p }, (_, i) => (i < p ? block(me) + (i % 5) : block(i - p) + (me % 5)))
  if (kind === Kind.ALLGATHERV || kind === Kind.GATHERV || kind === Kind.SCATTERV)
    return () => Int32Array.from({ length: p }, (_, i) => block(i))
  return undefined
}

function caller(kind: number, p: number, root: number): (me: number) => Call {
  const values = listed(kind, p)
  return (me) => {
    const own = kind === Kind.GATHERV || kind === Kind.SCATTERV ? 100 + 7 * me : M
    return call(p, me, own, {
      root,
      node: 4,
      ...(values === undefined ? {} : { values: values(me), count: values(me).length }),
    })
  }
}

/** who must have heard of whom in the end */
function expected(kind: number, p: number, root: number, r: number): bigint {
  const all = (1n << BigInt(p)) - 1n
  if (kind === Kind.BCAST || kind === Kind.SCATTER || kind === Kind.SCATTERV)
    return (1n << BigInt(root)) | (1n << BigInt(r))
  if (kind === Kind.REDUCE || kind === Kind.GATHER || kind === Kind.GATHERV) return r === root ? all : 1n << BigInt(r)
  if (kind === Kind.SCAN) return (1n << BigInt(r + 1)) - 1n
  return all
}

const table = [...algorithms].flatMap(([kind, list]) =>
  list.map((a) => ({ kind, a, name: `${kindNames[kind]} ${a.name}` })),
)

describe("collectives", () => {
  test("the tables of this file name every algorithm", () => {
    expect(table.map((t) => t.name).sort()).toEqual(Object.keys(counts).sort())
  })
  test.each(table)("$name: messages of 1 to 33 ranks, all received, all informed", ({ kind, a, name }) => {
    for (const p of ps) {
      const root = (p * 5 + 2) % p
      const { sent, know } = play(a, caller(kind, p, root), p)
      expect([p, sent.length]).toEqual([p, counts[name](p)])
      const uninformed = know.flatMap((k, r) =>
        (k & expected(kind, p, root, r)) === expected(kind, p, root, r) ? [] : [r],
      )
      expect([p, uninformed]).toEqual([p, []])
      const sum = sums[name]
      if (sum !== undefined) expect([p, total(sent)]).toEqual([p, sum(p)])
    }
  })
  test("sizes that do not divide: pieces add up", () => {
    for (const p of [3, 7, 12, 33]) {
      const m = 1000003
      expect(ps.slice(0, p).reduce((n, _, i) => n + piece(m, p, i), 0)).toBe(m)
      for (const a of algorithms.get(Kind.ALLREDUCE)!) play(a, (me) => call(p, me, m, { node: 3 }), p)
    }
  })
  test("a tree of several pieces: 4 (p - 1) messages for each", () => {
    const tree = algorithms.get(Kind.ALLREDUCE)!.find((a) => a.name === "tree")!
    const { sent } = play(tree, (me) => call(9, me, 2 * 3 * 65536), 9)
    expect(sent.length).toBe(3 * 4 * 8)
    expect(total(sent)).toBe(2 * 8 * 2 * 3 * 65536)
  })
  test(
    "examples that one can count: all-reduce of 8 bytes on 8 ranks 24 messages, " +
      "barrier of 5 ranks 15, pairwise all-to-all of 4 ranks 12",
    () => {
      const n = (kind: number, p: number, bytes: number) =>
        play(choose(kind, call(p, 0, bytes), "mpich"), (me) => call(p, me, bytes), p).sent.length
      expect([n(Kind.ALLREDUCE, 8, 8), n(Kind.BARRIER, 5, 0), n(Kind.ALLTOALL, 4, 1000)]).toEqual([24, 15, 12])
    },
  )
  test.each([
    [Kind.BCAST, 8, 12288, "binomial", "binomial"],
    [Kind.BCAST, 8, 12289, "scatter-doubling", "binomial"],
    [Kind.BCAST, 9, 12289, "scatter-ring", "binomial"],
    [Kind.ALLREDUCE, 8, 2048, "doubling", "halving-doubling"],
    [Kind.ALLREDUCE, 8, 2049, "halving-doubling", "halving-doubling"],
    [Kind.ALLGATHER, 8, 1000, "doubling", "bruck"],
    [Kind.ALLGATHER, 9, 1000, "bruck", "bruck"],
    [Kind.ALLGATHER, 9, 100000, "ring", "bruck"],
    [Kind.ALLTOALL, 8, 256, "bruck", "bruck"],
    [Kind.ALLTOALL, 8, 257, "pairwise", "bruck"],
    [Kind.ALLTOALLV, 8, 0, "pairwise", "direct"],
  ])("kind %i of %i ranks and %i bytes: MPICH takes %s, SST/Macro %s", (kind, p, bytes, mpich, sst) => {
    const c = call(p, 0, bytes)
    expect([choose(kind, c, "mpich").name, choose(kind, c, "sst").name]).toEqual([mpich, sst])
  })
})
