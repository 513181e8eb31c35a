// `lacewing validate loggops`: compares the ideal network with LogGOPSim's printed times, ring all-reduce with its
// closed form, and the messages of every collective with their counts. loggops-schedules.ts compares whole schedules by
// the rules of LogGOPSim. The times of LogGOPSim and ASTRA-sim are read
// from the project's folder of references. If they are absent, their rows report that.
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { packageFolder } from "../../../experiment/places.ts"
import { workloads } from "../../../library.ts"
import { idealEnds } from "../ideal.ts"
import { scheduleRows } from "./loggops-schedules.ts"
import { type Row, type Validation, validation } from "./rows.ts"

const { Kind, written, algorithms, call, Moves, kindNames } = workloads

export interface ValidateLogGOPSOptions {
  readonly match?: RegExp
  onRow?(row: Row, done: number, of: number): void
}

const ns = 1000
/** LogGOPSim's default parameters, which its documentation uses; S is the limit of eager messages */
const NET = { L: 2500 * ns, o: 1500 * ns, g: 1000 * ns, G: 6 * ns, O: 0 }
const MPI = { eager: "65535B", header: "1B" }

interface Golden {
  readonly loggopsim: readonly {
    readonly pattern: string
    readonly finishTimeByRank?: readonly number[]
    readonly finishTimeEveryRank?: number
  }[]
  readonly astraSim: readonly { readonly pattern: string; readonly finishNsEveryNode: number }[]
}

export async function validateLogGOPS(o: ValidateLogGOPSOptions): Promise<Validation> {
  const rows = [...goldenRows(), ...scheduleRows(), ...ringRows(), ...countRows()].filter(
    (r) => o.match === undefined || o.match.test(r.id),
  )
  for (const [i, row] of rows.entries()) o.onRow?.(row, i, rows.length)
  return validation("loggops", rows)
}

/** Halves the ranks: r receives from r + p/2, r + p/4, …, and sends to the one below that it belongs to. */
function binomialReduce(p: number, bytes: number): workloads.Program {
  return written(p, (r, w) => {
    for (let bit = p >> 1; bit > 0; bit >>= 1) {
      if (r >= 2 * bit) continue
      if (r < bit) w.recv(r + bit, bytes)
      else {
        w.send(r - bit, bytes)
        return
      }
    }
  })
}

/** Times of all ranks in ns; a program that hangs is an empty list. */
function endsOf(program: workloads.Program, mpi: Readonly<Record<string, unknown>> = {}, net = NET): number[] {
  const ends = idealEnds(program, net, { ...MPI, ...mpi })
  return "bad" in ends ? [] : [...ends.ok].map((t) => t / ns)
}

function exact(id: string, claim: string, reference: string, value: string): Row {
  return { id, claim, reference, value, pass: reference === value }
}

function goldenRows(): Row[] {
  const file = join(packageFolder, "../shared/traces/golden/model_times.json")
  if (!existsSync(file))
    return [
      {
        id: "loggopsim",
        claim: "finish times that LogGOPSim prints",
        reference: "absent",
        value: "",
        pass: "unchecked",
        note: "the reference data are not installed",
      },
    ]
  const golden = JSON.parse(readFileSync(file, "utf8")) as Golden
  const [reduce, dissemination] = golden.loggopsim
  const astra = golden.astraSim[0]
  const every = (t: number) => Array.from({ length: 16 }, () => t)
  return [
    exact(
      "loggopsim.reduce",
      `${reduce!.pattern}: finish of each rank, ns`,
      reduce!.finishTimeByRank!.join(" "),
      endsOf(binomialReduce(8, 1024)).join(" "),
    ),
    exact(
      "loggopsim.dissemination",
      "dissemination among 16 ranks: finish of each, ns",
      every(dissemination!.finishTimeEveryRank!).join(" "),
      endsOf(written(16, (_, w) => w.collective(Kind.BARRIER, 0))).join(" "),
    ),
    {
      id: "astra-sim.ring",
      claim: astra.pattern,
      reference: astra.finishNsEveryNode,
      value: endsOf(
        written(8, (_, w) => w.collective(Kind.ALLREDUCE, 1048576)),
        { algorithms: { allreduce: "ring" }, eager: "2MiB" },
        { L: 500 * ns, o: 0, g: 0, G: 20, O: 0 },
      )[0],
      pass: "unchecked",
      note: "another model: chunks of one all-reduce wait for each other there",
    },
  ]
}

