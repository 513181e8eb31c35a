// lacewing sql DIR "select …": queries the tables of a results folder with DuckDB.
import { type Command, Option } from "commander"
import { csvOf } from "../results/export.ts"
import { query, type Rows } from "../results/sql.ts"
import { short, table } from "../terminal/table.ts"
import type { Io } from "./command.ts"
import { describe } from "./help.ts"
import { refusePlain, sayPlain } from "./plain.ts"

type Format = "table" | "csv" | "json" | "markdown"

export default function (command: Command, io: Io): void {
  describe(command, {
    notes:
      'The tables are runs and one table per probe. Put column names with a dot in double quotes, e.g. "latency.mean".',
    examples: [
      `lacewing sql results/first-curve 'select load, "latency.mean" from runs order by load'`,
      "lacewing sql results/first-curve 'describe runs' --format csv",
    ],
  })
  command
    .argument("<folder>", "Results folder")
    .argument("<query>", "SQL query")
    .addOption(
      new Option("--format <format>", "Output format").choices(["table", "csv", "json", "markdown"]).default("table"),
    )
    .option("--json", "Print JSON, as --format json does")
    .action(async (folder: string, sql: string, o: { format: Format; json?: boolean }) => {
      const answer = await query(folder, sql)
      if ("bad" in answer) refusePlain(answer.bad, io, o.json === true)
      for (const c of answer.ok.said) sayPlain(c, io)
      io.out(printed(answer.ok, o.json === true ? "json" : o.format, io))
    })
}

function printed({ columns, rows }: Pick<Rows, "columns" | "rows">, format: Format, io: Io): string {
  if (format === "json")
    return JSON.stringify(rows.map((row) => Object.fromEntries(columns.map((c, i) => [c, row[i]]))))
  const text = (v: Rows["rows"][number][number]): string => (v === null ? "" : String(v))
  if (format === "csv") {
    const sheet = {
      name: "answer",
      columns: columns.map((name, i) => ({
        name,
        type: "text" as const,
        cells: rows.map(({ [i]: v = null }) => (typeof v === "boolean" ? String(v) : v)),
      })),
    }
    return csvOf(sheet).trimEnd()
  }
  if (format === "markdown") {
    const line = (cells: readonly string[]): string => `| ${cells.map((c) => c.replaceAll("|", "\\|")).join(" | ")} |`
    return [line(columns), line(columns.map(() => "---")), ...rows.map((r) => line(r.map(text)))].join("\n")
  }
  const heads = columns.map((head, i) => ({
    head,
    align: rows.every((r) => typeof r[i] === "number" || r[i] === null) ? ("right" as const) : ("left" as const),
  }))
  const cells = rows.map((r) => r.map((v) => (typeof v === "number" ? short(v, 6) : text(v))))
  return `${table(heads, cells, io.paint, io.fits)}\n${io.paint.dim(`${rows.length} ${rows.length === 1 ? "row" : "rows"}`)}`
}
