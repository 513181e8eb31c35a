// The messages between the page and the planner: reading, planning, proofs, forms, results, figures.
import type { FieldInfo } from "../../src/core/schema.ts"
import type { RunResult, RunSpec } from "../../src/model/experiment.ts"
import type { Files } from "./messages.ts"

export interface SaidAt {
  readonly path: string
  readonly says: string
  readonly fix: string
  readonly line?: number
  readonly column?: number
  /** Characters of the wrong word. */
  readonly width?: number
}

export interface PlannedHere {
  readonly hash: string
  readonly spec: RunSpec
  readonly point: Readonly<Record<string, string | number>>
  readonly seed: number
}

export interface Planned {
  readonly name: string
  readonly title: string
  readonly runs: readonly PlannedHere[]
  readonly search: boolean
}

/** A key of a form: its path in the text, its meaning and its type. */
export interface FormField extends FieldInfo {
  readonly path: string
  readonly key: string
  readonly value: unknown
  readonly choices?: readonly string[]
  /** true: the text contains a value. */
  readonly written: boolean
  /** true: the key is swept, so its value differs between runs. */
  readonly swept: boolean
}

export interface FormPart {
  readonly title: string
  readonly about: string
  readonly fields: readonly FormField[]
}

export interface ResultRow {
  readonly id: string
  readonly hash: string
  readonly point: Readonly<Record<string, string | number>>
  readonly seed: number
  readonly why: string
  readonly fingerprint: string
  /** The values that exist. */
  readonly values: Readonly<Record<string, number>>
  /** The reason for each value that does not exist. */
  readonly missing: Readonly<Record<string, string>>
  readonly spec: RunSpec
}

export interface ResultsRead {
  readonly rows: readonly ResultRow[]
  readonly title: string
  readonly said: readonly string[]
}

export interface Finished {
  readonly hash: string
  readonly spec: RunSpec
  readonly point: Readonly<Record<string, string | number>>
  readonly seed: number
  readonly result: RunResult
}

/** A request for a change that may remove a cause: one of src/measure/bottleneck, or a deadlock. */
export interface CureAsk {
  readonly text: string
  readonly name: string
  readonly files: Files
  readonly run: number
  /** The changes of the inspected side. */
  readonly set: readonly string[]
  readonly cause: string
  readonly channel: number
  /** Flits per endpoint and cycle. */
  readonly offered: number
  readonly accepted: number
}

/** A change that can be simulated, and its name in a sentence. */
export interface Cure {
  readonly set: readonly string[]
  readonly says: string
}

/** A module that an experiment names; without a hash if its file was not given. */
export interface ModuleHere {
  readonly file: string
  readonly hash: string
  readonly text: string
}

/** A key or a value that fits at a cursor. */
export interface CompletionItem {
  readonly label: string
  readonly about: string
  readonly insert: string
}

/** The items that may replace the text between two offsets. */
export interface Completion {
  readonly from: number
  readonly to: number
  readonly items: readonly CompletionItem[]
}

export type PlannerRequest =
  /** Is answered at once. */
  | { readonly do: "ping" }
  /** Returns the modules that an experiment names, without executing them. */
  | { readonly do: "modules"; readonly text: string; readonly name: string; readonly files: Files }
  | ({ readonly do: "cure" } & CureAsk)
  | {
      readonly do: "plan"
      readonly text: string
      readonly name: string
      readonly files: Files
      readonly set?: readonly string[]
    }
  | { readonly do: "check"; readonly text: string; readonly name: string; readonly files: Files }
  | { readonly do: "form"; readonly text: string; readonly run: number; readonly files: Files }
  | { readonly do: "write"; readonly text: string; readonly path: string; readonly value: unknown }
  | { readonly do: "complete"; readonly text: string; readonly offset: number }
  | { readonly do: "results"; readonly files: Files }
  | { readonly do: "figures"; readonly finished: readonly Finished[]; readonly dark: boolean }
  | { readonly do: "topology"; readonly spec: RunSpec; readonly title: string }
