// Any other scheduler (PBS, LSF, Flux, Grid Engine, indexed jobs of Kubernetes): a script made from the user's template, handed over with the user's command. With {index}
// in the template there is a script for each task; without it one for all, whose tasks know their number from the environment of the array.
import { join } from "node:path"
import { type Checked, complain } from "../../../core/complaint.ts"
import { unreadable } from "../../../experiment/disk/system-error.ts"
import { readText } from "../../../experiment/disk/user-file.ts"
import { writeAtomic } from "../../../results/disk.ts"
import type { Executor, Orders, Seen } from "../executor.ts"
import type { Piece } from "../job.ts"
import { type Ask, ask, lastLines, quoted } from "./command.ts"
import { taskCommand } from "./program.ts"

const usual = "sh {script}"
/** Begins the id of a piece whose tasks had ended when its command had. */
const ENDED = "ended with"

function isOver({ id }: Piece): boolean {
  return id?.startsWith(ENDED) === true
}
/** Seconds that a command of the user may take that only hands over. */
const PATIENCE = 120

export function templateOf({ template }: Orders): Checked<string> {
  if (template === undefined)
    return { bad: [complain("cluster.template", "is missing", "write a script with a line {command}, and name it with --template FILE")] }
  try {
    const text = readText(template, 2 ** 20)
    if (text.includes("{command}")) return { ok: text }
    return { bad: [complain(template, "has no {command}", "put a line {command} where the task is to run")] }
  } catch (e) {
    return { bad: [complain("cluster.template", `${template} ${unreadable(e)}`, "paths are relative to the folder that you are in")] }
  }
}

/** Braces that mean something else, `${HOME}` for one, stay. */
export function filled(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\$?\{(\w+)\}/g, (all, name: string) => (all.startsWith("$") ? all : (values[name] ?? all)))
}

export function script(keys: Orders, run: Ask = ask): Executor {
  const template = templateOf(keys)
  const text = "ok" in template ? template.ok : ""
  const each = /(?<!\$)\{index\}/.test(text)
  const submit = keys.submit ?? usual
  /** the command has ended when its task has */
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
      const line = filled(submit, { script: quoted(path), count: String(piece.count), index: String(piece.first), name: piece.name })
      const told = await run("sh", ["-c", line], { cwd: job.dir, apart: true, patience: here ? Infinity : PATIENCE })
      writeAtomic(join(job.dir, "logs", `${piece.name}.submit`), `${told.out}${told.err}`)
      if (here) return { id: `${ENDED} ${told.code ?? "a signal"}` }
      // it may have been taken: it is not handed over again, and if it was not its runs are missing in the end
      if (told.late) return { id: "not known" }
      if (told.code === 0) return { id: lastLines(told.out, 1).split(/\s+/).at(-1) || "not known" }
      return {
        bad: [
          complain(
            "cluster.submit",
            `${line}: ${lastLines(told.err || told.out, 2) || `exit code ${told.code}`}`,
            "try the command by hand",
          ),
        ],
      }
    },
    async look(_, pieces) {
      const seen = new Map<number, Seen>()
      const over = pieces.filter(isOver)
      for (const p of over) for (let i = 0; i < p.count; i++) seen.set(p.first + i, { state: "ended", word: p.id!, reason: "" })
      if (over.length === pieces.length) return seen
      if (keys.look === undefined) return undefined
      for (const p of pieces.filter((p) => !isOver(p))) {
        const told = await run("sh", ["-c", filled(keys.look, { id: quoted(p.id ?? ""), name: p.name })])
        if (told.code === undefined) return undefined
        if (told.code === 0 && told.out.trim() !== "")
          for (let i = 0; i < p.count; i++) seen.set(p.first + i, { state: "waiting", word: lastLines(told.out, 1), reason: "" })
      }
      return seen
    },
    async cancel(_, all) {
      const pieces = all.filter((p) => p.id !== undefined && !isOver(p))
      if (pieces.length === 0) return []
      if (keys.cancel === undefined)
        return [complain("cluster.cancel", "is not given", "give --cancel, or cancel the tasks with your scheduler's own command")]
      const bad = []
      for (const p of pieces) {
        const line = filled(keys.cancel, { id: quoted(p.id ?? ""), name: p.name })
        const told = await run("sh", ["-c", line])
        if (told.code !== 0)
          bad.push(
            complain("cluster.cancel", `${line}: ${lastLines(told.err || told.out, 1) || `exit code ${told.code}`}`, "cancel it by hand"),
          )
      }
      return bad
    },
  }
}
