// The gallery of custom plug-ins (examples/plugins), and broken copies of its modules.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { onTestFinished } from "vitest"
import { moduleFrom } from "../../src/experiment/gate.ts"
import { loadModules } from "../../src/experiment/outside/load.ts"
import type { LoadedModule } from "../../src/experiment/outside/module.ts"
import { contractOf } from "../../src/inspect/contract/contract.ts"

export const gallery = fileURLToPath(new URL("../../examples/plugins", import.meta.url))
export const modules = readdirSync(gallery).filter((f) => f.endsWith(".mjs"))

export function textOf(file: string): string {
  return readFileSync(join(gallery, file), "utf8")
}

export async function load(path: string): Promise<LoadedModule> {
  const got = await loadModules([moduleFrom("command line", path).ok], ".", () => path)
  if ("bad" in got) throw new Error(got.bad.map((c) => `${c.says}; ${c.fix}`).join("\n"))
  return got.ok[0]
}

export type Change = readonly [from: string, to: string]

/**
 * Loads a copy of a module in which each text is replaced by another one. The test that calls it owns the copy: test
 * files share this module, so a folder of the module would be gone after the first of them.
 */
export async function broken(file: string, changes: readonly Change[], name: string): Promise<LoadedModule> {
  let text = textOf(file)
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`${file} does not contain ${from}`)
    text = text.replaceAll(from, to)
  }
  const folder = mkdtempSync(join(tmpdir(), "lacewing-gallery-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, `${name}.mjs`)
  writeFileSync(path, text)
  return load(path)
}

/** Returns the violated contracts of the plug-ins of a module, and what could not be tested. */
export async function findingsOf(module: LoadedModule, only?: string, quick = true): Promise<string[]> {
  const found: string[] = []
  for (const plugin of module.plugins) {
    if (only !== undefined && plugin.name !== only) continue
    const got = await contractOf(plugin, { modules: [module], raw: {}, quick })
    if ("bad" in got) found.push(...got.bad.map((c) => `${c.path}: ${c.says}`))
    else found.push(...got.ok.broken.map((f) => `${f.contract}: ${f.says}`))
  }
  return found
}
