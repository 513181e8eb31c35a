// The plug-ins by kind and name. The lab is written against a catalog, so that tests and users can bring their own.
import { nearest } from "../core/complaint.ts"
import { type AnyPlugin, library } from "../library.ts"
import type { Kind } from "../model/plugin.ts"

export class Catalog {
  readonly plugins: readonly AnyPlugin[]
  constructor(plugins: readonly AnyPlugin[] = library) {
    this.plugins = plugins
  }
  family(kind: Kind): readonly AnyPlugin[] {
    return this.plugins.filter((p) => p.kind === kind)
  }
  find(kind: Kind, name: string): AnyPlugin | undefined {
    return this.plugins.find((p) => p.kind === kind && (p.name === name || p.aliases?.includes(name) === true))
  }
  /** "did you mean …?", or all names. */
  advice(kind: Kind, name: string): string {
    const names = this.family(kind).map((p) => p.name)
    const near = nearest(name, [...names, ...this.family(kind).flatMap((p) => p.aliases ?? [])])
    if (near !== undefined) return `did you mean "${near}"?`
    return names.length > 0 ? `choose one of ${names.join(", ")}` : `there is no ${kind} in this build`
  }
}
