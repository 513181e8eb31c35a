// SQL over a results folder by DuckDB, an optional package: `runs` and one view for each probe table, runs of the journal included.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { type Checked, complain } from "../core/complaint.ts"
import { attempt } from "./store-disk.ts"
import { readJournal } from "./store-journal.ts"
import { readManifest, type ShardFile } from "./store-manifest.ts"
import { readPlan } from "./store-plan.ts"
import { readResults } from "./store-read.ts"
import { writeShard } from "./store-shard.ts"

export type Rows = { readonly columns: readonly string[]; readonly rows: readonly (readonly (string | number | boolean | null)[])[] }

type DuckDb = typeof import("@duckdb/node-api")
export type LoadDuckDb = () => Promise<DuckDb>

/** The answer of a query, or what DuckDB says against it. */
export async function query(dir: string, sql: string, load: LoadDuckDb = () => import("@duckdb/node-api")): Promise<Checked<Rows>> {
  const duckdb = await load().catch(() => undefined)
  if (duckdb === undefined) {
    const fix = "npm install @duckdb/node-api, or open the Parquet files (docs/results.md) with any tool"
    return { bad: [complain("sql", "DuckDB is not installed", fix)] }
  }
  const readable = await readResults(dir, { tables: false })
  if ("bad" in readable) return readable
  const scratch = mkdtempSync(join(tmpdir(), "lacewing-sql-"))
  try {
    const views = await attempt(dir, () => viewsOf(dir, scratch))
    return "bad" in views ? views : await answer(duckdb, views.ok, sql)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** `create view` for each table. Runs that are still in the journal are written to a scratch shard; a run in both is newer there. */
function viewsOf(dir: string, scratch: string): string[] {
  const journal = readJournal(dir).records
  const manifest = readManifest(dir)
  const shards = "ok" in manifest && typeof manifest.ok !== "string" ? manifest.ok.shards : []
  const waiting = journal.length > 0 ? writeShard(scratch, 1, journal, "journal").files : []
  const whole = shards.flatMap((s) => s.files)
  const tables = [...new Set([...whole, ...waiting].map((f) => f.table))]
  const newer = `hash not in (${journal.map((r) => text(r.hash)).join(", ") || "''"})`
  const plan = readPlan(dir)
  const asked = plan === undefined ? "" : ` where hash in (${[...plan].map(text).join(", ") || "''"})`
  return tables.map((table) => {
    const parts = [
      { from: paths(whole, table, dir), where: ` where ${newer}` },
      { from: paths(waiting, table, scratch), where: "" },
    ].filter((p) => p.from.length > 0)
    const selects = parts.map((p) => `select * from read_parquet([${p.from.join(", ")}], union_by_name = true)${p.where}`)
    return `create view ${name(table)} as select * from (${selects.join(" union all by name ")})${asked}`
  })
}

function paths(files: readonly ShardFile[], table: string, dir: string): string[] {
  return files.filter((f) => f.table === table).map((f) => text(resolve(dir, f.path)))
}

const text = (s: string): string => `'${s.replaceAll("'", "''")}'`
const name = (s: string): string => `"${s.replaceAll('"', '""')}"`

async function answer({ DuckDBInstance }: DuckDb, views: readonly string[], sql: string): Promise<Checked<Rows>> {
  const instance = await DuckDBInstance.create(":memory:")
  const connection = await instance.connect()
  try {
    for (const view of views) await connection.run(view)
    const reader = await connection.runAndReadAll(sql)
    return { ok: { columns: reader.deduplicatedColumnNames(), rows: reader.getRowsJS().map((row) => row.map(plain)) } }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const fix = `tables: ${views.map((v) => /view ("[^"]+"|\S+)/.exec(v)?.[1]).join(", ")}; names with a dot need double quotes`
    return { bad: [complain("sql", error.message.trim(), fix)] }
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

function plain(value: unknown): string | number | boolean | null {
  if (value === null || value === undefined) return null
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "string") return value
  return value instanceof Date ? value.toISOString() : JSON.stringify(value, (_k, v: unknown) => (typeof v === "bigint" ? Number(v) : v))
}
