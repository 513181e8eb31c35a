// A small results folder in memory for the readers of its files, and the checks that every damaged folder must pass.
import { canonical } from "../../dist/core/canonical.js"
import { replaceDisk } from "../../dist/results/calls.js"
import { readResults } from "../../dist/results/read.js"
import { Store } from "../../dist/results/store.js"
import { cloneDisk, memoryDisk, watchedDisk } from "../../test/support/memory-disk.mjs"

export const dir = "/results"
const options = { version: "0.2.0", about: { title: "fuzz" }, shardRuns: 2 }

function run(seed) {
  return {
    hash: `${seed}`.repeat(32),
    spec: { network: { topology: { name: "mesh" } }, seed },
    point: { load: seed / 10 },
    seed,
    result: {
      why: "steady",
      explains: "it is",
      fingerprint: "f".repeat(16),
      values: { offered: seed / 10, accepted: seed / 10, "latency.mean": seed, saturated: 0 },
      tables: { series: { time: [100, 200], latency: [seed, 0.5] } },
    },
    provenance: { version: "0.2.0", node: "v20", host: "here", started: "2026-01-01T00:00:00.000Z", seconds: 1 },
  }
}

/** Creates a shard, one run in the journal and a plan. */
export async function prepare() {
  const disk = memoryDisk()
  const runs = [1, 2, 3].map(run)
  await on(disk, async () => {
    const { ok: store } = await Store.open(dir, options)
    for (const r of runs) await store.add(r)
    await store.plan(runs.slice(1))
    store.abandon()
  })
  const bare = (r) => ({ ...r, result: { ...r.result, tables: {} } })
  return { disk, runs, texts: new Set([...runs, ...runs.map(bare)].map(canonical)) }
}

export async function on(disk, act) {
  replaceDisk(disk)
  try {
    return await act()
  } finally {
    replaceDisk()
  }
}

/** Returns the folder with one file replaced. An access outside of the folder is an error. */
export function withFile(disk, path, data, without = []) {
  const made = cloneDisk(disk, disk.pid + 1)
  for (const gone of without) made.files.delete(`${dir}/${gone}`)
  made.files.set(`${dir}/${path}`, { data, changed: Date.now(), synced: true })
  return watchedDisk(made, (name, args) => {
    for (const path of args) {
      if (typeof path === "string" && path.startsWith("/") && path !== dir && !path.startsWith(`${dir}/`))
        throw new Error(`${name} ${path}`)
      if (typeof path === "string" && path.startsWith(dir) && path.split("/").includes(".."))
        throw new Error(`${name} ${path}`)
      if (name === "write") break
    }
  })
}

/** Reads the folder, and sometimes opens and closes it for writing. Every run that is read must be one of `texts`. */
export async function ask(random, disk, texts) {
  await on(disk, async () => {
    const read = await readResults(dir, { tables: random.chance(0.5), everything: random.chance(0.5) })
    complaintsOnly(read)
    if ("ok" in read && texts !== undefined)
      for (const r of read.ok.records)
        if (!texts.has(canonical(r))) throw new Error(`changed: ${canonical(r).slice(0, 300)}`)
    if (random.chance(0.9)) return
    const store = await Store.open(dir, options)
    complaintsOnly(store)
    if ("bad" in store) return
    if (random.chance(0.5)) await store.ok.add(run(6))
    const closed = await store.ok.close()
    if (closed.length > 0) throw new Error(`cannot be closed: ${closed[0].path}: ${closed[0].says}`)
    if (disk.files.has(`${dir}/lock.json`)) throw new Error("the lock is left")
  })
}

function complaintsOnly(checked) {
  if ("bad" in checked && !(checked.bad.length > 0 && checked.bad.every((c) => c.path && c.says && c.fix)))
    throw new Error("a complaint without words")
}
