// A session of the store, ended at every one of its file-system calls: by a kill, by a power cut, by a disk that fails
// once or is full from then on. Each time: what was reported as stored is there, nothing is in the way, and the same
// command ends with the same table.
import { afterEach, describe, expect, test } from "vitest"
import { made } from "../../test/fixtures/records.ts"
import { type CallName, cloneDisk, type MemoryDisk, memoryDisk, watchedDisk } from "../../test/support/memory-disk.mjs"
import { canonical } from "../core/canonical.ts"
import type { Complaint } from "../core/complaint.ts"
import { sha256 } from "../core/sha256.ts"
import { type Calls, replaceDisk } from "./calls.ts"
import { readResults } from "./read.ts"
import type { RunRecord } from "./record.ts"
import { Store } from "./store.ts"

const dir = "/results"
/** No system gives numbers as high: a lock with one is of a process that is gone. */
let process = 2 ** 30

afterEach(() => replaceDisk())

const run = (seed: number, seconds = 1): RunRecord => {
  const { result, ...rest } = made({ seed })
  const values = { "latency.mean": seed / 3 }
  const tables = { "Bulk.series": { time: [100, 200], latency: [seed, 0.1] } }
  return { ...rest, result: { ...result, values, tables }, provenance: { ...rest.provenance, seconds } }
}
const first = [1, 2, 3].map((seed) => run(seed))
/** one to be run again, one with another label, one new */
const second = [run(1, 9), { ...run(2), point: { load: 2 } }, run(4)]

/** All of a run but its specification, which is the same in all. */
const text = ({ spec: _, ...rest }: RunRecord): string => canonical(rest)

type Told = { readonly stored: Set<string>; readonly bad: readonly Complaint[] }

/** What `run` does with a folder: opens it, plans, adds what is not there, closes; trouble ends it. */
async function command(records: readonly RunRecord[], stored = new Set<string>()): Promise<Told> {
  const opened = await Store.open(dir, { version: "0.2.0", about: { title: "crash" }, shardRuns: 2 })
  if ("bad" in opened) return { stored, bad: opened.bad }
  const store = opened.ok
  let bad: readonly Complaint[] = []
  try {
    bad = await store.plan(records)
    for (const r of records) {
      if (bad.length > 0) break
      if (store.has(r.hash) && store.get(r.hash)!.provenance.seconds === r.provenance.seconds) continue
      bad = await store.add(r)
      if (bad.length === 0) stored.add(text(r))
    }
  } finally {
    bad = [...bad, ...(await store.close())]
  }
  return { stored, bad }
}

async function on<T>(disk: Calls, act: () => Promise<T>): Promise<T> {
  replaceDisk(disk)
  try {
    return await act()
  } finally {
    replaceDisk()
  }
}

async function table(disk: MemoryDisk): Promise<string[]> {
  const read = await on(disk, () => readResults(dir, { everything: true }))
  return "ok" in read ? read.ok.records.map(text) : []
}

/** States that the same command has gone on from already: most calls only read, and leave what the call before left. */
const seenStates = new Set<string>()

/** All that is on the disk but numbers of processes and the time of day. */
function stateOf(disk: MemoryDisk, records: readonly RunRecord[]): string {
  const plain = (path: string, data: Uint8Array): string =>
    path.includes("lock.json")
      ? ""
      : Buffer.from(data)
          .toString("latin1")
          .replace(/"(created|sha256)": "[^"]*"/g, "")
  const files = [...disk.files].map(([path, { data }]) => `${path.replace(/\d{9,}/, "")} ${sha256(plain(path, data))}`)
  return [records.length, records[0].provenance.seconds, ...disk.folders, ...files.sort()].join("\n")
}

/** The same command in a new process: ends well, leaves nothing lying about, and the table is the one of a session
 *  without trouble. */
async function goesOn(
  left: MemoryDisk,
  records: readonly RunRecord[],
  expected: readonly string[],
  asides = 0,
): Promise<void> {
  const state = stateOf(left, records)
  if (seenStates.has(state)) return
  seenStates.add(state)
  const again = cloneDisk(left, ++process)
  expect((await on(again, () => command(records))).bad).toEqual([])
  expect(await table(again)).toEqual(expected)
  const names = [...again.files.keys()].filter((p) => !/^\/results\/(manifest|plan)\.json$|\/\d{4}\.parquet$/.test(p))
  expect(names.filter((p) => !p.includes("/set-aside/"))).toEqual([])
  expect(names.filter((p) => p.includes("/set-aside/")).length).toBeLessThanOrEqual(asides)
}

class Ended extends Error {}

/** The states that a kill before each call leaves, with what had been reported as stored; a write is also left
 *  half-way. */
