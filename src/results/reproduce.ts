// Repeats a recorded run. The fingerprint of its final state and every value must be equal to the last bit.
import { type Checked, complain } from "../core/complaint.ts"
import { revisionsIn } from "../experiment/identity/revisions.ts"
import type { RunResult, RunSpec } from "../model/experiment.ts"
import { reasonMissing } from "../model/missing.ts"
import type { RunRecord } from "./record.ts"

/** Runs one specification as it stands; the lab provides it. */
export type RunOne = (spec: RunSpec) => Promise<Checked<RunResult>>

export type Reproduced = {
  readonly hash: string
  readonly same: boolean
  readonly fingerprint: { readonly recorded: string; readonly again: string }
  readonly why: { readonly recorded: string; readonly again: string }
  /** values that differ; null where a side has no number */
  readonly differing: readonly {
    readonly name: string
    readonly recorded: number | null
    readonly again: number | null
  }[]
  readonly version: { readonly recorded: string; readonly again: string }
  /** parts with another revision than the record has, in words */
  readonly revised: readonly string[]
}

/** What the machine decides, not the model. */
export function ofTheMachine(name: string): boolean {
  return name === "seconds" || name.endsWith(".seconds") || name.endsWith("/s") || name.startsWith("memory")
}

/** The run whose hash begins with `prefix`. */
export function findRun(records: readonly RunRecord[], prefix: string): Checked<RunRecord> {
  const found = records.filter((r) => r.hash.startsWith(prefix))
  if (found.length === 1) return { ok: found[0] }
  if (found.length === 0)
    return {
      bad: [
        complain(
          prefix,
          `None of the ${records.length} runs has this hash.`,
          "copy a hash from the report or from the table runs",
        ),
      ],
    }
  const some = found.slice(0, 3).map((r) => r.hash.slice(0, prefix.length + 4))
  return {
    bad: [
      complain(
        prefix,
        `${found.length} runs have a hash that starts with these characters.`,
        `write more characters: ${some.join(", ")}, …`,
      ),
    ],
  }
}

function revisedSince({ provenance: { revisions } }: RunRecord, now: string): string[] {
  if (revisions === undefined) return ["The record has no revisions, because an earlier version of lacewing stored it."]
  const then = revisionsIn(revisions)
  return [...revisionsIn(now)].flatMap(([what, n]) =>
    then.get(what) === n
      ? []
      : [`${what}: the record has revision ${then.get(what) ?? "unknown"}, this version has revision ${n}`],
  )
}

export async function reproduce(
  record: RunRecord,
  run: RunOne,
  now: { version: string; revisions: string },
): Promise<Checked<Reproduced>> {
  const got = await run(record.spec)
  if ("bad" in got) return got
  const [recorded, again] = [record.result, got.ok]
  const names = [...new Set([...Object.keys(recorded.values), ...Object.keys(again.values)])].filter(
    (n) => !ofTheMachine(n),
  )
  const differing = names
    .map((name) => ({ name, recorded: recorded.values[name] ?? null, again: again.values[name] ?? null }))
    .filter(({ name, recorded: a, again: b }) =>
      // older versions have numbers for some missing values
      a === null || b === null ? reasonMissing(recorded, name) !== reasonMissing(again, name) : !Object.is(a, b),
    )
  return {
    ok: {
      hash: record.hash,
      same: differing.length === 0 && recorded.fingerprint === again.fingerprint && recorded.why === again.why,
      fingerprint: { recorded: recorded.fingerprint, again: again.fingerprint },
      why: { recorded: recorded.why, again: again.why },
      differing,
      version: { recorded: record.provenance.version, again: now.version },
      revised: revisedSince(record, now.revisions),
    },
  }
}
