// The subjects of `bench --against`: the programs that the other benches run in separate processes. They exist in every
// build and print the CPU seconds of their run loop without the setup. They are started here with little work, because
// there are many pairs.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { compileHere } from "../../../run/compile-here.ts"
import { entries, specOf } from "../booksim2/config.ts"
import { codesEntries } from "../codes/experiments.ts"
import type { Build } from "./builds.ts"
import { checkSubjects } from "./check.ts"
import { recordedCodesSpeed } from "./codes.ts"
import { parallelModes } from "./parallel.ts"
import { pholdRuns } from "./phold.ts"

export interface Measured {
  /** how much was done: flit-hops, chunks, events; a build that does other work says so */
  readonly work: number
  readonly cpu: number
}

export interface Subject {
  readonly name: string
  /** arguments of node */
  args(build: Build): Promise<readonly string[]> | readonly string[]
  read(printed: string): Measured
}

/** Names of these programs in builds of 0.1.0. */
const former: Readonly<Record<string, string>> = {
  "flit-child": "bench-child",
  "phold-child": "bench-phold-child",
  "parallel-child": "bench-parallel-child",
  "growth-child": "bench-growth-child",
  "check-child": "bench-check-child",
}
const child = (build: Build, name: string) => {
  const file = (of: string) => join(build.root, "dist/app", `${of}.js`)
  const before = former[name]
  return before !== undefined && !existsSync(file(name)) && existsSync(file(before)) ? file(before) : file(name)
}
const flags = [...compileHere]
type Told = Readonly<Record<string, number>>
const told = (printed: string): Told => JSON.parse(printed) as Told

function booksim2(): Subject[] {
  return entries()
    .filter((e) => e.group === "speed")
    .map((e) => ({
      name: e.id,
      async args(build) {
        return [child(build, "flit-child"), JSON.stringify(await specIn(build, e.id)), String(e.cycles * 5)]
      },
      read(printed) {
        const { flitHops, cpu } = told(printed)
        return { work: flitHops!, cpu: cpu! }
      },
    }))
}

/** A build reads the specification that it would have made itself: keys may have come since. */
async function specIn(build: Build, id: string): Promise<unknown> {
  const file = ["reproduce/peers/booksim2/config.js", "peers/booksim2/config.js", "lab/reference/booksim2.js"]
    .map((path) => join(build.root, "dist", path))
    .find((f) => existsSync(f))
  const own: { entries: typeof entries; specOf: typeof specOf } =
    file === undefined ? { entries, specOf } : await import(pathToFileURL(file).href)
  return own.specOf(own.entries().find((e) => e.id === id)!, 1)
}

function codes(): Subject[] {
  const runs = new Map(codesEntries().map((e) => [e.id, e]))
  return recordedCodesSpeed().map(({ id }) => ({
    name: id,
    args: (build) => [...flags, child(build, "codes-child"), id, "1", String(runs.get(id)!.end), "", "1"],
    read(printed) {
      const [got] = JSON.parse(printed) as readonly { chunks: number; hops: number; cpu: number }[]
      return { work: got!.chunks * got!.hops, cpu: got!.cpu }
    },
  }))
}

function phold(): Subject[] {
  return pholdRuns().map((p, i) => ({
    name: `${p.lps} LPs, look-ahead ${p.lookahead}, ${p.starts} start, remote ${p.remote}`,
    args: (build) => [...flags, child(build, "phold-child"), String(i)],
    read(printed) {
      const { events, cpu } = told(printed)
      return { work: events!, cpu: cpu! }
    },
  }))
}

function parallel(): Subject[] {
  const engines = { sequential: { sync: "sequential" }, ...parallelModes }
  return Object.entries(engines).map(([name, engine]) => {
    const more = name === "sequential" ? {} : { workers: 2, ...(name === "optimistic" ? { optimism: "100ns" } : {}) }
    return {
      name,
      args: (build) => [...flags, child(build, "parallel-child"), JSON.stringify({ ...engine, ...more }), "30", "90ns"],
      read: (printed) => ({ work: 1, cpu: told(printed)["cpu"] }),
    }
  })
}

function tiled(): Subject[] {
  const sizes = { baseline: [], stash: ["stash=1"] }
  return Object.entries(sizes).map(([name, more]) => ({
    name: `net=mid ${name}`,
    args: (build) => [join(build.root, "bench/tiled.mjs"), "net=mid", "us=12", "warm=2", "every=5", ...more],
    read(printed) {
      const { packetHops, rate } = told(printed)
      return { work: packetHops!, cpu: packetHops! / rate! }
    },
  }))
}

function growth(): Subject[] {
  const sizes: readonly (readonly [number, number, number])[] = [
    [8, 1, 30000],
    [64, 1, 1200],
    [64, 2, 1200],
  ]
  return sizes.map(([side, workers, cycles]) => ({
    name: `torus of ${side * side}, ${workers} worker${workers === 1 ? "" : "s"}`,
    args: (build) => [...flags, child(build, "growth-child"), String(side), String(workers), String(cycles)],
    read(printed) {
      const { flitHops, cpuSeconds } = told(printed)
      return { work: flitHops!, cpu: cpuSeconds! }
    },
  }))
}

function check(): Subject[] {
  return checkSubjects.map(({ name }) => ({
    name,
    args: (build) => [...flags, child(build, "check-child"), name],
    read: (printed) => ({ work: 1, cpu: told(printed)["cpuSeconds"] }),
  }))
}

/** By suite. */
export const subjects: Readonly<Record<string, () => readonly Subject[]>> = {
  booksim2,
  codes,
  phold,
  parallel,
  tiled,
  growth,
  check,
}