async function kills(
  start: MemoryDisk,
  records: readonly RunRecord[],
): Promise<{ states: [MemoryDisk, string[], MemoryDisk][]; calls: number }> {
  const states: [MemoryDisk, string[], MemoryDisk][] = []
  const stored = new Set<string>()
  const here = cloneDisk(start, ++process)
  let calls = 0
  const seen = watchedDisk(here, (name, args) => {
    calls++
    states.push([cloneDisk(here), [...stored], cloneDisk(here, here.pid, true)])
    if (name !== "write") return
    const half = cloneDisk(here)
    const whole = Buffer.from(args[1] as string | Uint8Array)
    const unfinished = [...half.files].filter(([path]) => path.endsWith(".tmp")).at(-1)!
    unfinished[1].data = whole.subarray(0, whole.length >> 1)
    states.push([half, [...stored], half])
  })
  expect((await on(seen, () => command(records, stored))).bad).toEqual([])
  states.push([cloneDisk(here), [...stored], cloneDisk(here, here.pid, true)])
  return { states, calls }
}

const changing = new Set<CallName>(["mkdir", "create", "write", "sync", "link", "touch"])

/** Fails the n-th call: once ("EIO"), or it and every later one that needs space ("ENOSPC"). */
function failing(disk: MemoryDisk, n: number, code: "EIO" | "ENOSPC"): { disk: MemoryDisk; lockStays: () => boolean } {
  let calls = 0
  let lockStays = false
  const seen = watchedDisk(disk, (name, args) => {
    calls++
    if (code === "EIO" ? calls !== n : calls < n || !changing.has(name)) return
    // what cannot be removed, or looked at to see whose it is, stays; its process is gone soon
    lockStays ||= args[0] === `${dir}/lock.json` && (name === "remove" || name === "read")
    throw Object.assign(new Error(code), { code, syscall: name, path: String(args[0]) })
  })
  return { disk: seen, lockStays: () => lockStays }
}

async function before(): Promise<MemoryDisk> {
  const disk = memoryDisk(++process)
  expect((await on(disk, () => command(first))).bad).toEqual([])
  return disk
}

/** A bit of a shard is flipped, the manifest is cut short, a journal entry is half there. */
async function damaged(): Promise<MemoryDisk> {
  const disk = await before()
  const flip = (path: string, change: (data: Uint8Array) => Uint8Array): void => {
    const file = disk.files.get(`${dir}/${path}`)!
    file.data = change(Uint8Array.from(file.data))
  }
  const shards = [...disk.files.keys()].filter((p) => p.startsWith(`${dir}/runs/`))
  flip(shards[0].slice(dir.length + 1), (d) => d.with(15, d[15] ^ 2))
  flip("manifest.json", (d) => d.subarray(0, 100))
  disk.files.set(`${dir}/journal/half.json`, { data: Buffer.from('{"sha256":"'), changed: Date.now(), synced: true })
  return disk
}

const scenes: readonly [string, () => Promise<MemoryDisk>, readonly RunRecord[], number][] = [
  ["a new folder", async () => memoryDisk(++process), first, 0],
  ["a folder with runs, some to be replaced", before, second, 0],
  // runs and table of the shard, the manifest, the journal entry
  ["a damaged folder", damaged, first, 4],
]

describe.each(scenes)("%s", (name, start, records, asides) => {
  test("killed, or cut off from power, at every call", async () => {
    const { states, calls } = await kills(await start(), records)
    const expected = await table(states.at(-1)![0])
    // each run of the command is there; those of an earlier one stay
    expect(expected.length).toBeGreaterThanOrEqual(records.length)
    for (const [state, stored, cut] of states) {
      const there = new Set(await table(state))
      for (const run of stored) expect(there.has(run)).toBe(true)
      await goesOn(state, records, expected, asides)
      const half = [...cut.files.values()].some((f) => !f.synced)
      if (half) await goesOn(cut, records, expected, asides)
    }
    console.log(`${name}: killed at ${calls} of ${calls} calls`)
    expect(calls).toBeGreaterThan(50)
  })

  test.each(["EIO", "ENOSPC"] as const)("%s at every call", async (code) => {
    const begin = await start()
    const whole = cloneDisk(begin, ++process)
    let calls = 0
    await on(
      watchedDisk(whole, () => {
        calls++
      }),
      () => command(records),
    )
    const expected = await table(whole)
    let visited = 0
    for (let n = 1; n <= calls; n++) {
      const disk = cloneDisk(begin, ++process)
      const faulty = failing(disk, n, code)
      const { stored } = await on(faulty.disk, () => command(records))
      visited++
      expect(disk.files.has(`${dir}/lock.json`) && !faulty.lockStays(), `the lock is left after call ${n}`).toBe(false)
      const there = new Set(await table(disk))
      for (const run of stored) expect(there.has(run), `a run was lost at call ${n}`).toBe(true)
      await goesOn(disk, records, expected, asides)
    }
    console.log(`${name}: ${code} at ${visited} of ${calls} calls`)
    expect(visited).toBe(calls)
  })
})

test("an error that is no system error gives the lock back, too", async () => {
  const disk = memoryDisk(++process)
  const odd = watchedDisk(disk, (name, args) => {
    if (name === "create" && String(args[0]).includes("manifest")) throw new Ended("a bug")
  })
  await expect(on(odd, () => command(first))).rejects.toThrow("a bug")
  expect(disk.files.has(`${dir}/lock.json`)).toBe(false)
})
