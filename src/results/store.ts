// The results folder. Every finished run is a JSON file at once (journal/), and moves to Parquet shards after each
// batch of runs and at the end:
//   `manifest.json`   Table of contents; a shard exists when it is named here.
//   `runs/0001.parquet`, `tables/NAME/0001.parquet`   The shards: docs/guide/results.md.
//   `journal/HASH.json`   Runs that no shard holds yet.
//   `checkpoints/HASH.bin`   States of runs that have not ended (run --checkpoint).
//   `plan.json`   The runs that the experiment contains now.
//   `lock.json`   The process that writes.
//   `set-aside/`   Damaged files.
// A kill at any instant loses at most the run in progress: files appear by rename, and the manifest is replaced before
// anything is removed.
import type { Checked, Complaint } from "../core/complaint.ts"
import { attempt, makeFolder, onDisk, quietly } from "./disk.ts"
import { type About, FORMAT, type Manifest, type Shard } from "./folder/manifest.ts"
import { readShard } from "./folder/shard.ts"
import { readJournal, removeJournal, writeJournal } from "./journal.ts"
import { type Lock, lock } from "./lock.ts"
import { readManifest, writeManifest } from "./manifest.ts"
import { type Opened, openFolder } from "./open.ts"
import { pointKey, sortRecords } from "./order.ts"
import { writePlan } from "./plan.ts"
import { readResults } from "./read.ts"
import { bare, type RunRecord } from "./record.ts"
import { removeShard, writeShard } from "./shard.ts"

export type StoreOptions = {
  readonly version: string
  readonly about?: About
  /** runs of one shard: the journal is compacted when it holds as many */
  readonly shardRuns?: number
}

/** The journal is compacted, too, when it has grown to this many characters: probes can make large runs. */
const JOURNAL_LIMIT = 64 * 2 ** 20

export class Store {
  readonly dir: string
  /** what was found and put right when the folder was opened */
  readonly said: readonly Complaint[]
  private readonly version: string
  private readonly shardRuns: number
  private readonly held: Lock
  private readonly known: Opened["known"]
  private readonly journaled = new Set<string>()
  /** shards with a run that was run again since */
  private readonly superseded = new Set<number>()
  private manifest: Manifest
  private journalSize: number
  private turn: Promise<unknown> = Promise.resolve()

  private constructor(dir: string, options: StoreOptions, held: Lock, opened: Opened) {
    this.dir = dir
    this.version = options.version
    this.shardRuns = options.shardRuns ?? 64
    this.held = held
    this.known = opened.known
    this.said = opened.said
    this.manifest = opened.manifest
    this.journalSize = opened.journalSize
    for (const [hash, { shard }] of opened.known) if (shard === 0) this.journaled.add(hash)
  }

  /** Takes the folder (made if need be) for writing, puts right what an interruption left, and knows the runs that are
   *  there. */
  static async open(dir: string, options: StoreOptions): Promise<Checked<Store>> {
    const found = await attempt(dir, () => readManifest(dir))
    if ("bad" in found) return found
    if ("bad" in found.ok) return found.ok
    const taken = await attempt(dir, () => {
      makeFolder(dir)
      return lock(dir)
    })
    if ("bad" in taken) return taken
    if ("bad" in taken.ok) return taken.ok
    const held = taken.ok.ok
    let store: Store | undefined
    try {
      const opened = await attempt(dir, () => openFolder(dir, options.version, options.about ?? {}))
      if ("bad" in opened) return opened
      if ("bad" in opened.ok) return opened.ok
      store = new Store(dir, options, held, opened.ok.ok)
      return { ok: store }
    } finally {
      if (store === undefined) held.release()
    }
  }

  has(hash: string): boolean {
    return this.known.has(hash)
  }

  /** A known run without its tables. */
  get(hash: string): RunRecord | undefined {
    return this.known.get(hash)?.run
  }

  /** Keeps a finished run: it is on disk when this returns without complaints. A run that is there already is replaced.
   *  */
  add(record: RunRecord): Promise<readonly Complaint[]> {
    return this.inTurn(() => this.keep(record))
  }

  /** Serialises changes in the order of their calls, because workers finish while a shard is being written. */
  private inTurn<T>(act: () => Promise<T>): Promise<T> {
    const next = this.turn.then(act)
    this.turn = next.catch(() => undefined)
    return next
  }

