// The plug-ins by kind and name. Code that reads experiments receives a catalog instead of importing the library, so
// that tests and custom plug-ins can extend it.
import { nearest } from "../core/complaint.ts"
import { kindOf } from "../core/units.ts"
import { type AnyPlugin, library } from "../library.ts"
import type { Kind } from "../model/plugin.ts"

/** Returns a name as text, because JavaScript callers may pass anything. */
function worded(given: unknown): string {
  return typeof given === "string" ? given : kindOf(given)
}

/** Returns the plug-ins by kind and name or alias. The first of two with equal names wins. */
function indexOf(plugins: readonly AnyPlugin[]): Map<string, AnyPlugin> {
  const named = new Map<string, AnyPlugin>()
  for (const p of plugins)
    for (const name of [p.name, ...(p.aliases ?? []), ...(p.formerly ?? [])])
      if (!named.has(`${p.kind} ${name}`)) named.set(`${p.kind} ${name}`, p)
  return named
}

export class Catalog {
  readonly plugins: readonly AnyPlugin[]
  private byName: ReadonlyMap<string, AnyPlugin> | undefined
  constructor(plugins: readonly AnyPlugin[] = library) {
    this.plugins = plugins
  }
  /**
   * Returns a catalog with additional plug-ins. Without any it returns itself, so that caches by catalog stay valid.
   */
  with(more: readonly AnyPlugin[]): Catalog {
    return more.length === 0 ? this : new Catalog([...this.plugins, ...more])
  }
  family(kind: Kind): readonly AnyPlugin[] {
    return this.plugins.filter((p) => p.kind === kind)
  }
  /** Returns a plug-in by name or alias. The index is built on first use. */
  find(kind: Kind, name: string): AnyPlugin | undefined {
    this.byName ??= indexOf(this.plugins)
    // Callers of the library may pass anything.
    return typeof kind === "string" && typeof name === "string" ? this.byName.get(`${kind} ${name}`) : undefined
  }
  /** Returns the kind that `switches` or `topology` denotes, or a suggestion if there is none. */
  kind(written: string, more: readonly string[] = []): { readonly is: string } | { readonly says: string } {
    const kinds = [...new Set<string>(this.plugins.map((p) => p.kind)), ...more]
    const bare = worded(written)
      .replace(/ies$/, "y")
      .replace(/(switch)es$/, "$1")
    const is = kinds.find((k) => k === bare || `${k}s` === bare || k === `${bare}s`)
    if (is !== undefined) return { is }
    const near = nearest(bare, kinds)
    return { says: near !== undefined ? `did you mean "${near}"?` : `choose one of ${kinds.join(", ")}` }
  }
  /** Returns "did you mean …?", or all names. */
  advice(kind: Kind, name: string): string {
    const names = this.family(kind).map((p) => p.name)
    const near = nearest(worded(name), [...names, ...this.family(kind).flatMap((p) => p.aliases ?? [])])
    if (near !== undefined) return `did you mean "${near}"?`
    return names.length > 0 ? `choose one of ${names.join(", ")}` : `there is no ${worded(kind)} in this build`
  }
}
