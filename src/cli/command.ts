// The interface of command files: `export default function (command: Command, io: Io): void`, which adds arguments,
// options and the action. The main program knows only the name and a one-line description of a command. It imports the
// file when the command is called, so that `lacewing --help` is fast.
import type { Command } from "commander"
import type { Paint } from "../terminal/paint.ts"

export interface Io {
  out(text: string): void
  err(text: string): void
  /** Writes to standard error without a line end. */
  raw(text: string): void
  readonly paint: Paint
  /** Standard error is a terminal, so a progress line can be redrawn. */
  readonly live: boolean
  /** Columns of the terminal. */
  readonly width: number
  /** Maximum width of tables: the variable COLUMNS, or the terminal. Undefined in a file, where lines are not shortened. */
  readonly fits?: number
}

export type Define = (command: Command, io: Io) => void

export interface Listed {
  readonly name: string
  /** One line: imperative, with a capital letter, without a full stop. */
  readonly about: string
  /** Heading of `lacewing --help` below which the command is listed. */
  readonly group: string
  /** Internal command, not shown by `lacewing --help`. */
  readonly hidden?: boolean
  load(): Promise<{ readonly default: Define }>
}

/** Exit codes on which scripts may rely. */
export const exit = { done: 0, failed: 1, wrongInput: 2, deadlock: 3, interrupted: 130 } as const

export const interruptedText = "Interrupted. Finished runs are stored; the same command continues from here."

/** Ends a command with an exit code and a message for standard error. */
export class Exit extends Error {
  readonly code: number
  constructor(code: number, message = "") {
    super(message)
    this.code = code
  }
}
