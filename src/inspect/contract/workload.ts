// Contract tests of workloads and of readers of traces. The program of ranks is read twice and must be equal, a dry run
// without a network must match all messages and end, and runs on the engines must end in the same state for any
// partition. A reader is tested with the sample that it declares, and with damaged copies of it.
import type { Checked } from "../../core/complaint.ts"
import { hostAt } from "../../experiment/disk/host.ts"
import { told } from "../../experiment/outside/fault.ts"
import { isWorkload, only } from "../../experiment/outside/kinds.ts"
import { plan } from "../../experiment/plan.ts"
import { plainSource } from "../../experiment/source.ts"
import { dryRun, findings as looseEnds, resolveCommunicators, workloads } from "../../library.ts"
import { prepare, simulate } from "../../run/simulate.ts"
import type { Bits } from "./bits.ts"
import type { Subject } from "./checks.ts"
import { contracts, type Finding, looked } from "./finding.ts"

/** operations that a dry run follows; a longer program is not followed to its end */
const FOLLOWED = 2_000_000
/** ranks of programs that are run; larger ones are only read */
const MOST_RANKS = 256
/** operations of a rank that may be open at the same time */
const MOST_OPEN = 1024

type Found = (contract: Finding["contract"], says: string) => void

export async function checkWorkload({ plugin: any, params, o }: Subject): Promise<Bits> {
  const plugin = only(any, isWorkload)
  const { reader } = plugin
  if (reader !== undefined) return readerBits(reader, params)
  let ranks = 0
  let left: string | undefined
  const findings = looked((found) => {
    const bad = plugin.check?.(params, undefined) ?? []
    if (bad.length > 0) {
      left = bad.map((c) => `${c.path}: ${c.says}`).join("; ")
      return
    }
    const [one, two] = [plugin.make(params, undefined), plugin.make(params, undefined)]
    if ("background" in one || "background" in two) return
    ranks = one.ranks
    if (ranks <= MOST_RANKS) programFindings(one, two, found)
  })
  if (left !== undefined || findings.length > 0) return { findings, ...(left === undefined ? {} : { left }) }
  if (ranks > MOST_RANKS) return { findings, left: `${ranks} ranks are too many for a test` }
  return ranOn(plugin.name, { ...o.raw, name: plugin.name }, Math.max(ranks, 4), o.modules)
}

/** Returns what is wrong with a program; `again` is the same one, made a second time. */
function programFindings(one: workloads.Program, again: workloads.Program, found: Found): void {
  for (let r = 0; r < one.ranks; r++) {
    const text = textOf(one.rank(r))
    if (text !== textOf(one.rank(r)) || text !== textOf(again.rank(r))) {
      found(contracts.alike, `rank ${r} has other operations when it is read again`)
      return
    }
  }
  const analysis = workloads.analyse(one, "")
  if ("bad" in analysis) {
    found(contracts.matched, analysis.bad.map((c) => `${c.path}: ${c.says}`).join("; "))
    return
  }
  const requests = analysis.ok.requests.reduce((a, b) => Math.max(a, b), 0)
  if (requests > MOST_OPEN)
    found(contracts.open, `a rank has ${requests} request numbers; wait for older requests and use their numbers again`)
  const dry = dryRun(one, resolveCommunicators(one), FOLLOWED)
  const wrong = dry.cut ? [] : looseEnds("the program", dry)
  if (wrong.length > 0) found(contracts.matched, `${wrong[0].path}: ${wrong[0].says}`)
  const loose = dry.unmatchedSends.at(0)
  if (!dry.cut && loose !== undefined)
    found(contracts.matched, `no receive for operation ${loose.op} of rank ${loose.rank}, a send to rank ${loose.peer}`)
}

/** Returns the operations of a rank as text. */
function textOf(source: workloads.RankSource): string {
  const rows: string[] = []
  workloads.forEachOp(source, ({ ops, list }, row) => {
    const words = ops.subarray(row, row + workloads.WORDS)
    const [at, more] = [words[workloads.LIST], words[workloads.NEEDS] + words[workloads.VALUES]]
    // The place in the list is no part of the operation.
    rows.push(words.map((w, i) => (i === workloads.LIST ? 0 : w)).join() + list.subarray(at, at + more).join())
  })
  return rows.join("\n")
}

