// Applies the changes of a mutant to an experiment, or to a copy of the build.
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { transformSync } from "rolldown/utils"

const isObject = (x) => typeof x === "object" && x !== null && !Array.isArray(x)

/** Returns a changed copy of an experiment, or undefined if no change applies to it. */
export function changed(experiment, set) {
  const copy = structuredClone(experiment)
  let count = 0
  const visit = (node) => {
    if (Array.isArray(node)) for (const x of node) visit(x)
    if (!isObject(node)) return
    for (const [key, value] of Object.entries(node)) {
      for (const rule of set.filter((r) => r.in === key)) {
        const found = typeof node[key] === "string" ? { name: node[key] } : node[key]
        if (!isObject(found) || !fits(found, rule.where)) continue
        const to = typeof rule.to === "function" ? rule.to(found) : rule.to
        node[key] = rule.replace === true ? to : { ...found, ...to }
        count++
      }
      visit(value === node[key] ? value : node[key])
    }
  }
  visit(copy)
  return count === 0 ? undefined : copy
}

function fits(of, where) {
  return Object.entries(where).every(([key, want]) =>
    want instanceof RegExp ? key in of && want.test(JSON.stringify(of[key]).replaceAll('"', "")) : of[key] === want,
  )
}

const linked = ["package.json", "node_modules", "papers", "experiments", "examples", "docs"]

/** Writes a copy of the build into `folder`, with the changed sources. Returns its folder dist. */
export function patched(root, folder, patch) {
  const dist = join(folder, "dist")
  mkdirSync(folder, { recursive: true })
  for (const name of linked) symlinkSync(join(root, name), join(folder, name))
  const heavy = [join(root, "dist/app"), join(root, "dist/studio")]
  cpSync(join(root, "dist"), dist, { recursive: true, filter: (path) => !heavy.includes(path) })
  const texts = new Map()
  for (const { file, find, replace } of patch) {
    const text = texts.get(file) ?? readFileSync(join(root, file), "utf8")
    if (text.split(find).length !== 2) throw new Error(`${file}: "${find}" must occur exactly once`)
    texts.set(
      file,
      text.replace(find, () => replace),
    )
  }
  for (const [file, text] of texts) {
    const { code, errors } = transformSync(file, text, { target: "es2022" })
    if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`)
    // Types are erased, so only the names of imported files differ.
    const renamed = code.replace(/(from\s+"\.[^"]*)\.ts"/g, '$1.js"')
    writeFileSync(join(dist, file.replace(/^src\//, "").replace(/\.ts$/, ".js")), renamed)
  }
  return dist
}
