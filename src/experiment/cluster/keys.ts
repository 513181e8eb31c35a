// `cluster:`: what a scheduler is asked for, in the experiment, in the user's own file or on the command line. No part of a run: another partition gives the same bits.
import { type Checked, complain } from "../../core/complaint.ts"
import { secondsOf } from "../../core/duration.ts"
import { json } from "../../core/json-schema.ts"
import { type Field, int, maybe, schema, text } from "../../core/schema.ts"
import { kindOf, quantity } from "../../core/units.ts"

/** Seconds of `2h`, `30min`, or a scheduler's `1-00:00:00`, `02:00:00`. */
export function wallSeconds(written: string): number | undefined {
  const m = /^(?:(\d{1,4})-)?(\d{1,4}):(\d{1,2})(?::(\d{1,2}))?$/.exec(written.trim())
  if (m === null) return secondsOf(written)
  const [, days = "0", first, second, third] = m
  // with days two numbers are hours and minutes, without them minutes and seconds
  const [h, min, s] = third !== undefined || m[1] !== undefined ? [first, second, third ?? "0"] : ["0", first, second]
  const seconds = ((Number(days) * 24 + Number(h)) * 60 + Number(min)) * 60 + Number(s)
  return seconds > 0 ? seconds : undefined
}

/** Megabytes (MiB) of `4GiB`, or a scheduler's `4000M`, `4G`. */
export function memoryMegabytes(written: string): number | undefined {
  const short = /^\s*(\d{1,9}(?:\.\d{1,3})?)\s*([KMGT])\s*$/.exec(written)
  const bytes = short === null ? quantity(written, "bytes") : Number(short[1]) * 2 ** { K: 10, M: 20, G: 30, T: 40 }[short[2]! as "K"]
  return typeof bytes === "number" && bytes >= 2 ** 20 && Number.isFinite(bytes) ? bytes / 2 ** 20 : undefined
}

function written(about: string, type: string, fix: string, read: (text: string) => number | undefined): Field<number | undefined> {
  return {
    info: { about, type, required: false },
    json: json.string().describe(about).optional(),
    parse(raw, path): Checked<number | undefined> {
      if (raw === undefined) return { ok: undefined }
      const got = typeof raw === "string" ? read(raw) : undefined
      return got === undefined ? { bad: [complain(path, `expected a ${type}, found ${kindOf(raw)}`, fix)] } : { ok: got }
    },
  }
}

const word = (about: string): Field<string | undefined> => {
  const of = maybe(text({ about, needed: false }))
  return {
    ...of,
    parse(raw, path, scale) {
      const got = of.parse(raw, path, scale)
      // becomes a line of a script
      const odd = "ok" in got && got.ok !== undefined && (/[\n\r\0]/.test(got.ok) || got.ok === "")
      return odd ? { bad: [complain(path, "is empty, or has more than one line", "write one line, or leave it out")] } : got
    },
  }
}

/** The name of a partition or an account: becomes a part of a line that a scheduler reads, which may hold more options after a space. */
const name = (about: string): Field<string | undefined> => {
  const of = word(about)
  return {
    ...of,
    parse(raw, path, scale) {
      const got = of.parse(raw, path, scale)
      const odd = "ok" in got && got.ok !== undefined && !isName(got.ok)
      return odd
        ? { bad: [complain(path, `"${got.ok}" is not a name that a scheduler has`, "write one word, as the scheduler knows it")] }
        : got
    },
  }
}

function isName(text: string): boolean {
  return /^[\w.,:@+/%][\w.,:@+/%=-]*$/.test(text)
}

const aTime = "write a time such as 30min or 2h"
export const clusterKeys = schema({
  partition: name("partition (queue) of the scheduler; its default unless given"),
  account: name("account that is charged; the user's own unless given"),
  time: written("time limit of a task; three times perTask unless given", "time of the wall clock", aTime, wallSeconds),
  mem: written("memory of a task; what its runs are predicted to need unless given", "size", "write a size such as 4GiB", memoryMegabytes),
  cpus: maybe(int({ about: "cores of a task; 1 unless given", min: 1, max: 1024, needed: false })),
  maxTasks: maybe(int({ about: "at most so many tasks in one submission; they become longer", min: 1, max: 100_000, needed: false })),
  perTask: written("work of a task; 20min unless given", "time of the wall clock", aTime, wallSeconds),
  setup: word("line of the batch script before Node is started, for example: module load node"),
  node: word("Node on the compute nodes: a path; that of this machine unless given, or with setup the one of the PATH"),
  template: word("script: file with {command} and perhaps {index} and {count}, from which the scripts of tasks are made"),
  submit: word("script: command that hands over {script}; sh {script} unless given"),
  look: word("script: command that succeeds and prints something while {id} is waiting or running; none unless given"),
  cancel: word("script: command that cancels {id}; none unless given"),
})

/** Keys whose text is executed: lines for a shell, a program, and a file that becomes a script. */
export const commandKeys = ["setup", "node", "template", "submit", "look", "cancel"] as const
export type CommandKey = (typeof commandKeys)[number]

/** Keys as they stand in a record, times and sizes as numbers; undefined where they are none. */
export function recordedKeys(raw: unknown): ClusterKeys | undefined {
  const empty = clusterKeys.parse({}, "cluster")
  if ("bad" in empty || typeof raw !== "object" || raw === null) return undefined
  const made: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(raw)) {
    if (!Object.hasOwn(clusterKeys.fields, key) || !fitsRecord(key, value)) return undefined
    made[key] = value
  }
  return { ...empty.ok, ...made }
}

function fitsRecord(key: string, value: unknown): boolean {
  if (commandKeys.some((k) => k === key)) return typeof value === "string"
  if (key === "partition" || key === "account") return typeof value === "string" && isName(value)
  return typeof value === "number" && Number.isFinite(value) && value > 0
}

export type ClusterKeys = Extract<ReturnType<typeof clusterKeys.parse>, { readonly ok: unknown }>["ok"]
