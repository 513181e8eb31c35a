// The executor for any other scheduler (PBS, LSF, Flux, Grid Engine, indexed jobs of Kubernetes). A script is made from
// the user's template and submitted with the user's command. With {index} in the template there is one script for each
// task. Without it there is one for all, whose tasks get their number from the environment of the array.
import { join } from "node:path"
import { type Checked, complain } from "../../core/complaint.ts"
import { unreadable } from "../../experiment/disk/system-error.ts"
import { readText } from "../../experiment/disk/user-file.ts"
import { writeAtomic } from "../../results/disk.ts"
import type { Executor, Orders, Seen } from "../executor.ts"
import type { Piece } from "../job.ts"
import { type Ask, ask, lastLines, quoted } from "./command.ts"
import { taskCommand } from "./program.ts"

const usual = "sh {script}"
/** Prefix of the identifier of a piece whose tasks had ended when its command had. */
const ENDED = "ended with"

function isOver({ id }: Piece): boolean {
  return id?.startsWith(ENDED) === true
}
/** Time limit in seconds of a user command that only submits. */
const PATIENCE = 120

/** Reads the template of the user. It must contain {command}. */
export function templateOf({ template }: Orders): Checked<string> {
  if (template === undefined)
    return {
      bad: [
        complain(
          "cluster.template",
          "is missing",
          "write a script with a line {command}, and name it with --template FILE",
        ),
      ],
    }
  try {
    const text = readText(template, 2 ** 20)
    if (text.includes("{command}")) return { ok: text }
    return {
      bad: [complain(template, "The template has no {command}.", "put a line {command} where the task is to run")],
    }
  } catch (e) {
    return {
      bad: [complain("cluster.template", `${template} ${unreadable(e)}`, "paths are relative to the current folder")],
    }
  }
}

/** Fills in the values. Other braces, such as `${HOME}`, stay. */
export function filled(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\$?\{(\w+)\}/g, (all, name: string) => (all.startsWith("$") ? all : (values[name] ?? all)))
}

/**
 * Returns the executor. Without a submit command, `sh` runs the script here and the tasks have ended when it returns.
 */
export function script(keys: Orders, run: Ask = ask): Executor {
  const template = templateOf(keys)
  const text = "ok" in template ? template.ok : ""
  const each = /(?<!\$)\{index\}/.test(text)
  const submit = keys.submit ?? usual
  /** true if the command ends only when its task has ended */
  const here = keys.submit === undefined
  const made = (job: { readonly dir: string }, { first, count, name }: Piece): string => {
    const command = taskCommand(job, each ? String(first) : first > 1 ? `--after ${first - 1}` : "", keys)
    const setup = keys.setup === undefined ? "" : `${keys.setup}\n`
    return filled(text, { index: String(first), count: String(count), command: `${setup}${command}`, name })
  }
  return {
    name: "script",
    blind: !here && keys.look === undefined,
    most: async () => (each ? 1 : 1e6),
    check: async () => ("bad" in template ? template.bad : []),
    script: made,
    async submit(job, piece) {
      if ("bad" in template) return template
      const path = join(job.dir, `${piece.name}.sh`)
      writeAtomic(path, made(job, piece))
      const line = filled(submit, {
        script: quoted(path),
        count: String(piece.count),
        index: String(piece.first),
        name: piece.name,
      })
      const told = await run("sh", ["-c", line], { cwd: job.dir, apart: true, patience: here ? Infinity : PATIENCE })
      writeAtomic(join(job.dir, "logs", `${piece.name}.submit`), `${told.out}${told.err}`)
      if (here) return { id: `${ENDED} ${told.code ?? "a signal"}` }
      // The piece may have been accepted, so it is not submitted again. If it was not, its runs will be missing in the
      // end.
      if (told.late) return { id: "not known" }
      if (told.code === 0) return { id: lastLines(told.out, 1).split(/\s+/).at(-1) || "not known" }
      return {
        bad: [
          complain(
            "cluster.submit",
            `${line}: ${lastLines(told.err || told.out, 2) || `exit code ${told.code}`}`,
            "try the command yourself",
          ),
        ],
      }
    },
    async look(_, pieces) {
      const seen = new Map<number, Seen>()
      const over = pieces.filter(isOver)
      for (const p of over)
        for (let i = 0; i < p.count; i++) seen.set(p.first + i, { state: "ended", word: p.id!, reason: "" })
      if (over.length === pieces.length) return seen
      if (keys.look === undefined) return undefined
      for (const p of pieces.filter((p) => !isOver(p))) {
        const told = await run("sh", ["-c", filled(keys.look, { id: quoted(p.id ?? ""), name: p.name })])
        if (told.code === undefined) return undefined
        if (told.code === 0 && told.out.trim() !== "")
          for (let i = 0; i < p.count; i++)
            seen.set(p.first + i, { state: "waiting", word: lastLines(told.out, 1), reason: "" })
      }
      return seen
    },
    async cancel(_, all) {
      const pieces = all.filter((p) => p.id !== undefined && !isOver(p))
      if (pieces.length === 0) return []
      if (keys.cancel === undefined)
        return [
          complain(
            "cluster.cancel",
            "is not given",
            "add --cancel-command, or cancel the tasks with the command of your scheduler",
          ),
        ]
      const bad = []
      for (const p of pieces) {
        const line = filled(keys.cancel, { id: quoted(p.id ?? ""), name: p.name })
        const told = await run("sh", ["-c", line])
        if (told.code !== 0)
          bad.push(
            complain(
              "cluster.cancel",
              `${line}: ${lastLines(told.err || told.out, 1) || `exit code ${told.code}`}`,
              "cancel it yourself",
            ),
          )
      }
      return bad
    },
  }
}
