// The experiment as one tree of plain data: the file over the files that it includes, and --set over both.
import { resolve } from "node:path"
import { parse as parseYaml } from "yaml"
import { complain } from "../core/complaint.ts"
import { kindOf } from "../core/units.ts"
import type { Catalog } from "./catalog.ts"
import { isMap } from "./fields.ts"
import { readIncluded } from "./read.ts"
import { apply, placed, type Setting, type Tree } from "./settings.ts"
import { type Placed, plainSource, type Source } from "./source.ts"

export function listOf(value: unknown): readonly unknown[] {
  return value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]
}

/** The file over the files that it includes. Maps of network and measure are merged, all else is replaced. */
export function merged(source: Source, folder: string, sources: Source[], bad: Placed[], chain: readonly string[]): Tree {
  sources.push(source)
  const own = isMap(source.value) ? plainCopy(source, bad) : {}
  const { include, ...rest } = own
  let base: Tree = {}
  for (const path of listOf(include)) {
    const where = Array.isArray(include) ? `include.${listOf(include).indexOf(path)}` : "include"
    const complainHere = (says: string, fix: string) => bad.push(placed(complain(where, says, fix), source, where))
    if (typeof path !== "string") complainHere(`expected a file name, found ${kindOf(path)}`, "write include: base.yaml")
    else if (chain.includes(resolve(folder, path))) complainHere("includes itself in a circle", "remove one of the includes")
    else {
      const got = readIncluded(folder, path)
      if ("bad" in got) {
        if (got.bad[0]?.text !== undefined) bad.push(...got.bad)
        else complainHere(`${path} ${got.bad[0]!.says}`, got.bad[0]!.fix)
      } else base = over(base, merged(got.ok, folder, sources, bad, [...chain, resolve(folder, path)]))
    }
  }
  return over(base, rest)
}

function over(base: Tree, top: Tree): Tree {
  const made = { ...base, ...top }
  for (const key of ["network", "measure"]) {
    const [a, b] = [base[key], top[key]]
    if (isMap(a) && isMap(b)) made[key] = { ...a, ...b }
  }
  return made
}

/** A copy as plain JSON data: modules may export anything. */
function plainCopy(source: Source, bad: Placed[]): Tree {
  const copy = (value: unknown, path: string, depth: number): unknown => {
    if (depth > 50) {
      bad.push(placed(complain(path, "is nested too deeply", "write it flatter"), source, path))
      return undefined
    }
    if (Array.isArray(value)) return value.map((v, i) => copy(v, path === "" ? String(i) : `${path}.${i}`, depth + 1))
    if (isMap(value)) {
      const made: Tree = {}
      for (const key of Object.keys(value)) {
        const inner = path === "" ? key : `${path}.${key}`
        if (key === "__proto__") bad.push(placed(complain(inner, "unknown key", "remove it"), source, inner))
        else made[key] = copy(value[key], inner, depth + 1)
      }
      return made
    }
    if (["function", "symbol", "bigint"].includes(typeof value))
      bad.push(placed(complain(path, `a ${typeof value} is not data`, "write a text, a number, a list or a map"), source, path))
    return value
  }
  return copy(source.value, "", 0) as Tree
}

/** --set key=value, as settings whose place is the command line. */
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
    bad.push(...apply(tree, path, value, catalog).map((c) => placed(c, source, "")))
    return [{ path, value, source, written: "", keyLength: 0 }]
  })
}
