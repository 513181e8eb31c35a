// Custom plug-ins in the studio. A module is executed in a worker that can reach no file and no network
// (studio/page/sandbox.ts), and only after the reader has agreed. It may import nothing.
import type { Checked, Complaint } from "../../core/complaint.ts"
import { sha256 } from "../../core/sha256.ts"
import type { PluginFile } from "../../model/experiment.ts"
import { bytesOf, type Host } from "../../model/host.ts"
import { type Executable, moduleFrom } from "../gate.ts"
import type { Placed } from "../source.ts"
import { type ExperimentFile, mostText } from "../text.ts"
import { contentMark, told } from "./fault.ts"
import { remembered } from "./known.ts"
import { inOrder, type LoadedModule, type ModuleText, Refused } from "./module.ts"
import { loadNamedIn } from "./named.ts"

export { bringing } from "./known.ts"
export { pathsIn } from "./named.ts"

const bundled = "bundle it into the plug-in (esbuild --bundle), or receive the kit: export default (kit) => ({ … })"

/** Loads the modules of an experiment from the files of its host. */
export function outsideInPage(file: ExperimentFile): Promise<{ ok: LoadedModule[] } | { bad: Placed[] }> {
  return loadNamedIn(file, { code: true }, (paths, at) => loadInPage(paths, at, [], file.host))
}

/** Loads the modules of a specification, or complains if one has changed. */
export async function loadNamedInPage(
  named: readonly PluginFile[] | undefined,
  host: Host,
): Promise<readonly Complaint[]> {
  const open = (named ?? []).filter((f) => remembered(f.hash) === undefined)
  const paths = open.map((f) => moduleFrom("this process", f.file).ok)
  const hashes = open.map((f) => f.hash)
  const got = await loadInPage(paths, (i) => `plugins.${i}`, hashes, host)
  return "bad" in got ? got.bad : []
}

function loadInPage(
  paths: readonly Executable<"module">[],
  at: (i: number) => string,
  hashes: readonly string[],
  host: Host,
): Promise<Checked<LoadedModule[]>> {
  return inOrder(paths, at, hashes, (path) => textOf(path, host))
}

function textOf(path: string, host: Host): ModuleText {
  if (!/\.m?js$/.test(path)) throw new Refused("is TypeScript, which a browser does not execute", "compile it to .mjs")
  let bytes: Uint8Array
  try {
    bytes = bytesOf(host, path, mostText)
  } catch (e) {
    throw new Refused(`cannot be read: ${told(e)}`, "give the file with the experiment")
  }
  const text = new TextDecoder().decode(bytes)
  const hash = sha256(bytes)
  return {
    text,
    hash,
    execute: () => executed(text, path.split("/").at(-1) ?? path, hash),
    refuses: (address) => [`imports ${address}, but a module in the studio may import nothing`, bundled],
    repair: "run lacewing contract on it to see more",
  }
}

/** Imports a text. Its name appears in the stacks of its errors, as in Node.js. */
async function executed(text: string, name: string, hash: string): Promise<unknown> {
  const source = `${text}\n//# sourceURL=${contentMark(name, hash)}`
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }))
  try {
    return await import(url)
  } finally {
    URL.revokeObjectURL(url)
  }
}
