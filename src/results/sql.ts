// SQL over a results folder by DuckDB, an optional package: `runs` and one view for each probe table, runs of the
// journal included.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { type Checked, type Complaint, complain } from "../core/complaint.ts"
import { type Renamed, renamedColumns, renamedTables, renamedText, renamedValues } from "../model/renamed.ts"
import { attempt, onDisk } from "./disk.ts"
import { contentsOf, damagedShard } from "./folder/contents.ts"
import { FORMAT } from "./folder/manifest.ts"
import { readShard, wholeFiles } from "./folder/shard.ts"
import { readJournal } from "./journal.ts"
import { buildsAndRevisions } from "./origin.ts"
import { readPlan } from "./plan.ts"
import { readResults, steadily } from "./read.ts"
import type { RunRecord } from "./record.ts"
import { writeShard } from "./shard.ts"

export type Rows = {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number | boolean | null)[])[]
  /** what is damaged and left out */
  readonly said: readonly Complaint[]
}

type DuckDb = typeof import("@duckdb/node-api")
export type LoadDuckDb = () => Promise<DuckDb>

/** The answer of a query, or what DuckDB says against it. */
export async function query(
  dir: string,
  sql: string,
  load: LoadDuckDb = () => import("@duckdb/node-api"),
): Promise<Checked<Rows>> {
  const duckdb = await load().catch(() => undefined)
  if (duckdb === undefined) {
    const fix = "run npm install @duckdb/node-api, or open the Parquet files with another tool (docs/guide/results.md)"
    return { bad: [complain("sql", "DuckDB is not installed.", fix)] }
  }
  const readable = await readResults(dir, { tables: false })
  if ("bad" in readable) return readable
  const scratch = await attempt(tmpdir(), () => mkdtempSync(join(tmpdir(), "lacewing-sql-")))
  if ("bad" in scratch) return scratch
  try {
    return await steadily(dir, async () => {
      const views = await viewsOf(dir, scratch.ok)
      if ("bad" in views) return views
      return answer(duckdb, { ...views.ok, said: [...views.ok.said, ...mixed(dir, readable.ok.records)] }, sql)
    })
  } finally {
    rmSync(scratch.ok, { recursive: true, force: true })
  }
}

function mixed(dir: string, records: readonly RunRecord[]): Complaint[] {
  const met = buildsAndRevisions([{ name: dir, records }])
  const fix = 'group by "provenance.version" and "provenance.revisions" to distinguish them'
  return met.length === 0
    ? []
    : [complain(dir, `The folder contains runs of several builds or revisions: ${met.join("; ")}.`, fix)]
}

/** Number of the scratch shard of the journal: shards of a folder begin with 1. */
const JOURNAL = 0

type Views = { readonly create: readonly string[]; readonly said: readonly Complaint[] }

/** `create view` for each table, over files whose checksums are right. Runs that are still in the journal are written
 *  to a scratch shard; a run in both is newer there. Shards of an older format mark missing values by NaN or a negative
 *  number: they are rewritten to scratch shards. */
async function viewsOf(dir: string, scratch: string): Promise<Checked<Views>> {
  const journal = readJournal(dir).records
  const contents = contentsOf(onDisk(dir))
  if ("bad" in contents) return contents
  const said = [...contents.ok.said]
  const sources = new Map<string, { shards: string[]; waiting: string[] }>()
  const add = (kind: "shards" | "waiting", folder: string, files: ReadonlyMap<string, string>): void => {
    for (const [table, path] of files) {
      if (!sources.has(table)) sources.set(table, { shards: [], waiting: [] })
      sources.get(table)![kind].push(text(resolve(folder, path)))
    }
  }
  const rewrite = (kind: "shards" | "waiting", number: number, records: readonly RunRecord[]): void => {
    const files = wholeFiles(onDisk(scratch), writeShard(scratch, number, records, "scratch"))
    if (typeof files !== "string") add(kind, scratch, files)
  }
  for (const shard of contents.ok.shards) {
    const files = wholeFiles(onDisk(dir), shard)
    const old = typeof files === "string" || shard.format === FORMAT ? [] : await readShard(onDisk(dir), shard, true)
    if (typeof files === "string" || typeof old === "string")
      said.push(damagedShard(dir, shard.number, typeof old === "string" ? old : String(files)))
    else if (old.length > 0) rewrite("shards", shard.number, old)
    else add("shards", dir, files)
  }
  if (journal.length > 0) rewrite("waiting", JOURNAL, journal)
  const newer = `hash not in (${journal.map((r) => text(r.hash)).join(", ") || "''"})`
  const plan = readPlan(dir, said)
  const asked = plan === undefined ? "" : ` where hash in (${[...plan].map(text).join(", ") || "''"})`
  const create = [...sources].map(([table, from]) => {
    const parts = [
      { from: from.shards, where: ` where ${newer}` },
      { from: from.waiting, where: "" },
    ].filter((p) => p.from.length > 0)
    const selects = parts.map(
      (p) => `select * from read_parquet([${p.from.join(", ")}], union_by_name = true)${p.where}`,
    )
    return `create view ${name(table)} as select * from (${selects.join(" union all by name ")})${asked}`
  })
  return { ok: { create, said } }
}

