// The scenarios of `lacewing arena`: each is an experiment file, to which the arena adds one variant per participant.
// It leaves out participants that a network rejects, with the reason. The result is an ordinary experiment.
import { existsSync, readdirSync, statSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { check, type ExperimentInput } from "../../api.ts"
import { compileNetwork } from "../../compile/build-network.ts"
import { type Checked, type Complaint, complain } from "../../core/complaint.ts"
import { plainScale } from "../../core/units.ts"
import { Catalog } from "../../experiment/catalog.ts"
import { hostAt } from "../../experiment/disk/host.ts"
import { type Executable, moduleFrom } from "../../experiment/gate.ts"
import { listOf, merged } from "../../experiment/gather.ts"
import { isCongestion } from "../../experiment/outside/kinds.ts"
import { loadModules } from "../../experiment/outside/load.ts"
import { findFile, read } from "../../experiment/read.ts"
import type { Placed } from "../../experiment/source.ts"
import {
  type ArenaNetwork,
  dataVcsOf,
  type Field,
  fieldOf,
  mapOf,
  type Participant,
} from "../../inspect/arena/participants.ts"
import { references } from "../../inspect/arena/standings.ts"
import type { AnyCongestion } from "../../library.ts"

export interface Wanted {
  readonly paths: readonly string[]
  readonly plugins: readonly string[]
  /** file with further participants; absent: none */
  readonly participants?: string
  readonly only?: readonly string[]
  readonly seeds: readonly number[]
  readonly code: boolean
}

export interface Scenario {
  /** its folder below the results folder */
  readonly name: string
  readonly title: string
  readonly experiment: ExperimentInput
  /** folder to which the paths of the experiment are relative */
  readonly folder: string
  readonly participants: readonly string[]
  readonly left: Field["left"]
}

type Tree = Readonly<Record<string, unknown>>

/** Returns the experiment files of the paths: files, folders with an experiment.yaml, and folders of such files. */
export function filesOf(paths: readonly string[]): Checked<readonly string[]> {
  const bad: Complaint[] = []
  const files = paths.flatMap((path) => {
    const folder = resolve(path)
    if (existsSync(folder) && statSync(folder).isDirectory() && !existsSync(join(folder, "experiment.yaml"))) {
      const inside = readdirSync(folder).filter((f) => f.endsWith(".yaml"))
      return inside.sort().map((f) => join(folder, f))
    }
    const found = findFile(path)
    if ("ok" in found) return [found.ok]
    bad.push(...found.bad.map((c) => ({ path, says: c.says, fix: c.fix })))
    return []
  })
  return bad.length > 0 ? { bad } : { ok: files }
}

/** Returns the scenarios, or complaints about the first one that cannot be read. */
export async function scenariosOf(w: Wanted): Promise<Checked<readonly Scenario[]> | { bad: readonly Placed[] }> {
  const files = filesOf(w.paths)
  if ("bad" in files) return files
  const more = w.participants === undefined ? { ok: {} } : await treeOf(w.participants, false)
  if ("bad" in more) return more
  // Modules of the participants are relative to their file. Without consent to code, they take no part.
  const own = w.code ? listOf(more.ok["plugins"]).filter((p) => typeof p === "string") : []
  const home = w.participants === undefined ? "." : dirname(resolve(w.participants))
  const given = [...own.map((p) => resolve(home, p)), ...w.plugins.map((p) => resolve(p))].map(
    (path) => moduleFrom("command line", path).ok,
  )
  const modules = await loadModules(given, ".", (i) => `--plugins ${given[i]}`)
  if ("bad" in modules) return modules
  const brought = modules.ok.flatMap((m) => m.plugins).filter(isCongestion)
  const plugins = [...new Catalog().plugins.filter(isCongestion), ...brought]
  const invited = modules.ok.slice(own.length).flatMap((m) => m.plugins.filter(isCongestion))
  const scenarios: Scenario[] = []
  for (const file of files.ok) {
    const got = await scenarioOf(file, more.ok, plugins, invited, given, w)
    if ("bad" in got) return got
    scenarios.push(got.ok)
  }
  return { ok: scenarios }
}

async function treeOf(path: string, code: boolean): Promise<{ ok: Tree } | { bad: readonly Placed[] }> {
  const file = await read(path, { code })
  if ("bad" in file) return file
  const bad: Placed[] = []
  const tree = merged(file.ok.source, file.ok.host, [], bad, [])
  return bad.length > 0 ? { bad } : { ok: tree }
}

async function scenarioOf(
  file: string,
  more: Tree,
  plugins: readonly AnyCongestion[],
  invited: readonly AnyCongestion[],
  modules: readonly Executable<"module">[],
  w: Wanted,
): Promise<{ ok: Scenario } | { bad: readonly (Complaint | Placed)[] }> {
  const tree = await treeOf(file, w.code)
  if ("bad" in tree) return tree
  const own = listOf(tree.ok["plugins"]).filter((p) => typeof p === "string")
  const build = (participants: readonly Participant[], seeds: readonly number[]): ExperimentInput => ({
    lacewing: 1,
    include: basename(file),
    plugins: [...own, ...modules],
    seeds,
    variants: Object.fromEntries(participants.map((p) => [p.name, p.settings])) as Record<string, Tree>,
  })
  const at = { code: w.code, folder: dirname(file) }
  // The network without participants decides how many VCs they need.
  const bare = await check(build([{ name: "none", settings: {} }], w.seeds.slice(0, 1)), at)
  if ("bad" in bare) return bare
  const says = unscored(tree.ok)
  if (says !== undefined) return { bad: [{ ...says, file }] }
  const on = networkOf(
    tree.ok,
    bare.ok.runs.map((r) => r.spec.network),
    bare.ok.folder,
  )
  if ("bad" in on) return { bad: on.bad.map((c) => ({ ...c, file })) }
  // A file with variants of its own has chosen its participants; only modules of the command line join them.
  const chose = Object.keys(mapOf(tree.ok["variants"])).length > 0
  const field = fieldOf(tree.ok, chose ? {} : more, plugins, on.ok, plainScale, chose ? invited : plugins)
  if ("bad" in field) return { bad: field.bad.map((c) => ({ ...c, file })) }
  const chosen = field.ok.participants.filter(
    (p) => w.only === undefined || w.only.includes(p.name) || references.includes(p.name),
  )
  const unknown = w.only?.find((name) => ![...field.ok.participants, ...field.ok.left].some((p) => p.name === name))
  if (unknown !== undefined) {
    const names = field.ok.participants.map((p) => p.name)
    return { bad: [complain("--only", `There is no participant "${unknown}".`, `choose from ${names.join(", ")}`)] }
  }
  const left = field.ok.left.filter((l) => w.only === undefined || w.only.includes(l.name))
  const fit = await fitting(chosen, (some) => build(some, w.seeds.slice(0, 1)), at)
  const folder = basename(dirname(file))
  const alone = basename(file).replace(/\.\w+$/, "")
  return {
    ok: {
      name: alone === "experiment" ? folder : `${folder}/${alone}`,
      title: typeof tree.ok["title"] === "string" ? tree.ok["title"] : alone,
      experiment: build(fit.ok, w.seeds),
      folder: dirname(file),
      participants: fit.ok.map((p) => p.name),
      left: [...left, ...fit.left],
    },
  }
}

/** Returns a complaint about a scenario in which nothing can be scored. */
function unscored(tree: Tree): Complaint | undefined {
  const streams = listOf(tree["traffic"]).map((t) => mapOf(t)["name"])
  if (tree["jobs"] !== undefined || streams.some((name) => name === "victims" || name === "hot")) return undefined
  return complain("traffic", "has no stream for the arena.", "name a stream victims, and one hot, or add jobs")
}

/** Tests all participants together, and each on its own only if that fails. */
async function fitting(
  participants: readonly Participant[],
  build: (some: readonly Participant[]) => ExperimentInput,
  at: { readonly code: boolean; readonly folder: string },
): Promise<{ readonly ok: readonly Participant[]; readonly left: Field["left"] }> {
  if ("ok" in (await check(build(participants), at))) return { ok: participants, left: [] }
  const ok: Participant[] = []
  const left: { name: string; says: string }[] = []
  for (const p of participants) {
    const got = await check(build([p]), at)
    if ("ok" in got) ok.push(p)
    else left.push({ name: p.name, says: got.bad[0]?.says ?? "is rejected" })
  }
  return { ok, left }
}

/** Returns the VCs of the scenario, and those that its routings need. */
function networkOf(
  tree: Tree,
  networks: readonly Parameters<typeof compileNetwork>[0][],
  folder: string,
): Checked<ArenaNetwork> {
  const vcs = dataVcsOf(tree)
  if ("bad" in vcs) return vcs
  let [needs, direct] = [1, 1]
  for (const spec of new Map(networks.map((n) => [JSON.stringify([n.topology, n.routing]), n])).values()) {
    const made = compileNetwork(spec, 1, 1, hostAt(folder))
    if ("bad" in made) return made
    const { boundRouting: routing } = made.ok
    needs = Math.max(needs, routing.vcs)
    direct = Math.max(direct, routing.direct ?? routing.vcs)
  }
  return { ok: { vcs: vcs.ok, needs, direct } }
}
