// Runs programs of a scheduler, with a time limit.
import { spawn } from "node:child_process"

export interface Answer {
  /** undefined: it was ended by a signal, does not exist, or did not respond in time */
  readonly code: number | undefined
  readonly out: string
  readonly err: string
  readonly missing: boolean
  readonly late: boolean
}

export type Ask = (program: string, args: readonly string[], options?: AskOptions) => Promise<Answer>

export interface AskOptions {
  readonly input?: string
  /** time limit in seconds (default: 60) */
  readonly patience?: number
  readonly cwd?: string
  /** a separate process group: Ctrl-C does not reach it */
  readonly apart?: boolean
}

const MOST = 64 * 2 ** 20

/** Runs a program and returns its output. Kills it after the time limit. Never throws. */
export const ask: Ask = (program, args, o = {}) =>
  new Promise((done) => {
    const child = spawn(program, args, {
      stdio: ["pipe", "pipe", "pipe"],
      ...(o.cwd === undefined ? {} : { cwd: o.cwd }),
      detached: o.apart === true,
    })
    let [out, err, late] = ["", "", false]
    const { patience = 60 } = o
    const timer = Number.isFinite(patience)
      ? setTimeout(() => {
          late = true
          child.kill("SIGKILL")
          // A child process may still hold the output open, so this does not wait for `close`.
          answer(undefined)
        }, 1000 * patience)
      : undefined
    let answered = false
    const answer = (code: number | undefined, missing = false) => {
      if (answered) return
      answered = true
      clearTimeout(timer)
      child.stdout.destroy()
      child.stderr.destroy()
      done({ code, out, err, missing, late })
    }
    child.on("error", (e: NodeJS.ErrnoException) => answer(undefined, e.code === "ENOENT" || e.code === "EACCES"))
    child.on("close", (code) => answer(code ?? undefined))
    child.stdin.on("error", () => undefined)
    child.stdin.end(o.input ?? "")
    child.stdout.setEncoding("utf8").on("data", (d: string) => void (out.length < MOST && (out += d)))
    child.stderr.setEncoding("utf8").on("data", (d: string) => void (err.length < MOST && (err += d)))
  })

/** Returns a word quoted for a shell. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** Returns the last non-empty lines. */
export function lastLines(text: string, count = 3): string {
  return text
    .split("\n")
    .map((l) => l.trim())
    .filter((l) => l !== "")
    .slice(-count)
    .join("\n")
}
