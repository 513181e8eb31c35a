// Fuzzes readers of traces: files with a few changes are read in chunks of random size, inspected, and written in other
// formats. Every error must be a complaint.
import { lookAt } from "../../dist/inspect/trace/summary.js"
import { resolve } from "../../dist/workloads/check/communicators.js"
import { operationLines } from "../../dist/workloads/check/operations.js"
import { compactOf } from "../../dist/workloads/formats/compact.js"
import { goalOf } from "../../dist/workloads/formats/goal-text.js"
import { readTrace } from "../../dist/workloads/formats/read.js"
import { mutateBytes } from "./mutate.mjs"

const mostOperations = 20_000
const mostRanks = 4096
const encoder = new TextEncoder()

/** Files by name, as texts or bytes. `change` converts the text of one. */
export function traceReader(files, change) {
  const names = Object.keys(files)
  const whole = Object.fromEntries(
    names.map((n) => [n, typeof files[n] === "string" ? encoder.encode(files[n]) : files[n]]),
  )
  return {
    prepare: () => whole,
    async read(random, prepared) {
      const made = { ...prepared }
      for (let n = 1 + random.int(2); n > 0; n--) {
        const name = random.pick(names)
        made[name] =
          change !== undefined && random.chance(0.6) ? change(random, made[name]) : mutateBytes(random, made[name])
      }
      await lookInto(random, made)
    },
  }
}

export async function lookInto(random, files) {
  const chunk = random.pick([1, 7, 100, 65_536])
  const sources = async function* () {
    for (const [name, bytes] of Object.entries(files)) yield { name, chunks: pieces(bytes, chunk) }
  }
  const { trace, bad } = await readTrace("t", sources, { digests: random.chance(0.2) })
  told(bad)
  if (trace === undefined) {
    if (bad.length === 0) throw new Error("no trace and no complaint")
    return
  }
  JSON.stringify(trace.summary)
  if (trace.ranks > mostRanks) return
  const look = lookAt("t", trace, mostOperations)
  told([...look.bad, ...look.notes])
  if (trace.program === undefined || trace.bad.length > 0) return
  operationLines(trace.program, 0, 5)
  let bytes = 0
  for (const piece of compactOf(trace.program)) if ((bytes += piece.length) > 2 ** 22) break
  const text = goalOf(trace.program, resolve(trace.program), "t")
  if ("bad" in text) return told(text.bad)
  let lines = 0
  for (const _ of text.ok()) if (++lines > 5000) break
}

async function* pieces(bytes, size) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

function told(list) {
  if (!list.every((c) => c.path && c.says && c.fix)) throw new Error("a complaint without words")
}

/** Replaces numbers of a text and moves words. */
export function changedText(random, bytes) {
  const text = new TextDecoder().decode(bytes)
  const odd = ["-1", "0", "99999999999", "1e9", "4194305", "NaN", "", "3", "x"]
  if (random.chance(0.7))
    return encoder.encode(text.replace(/\d+/g, (x) => (random.chance(0.95) ? x : random.pick(odd))))
  const lines = text.split("\n")
  const at = random.int(lines.length)
  lines.splice(at, random.int(3), ...(random.chance(0.5) ? [random.pick(lines)] : []))
  return encoder.encode(lines.join("\n"))
}