/** Runs the program on the three engines, on the flit engine in 1, 2 and 4 partitions. */
async function ranOn(name: string, workload: object, ranks: number, modules: Subject["o"]["modules"]): Promise<Bits> {
  const prints: string[] = []
  for (const engine of ["flit", "ideal", "packet"] as const) {
    const experiment = {
      lacewing: 1,
      plugins: modules.map((m) => m.file),
      network: {
        topology: { name: "hyperx", sides: `${Math.max(2, Math.ceil(ranks / 4))}`, p: 4 },
        routing: "hyperx.minimal",
        ...(engine === "packet"
          ? { switch: "chunk", endpoint: "rails" }
          : { switch: { name: "combined", vcs: 2 }, endpoint: { name: "queue-pairs", ack: "0flits" } }),
      },
      engine,
      jobs: { workload },
      measure: { until: "jobs", limit: "20Mcycles" },
    }
    const source = plainSource("contract", experiment)
    const planned = plan({ source, host: hostAt("."), name: "contract" }, { outside: modules })
    if ("bad" in planned) return { findings: [], unrun: textsOf(planned.bad) }
    const { spec } = planned.ok.runs[0]
    for (const workers of engine === "flit" ? [1, 2, 4] : [1]) {
      const prepared = prepare(spec, hostAt(".", spec.plugins))
      if ("bad" in prepared) return { findings: [], unrun: textsOf(prepared.bad) }
      const done = await simulate(prepared.ok, { workers, threads: false })
      if (engine === "flit") prints.push(done.fingerprint)
      const ended = done.values["jobs.ended"]
      if (ended !== undefined && ended !== 1)
        return {
          findings: [{ contract: contracts.matched, says: `${engine} engine: ${ended} of the ranks of ${name} end` }],
        }
    }
  }
  const on = [`hyperx sides=${Math.max(2, Math.ceil(ranks / 4))} p=4`]
  const differ = { contract: contracts.bits, says: `1, 2 and 4 partitions end in the states ${prints.join(", ")}` }
  return { findings: new Set(prints).size > 1 ? [differ] : [], on }
}

/** Tests a reader with its sample: the program, and copies of the sample that end early or contain other bytes. */
function readerBits(reader: workloads.TraceReaderPlugin<unknown>, params: unknown): Bits {
  const sample = Object.entries(reader.sample ?? {})
  if (sample.length === 0) return { findings: [], left: "it declares no sample, a small trace as text" }
  const read = (change: (bytes: Uint8Array) => Uint8Array): Checked<workloads.Program> => {
    const files = sample.map(([name, text]) => ({ name, bytes: change(new TextEncoder().encode(text)) }))
    const got = reader.make(params, undefined).read(files, undefined)
    if ("bad" in got) return got
    const { ranks, write } = got.ok
    return { ok: workloads.written(ranks, (r, to) => write.call(got.ok, r, to)) }
  }
  const findings = looked((found) => {
    const [one, two] = [read((b) => b), read((b) => b)]
    if ("bad" in one || "bad" in two) {
      found(contracts.matched, `rejects its own sample: ${textsOf("bad" in one ? one.bad : [])}`)
      return
    }
    programFindings(one.ok, two.ok, found)
    for (const [what, change] of damages)
      try {
        const got = read(change)
        if ("ok" in got && !(Number.isInteger(got.ok.ranks) && got.ok.ranks >= 1))
          found(contracts.damaged, `${what}: returns a program of ${got.ok.ranks} ranks`)
        else if ("ok" in got) for (let r = 0; r < Math.min(got.ok.ranks, MOST_RANKS); r++) textOf(got.ok.rank(r))
        else if (got.bad.length === 0) found(contracts.damaged, `${what}: rejects the sample without an error`)
      } catch (e) {
        found(contracts.damaged, `${what}: throws ${told(e)}`)
      }
  })
  return { findings, on: sample.map(([name]) => name) }
}

/** Copies of a sample that a reader must reject or read; an exception is a finding. */
const damages: readonly (readonly [string, (bytes: Uint8Array) => Uint8Array])[] = [
  ["an empty file", () => new Uint8Array(0)],
  ["the first half", (bytes) => bytes.slice(0, bytes.length >> 1)],
  ["other letters", (bytes) => bytes.map((b, i) => (i % 7 === 3 ? 0x58 : b))],
  ["bytes that are no text", (bytes) => bytes.map((b, i) => (i % 5 === 2 ? 0xff : b))],
]

function textsOf(bad: readonly { readonly path: string; readonly says: string }[]): string {
  return bad.map((c) => `${c.path}: ${c.says}`).join("; ")
}
