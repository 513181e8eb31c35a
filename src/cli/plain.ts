// Prints complaints that have no place in an experiment file: about folders, queries and hashes. options.ts prints
// those with a place.
import type { Complaint } from "../core/complaint.ts"
import { Exit, exit, type Io } from "./command.ts"

export function plainText(c: Complaint, io: Io): string {
  return `${io.paint.bold(c.path)}: ${io.paint.red(c.says)}\n  ${io.paint.green("fix:")} ${c.fix}`
}

/** Prints a complaint and continues. */
export function sayPlain(c: Complaint, io: Io): void {
  io.err(plainText(c, io))
}

/** Prints each different complaint once, because a full disk fails for every file. */
export function sayOnce(all: readonly Complaint[], io: Io): void {
  for (const text of new Set(all.map((c) => plainText(c, io)))) io.err(text)
}

/** Prints complaints (with --json also as data) and ends the command with exit code 2. */
export function refusePlain(bad: readonly Complaint[], io: Io, json: boolean): never {
  if (json) io.out(JSON.stringify({ ok: false, complaints: bad }))
  throw new Exit(exit.wrongInput, bad.map((c) => plainText(c, io)).join("\n"))
}
