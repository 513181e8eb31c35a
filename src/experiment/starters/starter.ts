// A template of `lacewing init`: what index.ts lists and the files of this folder declare.
export interface Starter {
  readonly about: string
  readonly text: string
  /** files that are written next to it */
  readonly files?: Readonly<Record<string, string>>
  /** files that are written next to it, copied from the gallery of plug-ins (examples/plugins) */
  readonly gallery?: Readonly<Record<string, string>>
  /** the command that runs it, where that is not `run` */
  readonly command?: string
}
