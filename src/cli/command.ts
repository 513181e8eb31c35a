// What a command file exports: `export default function (command: Command, io: Io): void`, which adds arguments, options and the action.
// Main knows only its name and one line about it, and imports the file when the command is called, so that `lacewing --help` is quick.
import type { Command } from "commander"
import type { Paint } from "../terminal/paint.ts"

export interface Io {
  out(text: string): void
  err(text: string): void
  /** to standard error, without a line end */
  raw(text: string): void
  readonly paint: Paint
  /** standard error is a terminal: a live line may be redrawn on it */
  readonly live: boolean
  /** columns of the terminal */
  readonly width: number
  /** columns that tables must fit into; absent where the output goes elsewhere: lines of a file stay whole */
  readonly fits?: number
}

export type Define = (command: Command, io: Io) => void

export interface Listed {
  readonly name: string
  readonly about: string
  load(): Promise<{ readonly default: Define }>
}

/** Exit codes that scripts may rely on. */
export const exit = { done: 0, failed: 1, wrongInput: 2, deadlock: 3, interrupted: 130 } as const

/** Ends a command with a code after its message was printed. */
export class Exit extends Error {
  readonly code: number
  constructor(code: number, message = "") {
    super(message)
    this.code = code
  }
}
