// Modules with custom plug-ins in Node.js: reads, hashes and executes their files; in-page.ts does so in the studio,
// and no other file does. A module is one file that imports only lacewing. Any other import (file, package, Node
// module) could change results without changing run hashes.
import { isBuiltin } from "node:module"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { type Checked, type Complaint, complain } from "../../core/complaint.ts"
import { sha256 } from "../../core/sha256.ts"
import type { PluginFile } from "../../model/experiment.ts"
import { unreadable } from "../disk/system-error.ts"
import { readBytes } from "../disk/user-file.ts"
import { type Consent, type Executable, moduleFrom } from "../gate.ts"
import type { Placed } from "../source.ts"
import { type ExperimentFile, mostText } from "../text.ts"
import { contentMark } from "./fault.ts"
import { computed } from "./imports.ts"
import { remembered } from "./known.ts"
import { inOrder, type LoadedModule, type ModuleText, Refused } from "./module.ts"
import { loadNamedIn } from "./named.ts"
import type { Finding } from "./shape.ts"

/** Loads the plug-ins of an experiment and its includes. It executes their modules, unless code is refused. */
export function outsideFor(
  file: ExperimentFile,
  consent: Consent = {},
): Promise<{ ok: LoadedModule[] } | { bad: Placed[] }> {
  return loadNamedIn(file, consent, (paths, at) => loadModules(paths, file.host.folder ?? ".", at))
}

/** `hashes`: expected hashes of the modules; others are not executed. */
export function loadModules(
  paths: readonly Executable<"module">[],
  folder: string,
  at: (i: number) => string,
  hashes: readonly string[] = [],
): Promise<Checked<LoadedModule[]>> {
  return inOrder(paths, at, hashes, (path) => moduleAt(path, resolve(folder, path)))
}

function moduleAt(path: Executable<"module">, full: string): ModuleText {
  let bytes: Uint8Array
  try {
    bytes = readBytes(full, mostText)
  } catch (e) {
    throw new Refused(unreadable(e), "paths are relative to the folder of the experiment")
  }
  const hash = sha256(bytes)
  return {
    text: new TextDecoder().decode(bytes),
    hash,
    async execute() {
      const module: unknown = await import(contentMark(pathToFileURL(full).href, hash))
      // The file is read again after the import, because the import reads it a second time itself.
      if (sha256(readBytes(full, mostText)) !== hash)
        throw new Refused("was changed while it was read", "run the same command again")
      return module
    },
    refuses: (address) => (/^lacewing(\/|$)/.test(address) ? undefined : whyNot(address)),
    repair: path.endsWith("ts") ? "compile it to .mjs, or use Node 22.18 or later" : "run it with node to see more",
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
