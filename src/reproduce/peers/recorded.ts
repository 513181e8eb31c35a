// Reads the recorded tables of other simulators: the `.tsv` files next to the modules that use them. `lacewing
// validate` and `lacewing bench` read a table when they need it; no other command does.
//
// A table has lines of notes that start with `#`, one line of column names, and one line for each record. Fields are
// separated by tabs. The build copies the files from src/reproduce/peers to dist/reproduce/peers (scripts/data.mjs).
// The bundled program in dist/app therefore finds them one folder further away than src/reproduce/peers and
// dist/reproduce/peers do.
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** One line of a table: its fields by column name, as text. */
export type Recorded<Column extends string> = Readonly<Record<Column, string>>

/**
 * Returns the records of the table `file` (a path below src/reproduce/peers). Throws when its columns are not
 * `columns`, because a script that writes a table and the code that reads it must agree on them.
 */
export function readRecorded<const Column extends string>(
  file: string,
  columns: readonly Column[],
): Recorded<Column>[] {
  const [names, ...lines] = readFileSync(pathOf(file), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
  if (names !== columns.join("\t")) throw new Error(`${file} has the columns ${names}, not ${columns.join("\t")}`)
  return lines.map((line) => {
    const fields = line.split("\t")
    if (fields.length !== columns.length) throw new Error(`${file} has a line with ${fields.length} fields: ${line}`)
    return Object.fromEntries(columns.map((column, i) => [column, fields[i]])) as Recorded<Column>
  })
}

/** Returns the number in a field. An empty field and `-` mean that there is no value: NaN. */
export function recordedNumber(field: string): number {
  return field === "" || field === "-" ? Number.NaN : Number(field)
}

function pathOf(file: string): string {
  const paths = ["./", "../reproduce/peers/"].map((folder) => fileURLToPath(new URL(folder + file, import.meta.url)))
  return paths.find((path) => existsSync(path)) ?? paths[0]
}