  private async keep(record: RunRecord): Promise<readonly Complaint[]> {
    const written = await attempt(this.dir, () => writeJournal(this.dir, record))
    if ("bad" in written) return written.bad
    this.journalSize += written.ok
    const replaced = this.known.get(record.hash)
    if (replaced !== undefined && replaced.shard > 0) this.superseded.add(replaced.shard)
    this.known.set(record.hash, { run: bare(record), shard: 0 })
    this.journaled.add(record.hash)
    return this.journaled.size >= this.shardRuns || this.journalSize > JOURNAL_LIMIT ? this.compact() : []
  }

  /**
   * Records which runs the experiment contains: reports, comparisons and SQL show these, all others stay as a cache.
   * Known runs get its labels.
   */
  async plan(runs: readonly Pick<RunRecord, "hash" | "point">[]): Promise<readonly Complaint[]> {
    const labels = new Map(runs.map((r) => [r.hash, r.point]))
    const stale = runs.filter((r) => this.has(r.hash) && pointKey(this.get(r.hash)!.point) !== pointKey(r.point))
    const all = stale.length > 0 ? await this.records() : { ok: [] }
    if ("bad" in all) return all.bad
    for (const record of all.ok) {
      const bad = stale.some((r) => r.hash === record.hash)
        ? await this.add({ ...record, point: labels.get(record.hash)! })
        : []
      if (bad.length > 0) return bad
    }
    const done = await attempt(this.dir, () => writePlan(this.dir, [...labels.keys()]))
    return "bad" in done ? done.bad : []
  }

  /** Returns all runs in the order of their points, by default with their tables. */
  async records(tables = true): Promise<Checked<readonly RunRecord[]>> {
    if (!tables) return { ok: sortRecords([...this.known.values()].map((k) => k.run)) }
    const read = await readResults(this.dir, { everything: true })
    return "bad" in read ? read : { ok: read.ok.records }
  }

  /** Compacts what is left and gives the folder free. */
  close(): Promise<readonly Complaint[]> {
    return this.inTurn(async () => {
      try {
        return this.journaled.size > 0 ? await this.compact() : []
      } finally {
        this.held.release()
      }
    })
  }

  /** Gives the folder free at once; the journal keeps its runs. */
  abandon(): void {
    this.held.release()
  }

  /** Journal, small shards and superseded ones into new shards; the manifest is the commit, removals come after it. */
  private async compact(): Promise<readonly Complaint[]> {
    const { dir, manifest, shardRuns } = this
    const written: Shard[] = []
    const done = await attempt(dir, async () => {
      const small = manifest.shards.filter(
        (s) => s.runs < shardRuns || s.format < FORMAT || this.superseded.has(s.number),
      )
      const absorbed = new Set<Shard>()
      const journal = readJournal(dir).records
      const fresh = new Set(journal.map((r) => r.hash))
      const placed = new Map<string, { run: RunRecord; shard: number }>()
      let batch: RunRecord[] = []
      const flush = (): void => {
        if (batch.length === 0) return
        const number = manifest.next + written.length
        for (const r of batch) placed.set(r.hash, { run: bare(r), shard: number })
        written.push(writeShard(dir, number, batch, this.version))
        batch = []
      }
      for (const shard of small) {
        const runs = await readShard(onDisk(dir), shard, true)
        // damaged since the folder was opened: it stays in the manifest, and the next opening sets it aside
        if (typeof runs === "string") continue
        absorbed.add(shard)
        batch.push(...runs.filter((r) => !fresh.has(r.hash)))
        if (batch.length >= shardRuns) flush()
      }
      batch.push(...journal)
      flush()
      // those whose removal failed before may still lie about
      const retired = [...manifest.retired, ...[...absorbed].map((s) => s.number)]
      const shards = [...manifest.shards.filter((s) => !absorbed.has(s)), ...written]
      const next: Manifest = {
        ...manifest,
        version: this.version,
        next: manifest.next + written.length,
        shards,
        retired,
      }
      writeManifest(dir, next)
      this.manifest = next
      for (const number of retired) removeShard(dir, number)
      this.manifest = { ...next, retired: [] }
      for (const hash of fresh) removeJournal(dir, hash)
      for (const [hash, at] of placed) this.known.set(hash, at)
      this.journaled.clear()
      this.superseded.clear()
      this.journalSize = 0
    })
    if ("ok" in done) return []
    // whole shards that no manifest names: take no space on a disk that is full, the journal still has their runs
    if (this.manifest === manifest)
      for (let n = manifest.next; n <= manifest.next + written.length; n++) quietly(() => removeShard(dir, n))
    return done.bad
  }
}
