// Generates the lazy library for the engine of the studio: the same lists, initially empty. `bring(spec)` loads the
// plug-ins of a run, each from a separate file, so that a page loads only the code that it runs. The lists come from
// the compiled library, and the file of each plug-in is the compiled module that exports it.
import { readdirSync } from "node:fs"
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

/** Folders of the plug-ins in these lists. */
const folders = [
  "topologies",
  "routing",
  "traffic",
  "switches",
  "endpoints",
  "congestion",
  "qos",
  "probes",
  "reproduce/routing",
]

const keyOf = ({ kind, name }) => `${kind} ${name}`

/** Returns the source file and the export of every plug-in below a compiled folder. */
async function exportsBelow(dist) {
  const found = new Map()
  for (const folder of folders)
    for (const file of readdirSync(join(dist, folder), { recursive: true }).sort()) {
      if (!file.endsWith(".js")) continue
      const made = await import(pathToFileURL(join(dist, folder, file)).href)
      const path = `./${folder}/${file.replaceAll("\\", "/").replace(/js$/, "ts")}`
      for (const [member, plugin] of Object.entries(made))
        if (typeof plugin?.kind === "string" && typeof plugin.name === "string")
          found.set(keyOf(plugin), { path, member, plugin })
    }
  return found
}

/** Returns the text of a function that loads a plug-in. */
function loaderOf(plugin, exported) {
  const from = exported.get(keyOf(plugin))
  if (from === undefined) throw new Error(`no file of ${folders.join(", ")} exports the ${keyOf(plugin)}`)
  const isWrapped = from.plugin !== plugin
  if (isWrapped && plugin.kind !== "topology")
    throw new Error(`the library does not list the ${keyOf(plugin)} of ${from.path}, but another one`)
  const value = `m.${from.member}`
  return `() => import(${JSON.stringify(from.path)}).then((m) => ${isWrapped ? `breakable(${value})` : value})`
}

/** Returns the text of the module. It also replaces studio/engine/plugins.ts. `dist`: the folder of the compiled files. */
export async function lazyLibrary(dist) {
  const made = await import(pathToFileURL(join(dist, "library.js")).href)
  const exported = await exportsBelow(dist)
  const loaders = lists.map((list) => {
    const lines = made[list].map(
      (plugin) => `  ${JSON.stringify([plugin.name, ...(plugin.aliases ?? [])])}, ${loaderOf(plugin, exported)},`,
    )
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