function ringRows(): Row[] {
  return Array.from({ length: 32 }, (_, i) => i + 2).map((p) => {
    const m = 1000 * p
    const ends = endsOf(
      written(p, (_, w) => w.collective(Kind.ALLREDUCE, m)),
      { algorithms: { allreduce: "ring" } },
    )
    const alpha = NET.L + 2 * NET.o - NET.G
    const expected = (2 * (p - 1) * (alpha + (NET.G * m) / p)) / ns
    const claim = `ring all-reduce of ${p} ranks, ${m} bytes: 2 (p - 1) (L + 2 o - G + G m / p), ns`
    return {
      id: `ring.${p}`,
      claim,
      reference: expected,
      value: Math.max(...ends),
      pass: ends.every((t) => t === expected),
    }
  })
}

const up = (p: number) => Math.ceil(Math.log2(p))
const power = (p: number) => 2 ** Math.floor(Math.log2(p))
const folds = (p: number) => 2 * (p - power(p))
const tree = (p: number) => p - 1
const rounds = (p: number) => p * up(p)
const pairs = (p: number) => p * (p - 1)
const doubling = (p: number) => folds(p) + power(p) * Math.log2(power(p))

/** Messages of p ranks. */
const counts: Readonly<Record<string, (p: number) => number>> = {
  "barrier.dissemination": rounds,
  "bcast.binomial": tree,
  "bcast.scatter-ring": (p) => tree(p) + pairs(p),
  "bcast.scatter-doubling": (p) => tree(p) + rounds(p),
  "reduce.binomial": tree,
  "allreduce.doubling": doubling,
  "allreduce.halving-doubling": (p) => 2 * doubling(p) - folds(p),
  "allreduce.ring": (p) => 2 * pairs(p),
  "allreduce.tree": (p) => 4 * tree(p),
  // one rank a node: a ring
  "allreduce.hierarchical": (p) => 2 * pairs(p),
  // no node is given: one ring
  "allreduce.ring-channels": (p) => 2 * pairs(p),
  "scan.doubling": (p) => {
    let n = 0
    for (let bit = 1; bit < p; bit *= 2) for (let r = 0; r < p; r++) if ((r ^ bit) < p) n++
    return n
  },
  "gather.binomial": tree,
  "gather.linear": tree,
  "scatter.binomial": tree,
  "scatter.linear": tree,
  "allgather.bruck": rounds,
  "allgather.doubling": rounds,
  "allgather.ring": pairs,
  "reduce-scatter.halving": doubling,
  "reduce-scatter.bruck": rounds,
  "reduce-scatter.ring": pairs,
  "reduce-scatter.pairwise": pairs,
  "alltoall.bruck": rounds,
  "alltoall.pairwise": pairs,
  "alltoall.direct": pairs,
  "gatherv.linear": tree,
  "scatterv.linear": tree,
  "allgatherv.bruck": rounds,
  "allgatherv.ring": pairs,
  "alltoallv.pairwise": pairs,
  "alltoallv.direct": pairs,
}

function countRows(): Row[] {
  return [...algorithms].flatMap(([kind, list]) => list.map((a) => countRow(`${kindNames[kind]}.${a.name}`, a)))
}

/** All p = 1 … 33 in one row: the first that differs is named. */
function countRow(id: string, a: workloads.Algorithm): Row {
  const claim = `${id}: messages of 1 to 33 ranks`
  const expected = counts[id]
  if (expected === undefined) return { id: `count.${id}`, claim, reference: "no formula", value: "", pass: false }
  const out = new Moves()
  const of = (p: number) => {
    let sends = 0
    let receives = 0
    for (let me = 0; me < p; me++) {
      const c = call(p, me, 1024)
      for (let k = 0; k < a.rounds(c); k++) {
        out.n = 0
        a.round(c, k, out)
        for (let i = 0; i < out.n; i++) out.sends[i] === 1 ? sends++ : receives++
      }
    }
    return sends === receives ? sends : -1
  }
  const ps = Array.from({ length: 33 }, (_, i) => i + 1)
  const wrong = ps.find((p) => of(p) !== expected(p)) ?? 33
  return {
    id: `count.${id}`,
    claim: `${claim} (p = ${wrong})`,
    reference: expected(wrong),
    value: of(wrong),
    pass: of(wrong) === expected(wrong),
  }
}
