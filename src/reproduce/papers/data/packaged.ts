// The figures of the package that are data.
import { basename, dirname, join } from "node:path"
import { packageFolder } from "../../../experiment/places.ts"
import type { DataFigure } from "./figure.ts"
import { readFigure } from "./folder.ts"

/** Returns the figure with this id. A mistake in its file is an error of lacewing, and tests find it. */
export function packaged(id: string): DataFigure {
  const got = readFigure(join(packageFolder, "papers", dirname(id)), basename(id))
  if ("bad" in got) throw new Error(got.bad.map((c) => `${c.path}: ${c.says}`).join("; "))
  return got.ok
}
