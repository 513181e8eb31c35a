// Generates the lazy library for the engine of the studio: the same lists, initially empty. `bring(spec)` loads the
// plug-ins of a run, each from a separate file, so that a page loads only the code that it runs. It is generated from
// the text of src/library.ts and from the lists of the compiled file.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

/** Lists of the library that are filled on demand; workloads are loaded as a whole. */
const lists = [
  "topologies",
  "routings",
  "patterns",
  "arrivals",
  "sizes",
  "switches",
  "endpoints",
  "congestions",
  "probes",
  "schedulers",
]

/**
 * Returns the text of the module, and of the one that replaces studio/engine/plugins.ts. `dist` is the folder of the
 * compiled library.js.
 */
export async function lazyLibrary(root, dist) {
  const text = readFileSync(join(root, "src/library.ts"), "utf8")
  const made = await import(pathToFileURL(join(dist, "library.js")).href)
  const imports = importsIn(text)
  const loaders = lists.map((list) => {
    const body = new RegExp(`export const ${list}\\b[^=]*= \\[([^\\]]*)\\](\\.map\\((\\w+)\\))?`).exec(text)
    if (body === null) throw new Error(`src/library.ts has no list ${list} that can be read`)
    const items = body[1]
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== "")
    if (items.length !== made[list].length)
      throw new Error(`src/library.ts: ${list} has ${made[list].length} plug-ins, and ${items.length} can be read`)
    const lines = items.map((item, i) => {
      const [name, member] = item.split(".")
      const from = imports.get(name)
      if (from === undefined) throw new Error(`src/library.ts: ${item} is not imported`)
      const value = `m.${member ?? from.name}`
      const load =
        `() => import(${JSON.stringify(from.path)}).then((m) => ` +
        `${body[3] === undefined ? value : `${body[3]}(${value})`})`
      return `  ${JSON.stringify([made[list][i].name, ...(made[list][i].aliases ?? [])])}, ${load},`
    })
    return `const ${list}Loads = [\n${lines.join("\n")}\n]`
  })
  return `import { breakable } from "./topologies/failures.ts"
export { breakable }
${lists.map((list) => `export const ${list} = []`).join("\n")}
export const programs = []
export const library = []
export let workloads
${loaders.join("\n")}
const loads = { ${lists.map((list) => `${list}: [${list}, ${list}Loads]`).join(", ")} }
function loading(list, name) {
  const [into, known] = loads[list]
  const found = []
  for (let i = 0; i < known.length; i += 2)
    if (known[i].includes(name) && !into.some((p) => p.name === known[i][0])) found.push(known[i + 1]())
  return found
}
export async function bring(spec) {
  const { network: n, traffic, probes = [], jobs } = spec
  const wanted = [
    ["schedulers", ${JSON.stringify(made.schedulers[0].name)}],
    // Modules that the packet engine needs for any plug-in.
    ...(spec.engine.name === "packet" ? [["switches", "chunk"], ["endpoints", "rails"]] : []),
    ["topologies", n.topology.name],
    ["routings", n.routing.name],
    ["switches", n.switch.name],
    ["endpoints", n.endpoint.name],
    ["congestions", n.congestion?.name ?? "none"],
    ...(n.qos === undefined ? [] : [["schedulers", n.qos.name]]),
    ...traffic.flatMap((t) => [
      ["patterns", t.pattern.name],
      ["arrivals", t.arrivals.name],
      ["sizes", t.packet.name],
      ["sizes", t.message.name],
    ]),
    ...probes.map((p) => ["probes", p.name]),
  ]
  // Load concurrently, but append in a fixed order, independent of the arrival.
  const coming = wanted.map(([list, name]) => [loads[list][0], Promise.all(loading(list, name))])
  for (const [into, loaded] of coming) for (const plugin of await loaded) if (!into.includes(plugin)) into.push(plugin)
  if (jobs === undefined || jobs.length === 0) return
  const all = await import("lacewing:whole-library")
  workloads = all.workloads
  for (const list of Object.keys(loads))
    for (const p of all[list]) if (!loads[list][0].some((q) => q.name === p.name)) loads[list][0].push(p)
  programs.push(...all.programs.filter((p) => !programs.includes(p)))
}
`
}

/** Name -> the module that exports it, and its name there. */
function importsIn(text) {
  const found = new Map()
  for (const [, names, path] of text.matchAll(/^import (?!type )(.+) from "([^"]+)"$/gm)) {
    if (names.startsWith("* as ")) found.set(names.slice(5), { path, name: "*" })
    else if (names.startsWith("{"))
      for (const part of names.slice(1, -1).split(",")) {
        const [there, here] = part.trim().split(" as ")
        found.set((here ?? there).trim(), { path, name: there.trim() })
      }
    else found.set(names, { path, name: "default" })
  }
  return found
}
