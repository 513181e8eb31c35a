// A module with custom plug-ins, on any host: its imports are checked, it is executed, and its plug-ins are checked.
// The host reads the text and executes it (load.ts in Node.js, in-page.ts in the studio).
import { type Checked, type Complaint, complain } from "../../core/complaint.ts"
import type { AnyPlugin } from "../../library.ts"
import type { PluginFile } from "../../model/experiment.ts"
import { Catalog } from "../catalog.ts"
import { isModule } from "../gate.ts"
import { told } from "./fault.ts"
import { importsIn } from "./imports.ts"
import { remember, remembered } from "./known.ts"
import { type Finding, shaped } from "./shape.ts"

/** A module of an experiment: its path, its hash, and its plug-ins. */
export interface LoadedModule extends PluginFile {
  readonly plugins: readonly AnyPlugin[]
}

/** The text of a module, and what its host does with it. */
export interface ModuleText {
  readonly text: string
  readonly hash: string
  /** Executes the module and returns its exports. */
  execute(): Promise<unknown>
  /** Returns why the module may not import this address, and a fix; undefined: it may. */
  refuses(address: string): Finding | undefined
  /** What a user can do if the module fails. */
  readonly repair: string
}

/** The host cannot read or execute a module. The message is a sentence without its subject. */
export class Refused extends Error {
  override readonly name = "Refused"
  readonly fix: string
  constructor(says: string, fix: string) {
    super(says)
    this.fix = fix
  }
}

/**
 * Makes the modules of an experiment one after another, because a later one may not use the names of an earlier one.
 * `at`: the key of a module; `hashes`: expected hashes, other modules are not executed. `open` throws Refused.
 */
export async function inOrder<Path extends string>(
  paths: readonly Path[],
  at: (i: number) => string,
  hashes: readonly string[],
  open: (path: Path) => ModuleText,
): Promise<Checked<LoadedModule[]>> {
  const made: LoadedModule[] = []
  const bad: Complaint[] = []
  for (const [i, path] of paths.entries()) {
    const taken = new Catalog([...new Catalog().plugins, ...made.flatMap((m) => m.plugins)])
    const got = await moduleOf(path, open, taken, at(i), hashes[i])
    if ("ok" in got) made.push(got.ok)
    else bad.push(...got.bad)
  }
  return bad.length > 0 ? { bad } : { ok: made }
}

async function moduleOf<Path extends string>(
  path: Path,
  open: (path: Path) => ModuleText,
  taken: Catalog,
  at: string,
  expected: string | undefined,
): Promise<Checked<LoadedModule>> {
  const refuse = (says: string, fix: string) => ({ bad: [complain(at, `${path} ${says}`, fix)] })
  if (!isModule(path)) return refuse("is not a module", "name a file that ends in .mjs, .js, .mts or .ts")
  let repair = ""
  try {
    const module = open(path)
    const { hash } = module
    repair = module.repair
    if (expected !== undefined && hash !== expected)
      return refuse("has changed since the run hash was computed", "run the same command again")
    // The imports are checked before the module is executed.
    const foreign = importsIn(module.text).map((address) => module.refuses(address))
    const first = foreign.find((f) => f !== undefined)
    if (first !== undefined) return refuse(...first)
    const exported = Object(await module.execute())
    const got = shaped(Reflect.get(exported, "default"), taken)
    if ("bad" in got) return { bad: got.bad.map(([says, fix]) => complain(at, `${path} ${says}`, fix)) }
    // The same content gives the same plug-in objects, so that caches by plug-in stay valid.
    const plugins = remembered(hash) ?? got.ok
    remember(hash, plugins)
    return { ok: { file: path, hash, plugins } }
  } catch (e) {
    return e instanceof Refused ? refuse(e.message, e.fix) : refuse(`fails as a module: ${told(e)}`, repair)
  }
}
