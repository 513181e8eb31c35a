// What a simulation may ask of the place where it runs. Everything that reads files or knows the machine is handed in, so that the rest runs in a
// browser as well.
import type { Plugin } from "./plugin.ts"

/** Plug-ins that the experiment brings, loaded, with the hashes of their modules. */
export interface Outside {
  readonly hashes: readonly string[]
  readonly plugins: readonly Plugin<unknown, unknown, never>[]
}

export interface Host {
  /** the text of a file that the experiment names */
  read(path: string): string
  /** where its paths start from, if it has such a place */
  readonly folder?: string
  /** bytes that the machine has */
  readonly memory?: number
  readonly outside?: Outside | undefined
}
