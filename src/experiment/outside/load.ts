// Reads, hashes, checks and executes modules with custom plug-ins; no other file does so. A module is one file that
// imports only lacewing. Any other import (file, package, Node module) could change results without changing run
// hashes.
import { isBuiltin } from "node:module"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { type Checked, type Complaint, complain } from "../../core/complaint.ts"
import { sha256 } from "../../core/sha256.ts"
import { kindOf } from "../../core/units.ts"
import type { AnyPlugin } from "../../library.ts"
import type { PluginFile } from "../../model/experiment.ts"
import { Catalog } from "../catalog.ts"
import { unreadable } from "../disk/system-error.ts"
import { readBytes } from "../disk/user-file.ts"
import { type Consent, type Executable, moduleFrom } from "../gate.ts"
import { listOf, merged } from "../gather.ts"
import { isModule } from "../read.ts"
import { placer } from "../settings.ts"
import type { Placed, Source } from "../source.ts"
import { type ExperimentFile, mostText } from "../text.ts"
import { moduleUrl, told } from "./fault.ts"
import { computed, importsIn } from "./imports.ts"
import { remember, remembered } from "./known.ts"
import { type Finding, shaped } from "./shape.ts"

/** A module of an experiment: its path, its hash, and its plug-ins. */
export interface LoadedModule extends PluginFile {
  readonly plugins: readonly AnyPlugin[]
}

/** Loads the plug-ins of an experiment and its includes. It executes their modules, unless code is refused. */
export async function outsideFor(
  file: ExperimentFile,
  consent: Consent = {},
): Promise<{ ok: LoadedModule[] } | { bad: Placed[] }> {
  const sources: Source[] = []
  // Errors of the file itself are reported by the plan.
  const written = merged(file.source, file.host, sources, [], [])["plugins"]
  const place = placer(sources, [])
  const bad: Complaint[] = []
  const paths: Executable<"module">[] = []
  for (const [i, one] of listOf(written).entries()) {
    const at = Array.isArray(written) ? `plugins.${i}` : "plugins"
    if (typeof one !== "string") {
      bad.push(complain(at, `expected the path of a module, found ${kindOf(one)}`, "write plugins: [./my-routing.mjs]"))
      continue
    }
    const got = moduleFrom("experiment", one, consent)
    if ("ok" in got) paths.push(got.ok)
    else bad.push(complain(at, `${one} ${got.says}`, got.fix))
  }
  if (bad.length > 0) return { bad: bad.map(place) }
  const got = await loadModules(paths, file.host.folder ?? ".", (i) =>
    Array.isArray(written) ? `plugins.${i}` : "plugins",
  )
  return "bad" in got ? { bad: got.bad.map(place) } : got
}

/** `hashes`: expected hashes of the modules; others are not executed. */
export async function loadModules(
  paths: readonly Executable<"module">[],
  folder: string,
  at: (i: number) => string,
  hashes: readonly string[] = [],
): Promise<Checked<LoadedModule[]>> {
  const made: LoadedModule[] = []
  const bad: Complaint[] = []
  for (const [i, path] of paths.entries()) {
    const taken = new Catalog([...new Catalog().plugins, ...made.flatMap((m) => m.plugins)])
    const got = await loadModule(path, folder, taken, at(i), hashes[i])
    if ("ok" in got) made.push(got.ok)
    else bad.push(...got.bad)
  }
  return bad.length > 0 ? { bad } : { ok: made }
}

/** Reads, hashes, checks and executes one module. `expected`: the hash that it must have. */
async function loadModule(
  path: Executable<"module">,
  folder: string,
  taken: Catalog,
  at: string,
  expected: string | undefined,
): Promise<Checked<LoadedModule>> {
  const refuse = (says: string, fix: string) => ({ bad: [complain(at, `${path} ${says}`, fix)] })
  if (!isModule(path)) return refuse("is not a module", "name a file that ends in .mjs, .js, .mts or .ts")
  const full = resolve(folder, path)
  let text: string
  let hash: string
  try {
    const bytes = readBytes(full, mostText)
    text = new TextDecoder().decode(bytes)
    hash = sha256(bytes)
  } catch (e) {
    return refuse(unreadable(e), "paths are relative to the folder of the experiment")
  }
  if (expected !== undefined && hash !== expected)
    return refuse("has changed since the run hash was computed", "run the same command again")
  // The imports are checked before the module is executed.
  const foreign = importsIn(text).find((address) => !/^lacewing(\/|$)/.test(address))
  if (foreign !== undefined) return refuse(...whyNot(foreign))
  try {
    const module: Record<string, unknown> = await import(moduleUrl(pathToFileURL(full).href, hash))
    // The file is read again after the import, because the import reads it a second time itself.
    if (sha256(readBytes(full, mostText)) !== hash)
      return refuse("was changed while it was read", "run the same command again")
    const got = shaped(module["default"], taken)
    if ("bad" in got) return { bad: got.bad.map(([says, fix]) => complain(at, `${path} ${says}`, fix)) }
    // The same content gives the same plug-in objects, so that caches by plug-in stay valid.
    const plugins = remembered(hash) ?? got.ok
    remember(hash, plugins)
    return { ok: { file: path, hash, plugins } }
  } catch (e) {
    return refuse(
      `fails as a module: ${told(e)}`,
      path.endsWith("ts") ? "compile it to .mjs, or use Node 22.18 or later" : "run it with node to see more",
    )
  }
}

/** Returns why a plug-in may not import this, and a fix. */
function whyNot(address: string): Finding {
  const unnamed = `imports ${address}, which is not part of the name of a run`
  if (isBuiltin(address))
    return [unnamed, "remove the import; a plug-in reads files with site.read, and neither clocks nor the environment"]
  if (address === computed) return [unnamed, "write the address as a text, or bundle the module into the plug-in"]
  return [unnamed, "bundle it into the plug-in (esbuild --bundle --external:lacewing), or copy what you need of it"]
}

/**
 * Loads the same modules in another thread or process, or complains if one has changed. `from`: where the specification
 * was written; `trusted`: hashes of the modules of a results folder that the user agreed to.
 */
export async function loadNamed(
  named: readonly PluginFile[] | undefined,
  folder: string,
  from: "this process" | "results folder",
  trusted: ReadonlySet<string> = new Set(),
): Promise<readonly Complaint[]> {
  const open = (named ?? []).filter((f) => remembered(f.hash) === undefined)
  const at = (i: number) => `plugins.${i}`
  const paths: Executable<"module">[] = []
  for (const [i, { file, hash }] of open.entries()) {
    const got = moduleFrom(from, file, { code: trusted.has(hash) })
    if ("says" in got) return [complain(at(i), `${file} ${got.says}`, got.fix)]
    paths.push(got.ok)
  }
  const got = await loadModules(
    paths,
    folder,
    at,
    open.map((f) => f.hash),
  )
  return "bad" in got ? got.bad : []
}
