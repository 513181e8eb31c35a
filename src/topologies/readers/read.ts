// Reads a graph file in any known form. The topology `graph` calls it. With `form: auto` the form follows from the
// ending of the file name.
import { readEdges } from "../edges.ts"
import { readAdjacency } from "./adjacency.ts"
import { readCsv } from "./csv.ts"
import { readGraphml } from "./graphml.ts"
import { readJson } from "./json.ts"
import type { ReadGraph } from "./list.ts"

export const graphForms = ["auto", "edges", "csv", "json", "graphml", "adjacency"] as const
export type GraphForm = (typeof graphForms)[number]

const endings: Readonly<Record<string, GraphForm>> = {
  csv: "csv",
  json: "json",
  graphml: "graphml",
  xml: "graphml",
  adj: "adjacency",
  matrix: "adjacency",
}

export function readGraph(source: string, file: string, form: GraphForm, duplicates: boolean): ReadGraph {
  switch (form === "auto" ? (endings[/\.([^.]+)$/.exec(file)?.[1]?.toLowerCase() ?? ""] ?? "edges") : form) {
    case "csv":
      return readCsv(source, duplicates)
    case "json":
      return readJson(source, duplicates)
    case "graphml":
      return readGraphml(source, duplicates)
    case "adjacency":
      return readAdjacency(source)
    default:
      return readEdges(source, duplicates)
  }
}
