import { readFileSync } from "node:fs"
import { entries, outOfScope, specOf } from "./reference/booksim2.ts"
import { prepare, simulate } from "./simulate.ts"

const a = Object.fromEntries(process.argv.slice(2).map((s) => s.split("=")))
const [i, n] = (a.shard ?? "0/1").split("/").map(Number)
const list = entries().filter((e, k) => (!a.match || new RegExp(a.match).test(e.id)) && (!a.group || e.group === a.group) && k % n! === i)
for (const e of list) {
  if (outOfScope.some((x) => (e.config.vc_allocator ?? "").startsWith(x) || (e.config.sw_allocator ?? "").startsWith(x))) {
    console.log(JSON.stringify({ id: e.id, skip: 1 }))
    continue
  }
  const out: Record<string, number[]> = {}
  let err = ""
  for (let seed = 1; seed <= +(a.seeds ?? 3); seed++) {
    const p = prepare(specOf(e, seed), { read: (x) => readFileSync(x, "utf8") })
    if ("bad" in p) {
      err = JSON.stringify(p.bad)
      break
    }
    const r = await simulate(p.ok)
    for (const [k, v] of Object.entries(r.values)) (out[k] ??= []).push(v)
  }
  if (err) {
    console.log(JSON.stringify({ id: e.id, err }))
    continue
  }
  const m = (k: string) => out[k]!.reduce((x, y) => x + y, 0) / out[k]!.length
  const sd = (k: string) => {
    const mm = m(k)
    return Math.sqrt(out[k]!.reduce((x, y) => x + (y - mm) ** 2, 0) / Math.max(1, out[k]!.length - 1))
  }
  const r3 = (x: number) => +x.toPrecision(5)
  console.log(
    JSON.stringify({
      id: e.id,
      g: e.group,
      sat: e.saturated,
      dl: e.deadlocked || e.neverDrained,
      lat: [e.latency, r3(m("latency.mean"))],
      latd: r3(m("latency.mean") / e.latency - 1),
      se: r3(Math.sqrt((e.latencySd ** 2 + sd("latency.mean") ** 2) / 3) / e.latency),
      min: [e.latencyMin, Math.min(...out["latency.min"]!)],
      hopd: r3(m("hops.mean") / e.hops - 1),
      acc: [e.accepted, r3(m("accepted"))],
      accd: r3(m("accepted") / e.accepted - 1),
      accse: r3(Math.sqrt((e.acceptedSd ** 2 + sd("accepted") ** 2) / 3) / e.accepted),
      cpu: r3(m("seconds")),
    }),
  )
}
