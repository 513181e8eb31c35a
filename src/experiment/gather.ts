// Merges an experiment into one tree of plain data: included files, then the file itself, then --set.
import { parse as parseYaml } from "yaml"
import { complain } from "../core/complaint.ts"
import { kindOf } from "../core/units.ts"
import { type Host, normal } from "../model/host.ts"
import type { Catalog } from "./catalog.ts"
import { isMap } from "./fields.ts"
import { plainCopy } from "./plain-copy.ts"
import { apply, placed, type Setting, type Tree } from "./settings.ts"
import { type Placed, plainSource, type Source } from "./source.ts"
import { includedSource } from "./text.ts"

export function listOf(value: unknown): readonly unknown[] {
  return value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]
}

/** Limits of includes against mistakes, and against files whose includes double with each level. */
const mostIncludes = 100
const mostLevels = 20
const mostIncluded = 16 * 2 ** 20

/**
 * Merges a file with the files that it includes. The maps `network` and `measure` are merged, other keys are replaced.
 */
export function merged(source: Source, host: Host, sources: Source[], bad: Placed[], chain: readonly string[]): Tree {
  sources.push(source)
  const own = plainCopy(source.value, (c) => bad.push(placed(c, source, c.path)))
  if (own !== undefined && !isMap(own))
    bad.push(placed(complain("", `expected a map of keys, found ${kindOf(own)}`, usual), source, ""))
  const { include, ...rest } = isMap(own) ? own : {}
  let base: Tree = {}
  for (const [i, path] of listOf(include).entries()) {
    const where = Array.isArray(include) ? `include.${i}` : "include"
    const complainHere = (says: string, fix: string) => bad.push(placed(complain(where, says, fix), source, where))
    if (typeof path !== "string")
      complainHere(`expected a file name, found ${kindOf(path)}`, "write include: base.yaml")
    else if (chain.includes(normal(path))) complainHere("includes itself", "remove one of the includes")
    else if (tooMany(sources, chain.length)) {
      complainHere(
        `more than ${mostIncludes} files, ${mostLevels} levels or 16 MiB are included`,
        "include fewer files",
      )
      break
    } else {
      const got = includedSource(host, path)
      if ("bad" in got) {
        if (got.bad[0]?.text !== undefined) bad.push(...got.bad)
        else complainHere(`${path} ${got.bad[0].says}`, got.bad[0].fix)
      } else base = over(base, merged(got.ok, host, sources, bad, [...chain, normal(path)]))
    }
  }
  return over(base, rest)
}

const usual = "start with lacewing: 1, or with the keys that are to be included"

function tooMany(sources: readonly Source[], level: number): boolean {
  const characters = sources.reduce((sum, s) => sum + (s.text?.length ?? 0), 0)
  return sources.length > mostIncludes || level >= mostLevels || characters > mostIncluded
}

function over(base: Tree, top: Tree): Tree {
  const made = { ...base, ...top }
  for (const key of ["network", "measure"]) {
    const [a, b] = [base[key], top[key]]
    if (isMap(a) && isMap(b)) made[key] = { ...a, ...b }
  }
  return made
}

/** Applies --set key=value. Returns the settings, whose source is the command line. */
export function commandLine(tree: Tree, set: readonly string[], catalog: Catalog, bad: Placed[]): Setting[] {
  return set.flatMap((text) => {
    const eq = text.indexOf("=")
    const source = plainSource(`--set ${text}`, {})
    if (eq < 1) {
      bad.push(placed(complain("", "expected key=value", "write --set network.switch.vcs=4"), source, ""))
      return []
    }
    const path = text.slice(0, eq).trim()
    let value: unknown
    try {
      value = parseYaml(text.slice(eq + 1), { logLevel: "error", prettyErrors: false })
    } catch {
      value = text.slice(eq + 1)
    }
    const before = bad.length
    value = plainCopy(value, (c) => bad.push(placed(c, source, "")))
    if (bad.length > before) return []
    bad.push(...apply(tree, path, value, catalog).map((c) => placed(c, source, "")))
    return [{ path, value, source, written: "", keyLength: 0 }]
  })
}
