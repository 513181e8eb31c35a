// Figure files on disk: NAME.figure.yaml in the folder of a paper, next to its recorded result. paper.yaml in the same
// folder holds the citation.
import { existsSync, readdirSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import type { Checked, Complaint } from "../../../core/complaint.ts"
import { hostAt } from "../../../experiment/disk/host.ts"
import { isMap } from "../../../experiment/fields.ts"
import { includedSource } from "../../../experiment/text.ts"
import { type DataFigure, dataFigure } from "./figure.ts"

const ending = ".figure.yaml"

/** Returns the names of the figure files of a folder, in numerical order. */
export function figureNames(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true }))
}

/** Returns the sentences of `learned` in paper.yaml: the results of the reproduction in plain words. */
export function learnedIn(folder: string): readonly string[] {
  if (!existsSync(join(folder, "paper.yaml"))) return []
  const paper = includedSource(hostAt(folder), "paper.yaml")
  const about = "ok" in paper ? paper.ok.value : undefined
  const learned = isMap(about) ? about["learned"] : undefined
  return Array.isArray(learned) ? learned.filter((each) => typeof each === "string") : []
}

/** Reads one figure. Its id is the name of the folder and that of the file. */
export function readFigure(folder: string, name: string): Checked<DataFigure> {
  const host = hostAt(folder)
  const paper = existsSync(join(folder, "paper.yaml")) ? includedSource(host, "paper.yaml") : undefined
  if (paper !== undefined && "bad" in paper) return paper
  const about = paper?.ok.value
  const got = includedSource(host, `${name}${ending}`)
  if ("bad" in got) return got
  const made = dataFigure({
    id: `${basename(resolve(folder))}/${name}`,
    value: got.ok.value,
    folder,
    ...(isMap(about) && typeof about["cites"] === "string" ? { cites: about["cites"] } : {}),
    read: (path) => includedSource(host, path),
  })
  if ("ok" in made) return made
  const file = join(folder, `${name}${ending}`)
  return { bad: made.bad.map((c) => ({ ...c, file, path: c.path === "" ? file : `${file}: ${c.path}` })) }
}

/** Returns the figures of a folder, or the one whose file is named; undefined if it is neither. */
export function figuresAt(path: string): Checked<readonly DataFigure[]> | undefined {
  if (path.endsWith(ending) && existsSync(path)) {
    const one = readFigure(dirname(path), basename(path).slice(0, -ending.length))
    return "bad" in one ? one : { ok: [one.ok] }
  }
  const names = figureNames(path)
  if (names.length === 0) return undefined
  const bad: Complaint[] = []
  const ok: DataFigure[] = []
  for (const name of names) {
    const got = readFigure(path, name)
    if ("bad" in got) bad.push(...got.bad)
    else ok.push(got.ok)
  }
  return bad.length > 0 ? { bad } : { ok }
}
