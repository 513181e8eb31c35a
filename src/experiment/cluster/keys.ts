// The keys of `cluster:`, the resources requested from a scheduler. They may be in the experiment, in the user's
// configuration or on the command line. They are not part of a run: another partition gives identical results.
import { type Checked, complain } from "../../core/complaint.ts"
import { secondsOf } from "../../core/duration.ts"
import { json } from "../../core/json-schema.ts"
import { type Field, int, maybe, schema, text } from "../../core/schema.ts"
import { kindOf, quantity } from "../../core/units.ts"

/** Returns the seconds of `2h`, `30min`, or a scheduler's `1-00:00:00`, `02:00:00`. */
export function wallSeconds(written: string): number | undefined {
  const m = /^(?:(\d{1,4})-)?(\d{1,4}):(\d{1,2})(?::(\d{1,2}))?$/.exec(written.trim())
  if (m === null) return secondsOf(written)
  const [, days = "0", first, second, third] = m
  // With days, two numbers are hours and minutes; without days, minutes and seconds.
  const [h, min, s] = third !== undefined || m[1] !== undefined ? [first, second, third ?? "0"] : ["0", first, second]
  const seconds = ((Number(days) * 24 + Number(h)) * 60 + Number(min)) * 60 + Number(s)
  return seconds > 0 ? seconds : undefined
}

/** Returns the megabytes (MiB) of `4GiB`, or a scheduler's `4000M`, `4G`. */
export function memoryMegabytes(written: string): number | undefined {
  const short = /^\s*(\d{1,9}(?:\.\d{1,3})?)\s*([KMGT])\s*$/.exec(written)
  const bytes =
    short === null
      ? quantity(written, "bytes")
      : Number(short[1]) * 2 ** { K: 10, M: 20, G: 30, T: 40 }[short[2] as "K"]
  return typeof bytes === "number" && bytes >= 2 ** 20 && Number.isFinite(bytes) ? bytes / 2 ** 20 : undefined
}

function written(
  about: string,
  type: string,
  fix: string,
  read: (text: string) => number | undefined,
): Field<number | undefined> {
  return {
    info: { about, type, required: false },
    json: json.string().describe(about).optional(),
    parse(raw, path): Checked<number | undefined> {
      if (raw === undefined) return { ok: undefined }
      const got = typeof raw === "string" ? read(raw) : undefined
      return got === undefined
        ? { bad: [complain(path, `expected a ${type}, found ${kindOf(raw)}`, fix)] }
        : { ok: got }
    },
  }
}

const word = (about: string): Field<string | undefined> => {
  const of = maybe(text({ about, needed: false }))
  return {
    ...of,
    parse(raw, path, scale) {
      const got = of.parse(raw, path, scale)
      // The text becomes one line of a script.
      const odd = "ok" in got && got.ok !== undefined && (/[\n\r\0]/.test(got.ok) || got.ok === "")
      return odd
        ? { bad: [complain(path, "is empty, or has more than one line", "write one line, or leave it out")] }
        : got
    },
  }
}

/**
 * Field for the name of a partition or an account. It becomes part of a line that a scheduler reads, in which a space
 * could start another option.
 */
const name = (about: string): Field<string | undefined> => {
  const of = word(about)
  return {
    ...of,
    parse(raw, path, scale) {
      const got = of.parse(raw, path, scale)
      const odd = "ok" in got && got.ok !== undefined && !isName(got.ok)
      return odd
        ? {
            bad: [
              complain(
                path,
                `"${got.ok}" is not a valid name for a scheduler`,
                "write one word, as the scheduler expects it",
              ),
            ],
          }
        : got
    },
  }
}

function isName(text: string): boolean {
  return /^[\w.,:@+/%][\w.,:@+/%=-]*$/.test(text)
}

const aTime = "write a time such as 30min or 2h"
export const clusterKeys = schema({
  partition: name("Partition (queue) of the scheduler (default: that of the scheduler)"),
  account: name("Account that is charged (default: the user's own)"),
  time: written("Time limit of a task (default: three times perTask)", "time of the wall clock", aTime, wallSeconds),
  mem: written(
    "Memory of a task (default: the predicted memory of its runs)",
    "size",
    "write a size such as 4GiB",
    memoryMegabytes,
  ),
  cpus: maybe(int({ about: "Number of cores of a task (default: 1)", min: 1, max: 1024, needed: false })),
  maxTasks: maybe(
    int({
      about: "Maximum number of tasks; with fewer tasks, each takes longer (default: no limit)",
      min: 1,
      max: 100_000,
      needed: false,
    }),
  ),
  perTask: written("Predicted computing time of a task (default: 20min)", "time of the wall clock", aTime, wallSeconds),
  setup: word("Line of the batch script before Node is started, for example: module load node"),
  node: word("Path of Node on the compute nodes (default: that of this machine, or with `setup` the one in PATH)"),
  template: word(
    "Template of the scripts of tasks, with {command} and optionally {index} and {count}; for --on script",
  ),
  submit: word("Command that submits {script} (default: sh {script}); for --on script"),
  look: word("Command that succeeds and prints text while {id} is pending or running (default: none); for --on script"),
  cancel: word("Command that cancels {id} (default: none); for --on script"),
})

/** Keys whose text is executed: shell commands, a program, and a file that becomes a script. */
export const commandKeys = ["setup", "node", "template", "submit", "look", "cancel"] as const
export type CommandKey = (typeof commandKeys)[number]

/** Returns the keys of a record, with times and sizes as numbers; undefined if the record is invalid. */
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
