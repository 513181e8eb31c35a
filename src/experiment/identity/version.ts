// The version of the program: that of the package and, in a development build, a hash of its model code.

/**
 * The version in package.json (version.test.ts compares them). It is a constant, so that a web page without files has
 * it.
 */
export const packageVersion = "0.1.0"

/** Defined by scripts/bundle.mjs and vitest.config.ts (scripts/model-code.mjs). It is empty in a release. */
declare const LACEWING_BUILD: string | undefined

/**
 * The name of sources that were not bundled. No hash distinguishes two states of them, so their results are never
 * reused.
 */
export const unbundled = "unbundled"

/** Hash of the model code of a development build, "" in a release, or `unbundled`. */
export const build: string = typeof LACEWING_BUILD === "undefined" ? unbundled : LACEWING_BUILD

/** The version that is recorded with each run: 0.1.0 for a release, 0.1.0+88aff481a8df for a development build. */
export const buildVersion: string = build === "" ? packageVersion : `${packageVersion}+${build}`

/** The build in a recorded version; "" for a release. */
export function buildIn(version: string): string {
  const at = version.indexOf("+")
  return at < 0 ? "" : version.slice(at + 1)
}