const text = (s: string): string => `'${s.replaceAll("'", "''")}'`
const name = (s: string): string => `"${s.replaceAll('"', '""')}"`

async function answer({ DuckDBInstance }: DuckDb, { create, said }: Views, sql: string): Promise<Checked<Rows>> {
  const instance = await DuckDBInstance.create(":memory:")
  const connection = await instance.connect()
  try {
    for (const view of create) await connection.run(view)
    const older = oldNamesIn(sql)
    const run = async () => await connection.runAndReadAll(sql)
    const reader = await run().catch(async (error: unknown) => {
      if (older.length === 0) throw error
      for (const view of await withOldNames(connection, older)) await connection.run(view)
      return await run()
    })
    const notes = older.map(({ was, now }) => complain("sql", renamedText(was, now), `write ${name(now)}`))
    return {
      ok: {
        columns: reader.deduplicatedColumnNames(),
        rows: reader.getRowsJS().map((row) => row.map(plain)),
        said: [...said, ...notes],
      },
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const tables = create.map((v) => /view ("[^"]+"|\S+)/.exec(v)?.[1]).join(", ")
    const fix =
      tables === ""
        ? "This folder has no table that can be read."
        : `tables: ${tables}; names with a dot need double quotes`
    // a table that lay in a damaged shard alone is not there at all
    return { bad: [...said, complain("sql", error.message.trim(), fix)] }
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

/** Old names of columns and tables that a query uses. */
function oldNamesIn(sql: string): Renamed[] {
  const names = Object.entries({ ...renamedColumns, ...renamedValues, ...renamedTables })
  return names.flatMap(([was, now]) => (hasWord(sql, was) && !hasWord(sql, now) ? [{ was, now }] : []))
}

function hasWord(sql: string, word: string): boolean {
  const escaped = word.replaceAll(".", "\\.")
  return new RegExp(`"${escaped}"|(?<![\\w."'])${escaped}(?![\\w."'])`).test(sql)
}

type Connection = Awaited<ReturnType<Awaited<ReturnType<DuckDb["DuckDBInstance"]["create"]>>["connect"]>>

/** Views that have the old names too: of tables, and of columns of `runs`. */
async function withOldNames(connection: Connection, older: readonly Renamed[]): Promise<string[]> {
  const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJS().map((row) => String(row[0]))
  const columns = await rows("select column_name from (describe runs)")
  const tables = await rows("select view_name from duckdb_views() where not internal")
  const more = older
    .filter(({ was, now }) => columns.includes(now) && !columns.includes(was))
    .map(({ was, now }) =>
      was === "why"
        ? `case ${name(now)} when 'limit' then 'cycles' else ${name(now)} end as why`
        : `${name(now)} as ${name(was)}`,
    )
  return [
    ...older
      .filter(({ was, now }) => tables.includes(now) && !tables.includes(was))
      .map(({ was, now }) => `create view ${name(was)} as select * from ${name(now)}`),
    ...(more.length === 0
      ? []
      : [
          "alter view runs rename to runs_by_new_names",
          `create view runs as select *, ${more.join(", ")} from runs_by_new_names`,
        ]),
  ]
}

function plain(value: unknown): string | number | boolean | null {
  if (value === null || value === undefined) return null
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "string") return value
  return value instanceof Date
    ? value.toISOString()
    : JSON.stringify(value, (_k, v: unknown) => (typeof v === "bigint" ? Number(v) : v))
}
