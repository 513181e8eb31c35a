// The plug-ins by kind and name. The lab is written against a catalog, so that tests and users can bring their own.
import { nearest } from "../core/complaint.ts"
import { kindOf } from "../core/units.ts"
import { type AnyPlugin, library } from "../library.ts"
import type { Kind } from "../model/plugin.ts"

/** Callers in JavaScript hand over what they have. */
function worded(given: unknown): string {
  return typeof given === "string" ? given : kindOf(given)
}

/** By kind and name; of two with one name the first counts. */
function indexOf(plugins: readonly AnyPlugin[]): Map<string, AnyPlugin> {
  const named = new Map<string, AnyPlugin>()
  for (const p of plugins)
    for (const name of [p.name, ...(p.aliases ?? [])]) if (!named.has(`${p.kind} ${name}`)) named.set(`${p.kind} ${name}`, p)
  return named
}

export class Catalog {
  readonly plugins: readonly AnyPlugin[]
  private byName: ReadonlyMap<string, AnyPlugin> | undefined
  constructor(plugins: readonly AnyPlugin[] = library) {
    this.plugins = plugins
  }
  /** The same and these; itself where there are none, so that what is known of it stays known. */
  with(more: readonly AnyPlugin[]): Catalog {
    return more.length === 0 ? this : new Catalog([...this.plugins, ...more])
  }
  family(kind: Kind): readonly AnyPlugin[] {
    return this.plugins.filter((p) => p.kind === kind)
  }
  find(kind: Kind, name: string): AnyPlugin | undefined {
    this.byName ??= indexOf(this.plugins)
    // callers of the library may hand in anything
    return typeof kind === "string" && typeof name === "string" ? this.byName.get(`${kind} ${name}`) : undefined
  }
  /** The kind that a person means by `switches` or `topology`; a sentence when there is none. */
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
  /** "did you mean …?", or all names. */
  advice(kind: Kind, name: string): string {
    const names = this.family(kind).map((p) => p.name)
    const near = nearest(worded(name), [...names, ...this.family(kind).flatMap((p) => p.aliases ?? [])])
    if (near !== undefined) return `did you mean "${near}"?`
    return names.length > 0 ? `choose one of ${names.join(", ")}` : `there is no ${worded(kind)} in this build`
  }
}
