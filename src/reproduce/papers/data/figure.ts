// A figure as data: experiments, rows and curves from one YAML text. docs/guide/own-papers.md explains its keys.
import { type Checked, type Complaint, complain } from "../../../core/complaint.ts"
import { plainScale } from "../../../core/units.ts"
import { isMap, scaleOf } from "../../../experiment/fields.ts"
import type { Scope } from "../../../experiment/rows/evaluate.ts"
import type { Expression, Reference } from "../../../experiment/rows/syntax.ts"
import type { Facts, Mode, PaperFigure, PaperPlan, PaperRuns, Read } from "../paper.ts"
import { bisected, halvings } from "./bisect.ts"
import { checkRows } from "./check.ts"
import { curveSpecs, curvesOf, withMarks } from "./curves.ts"
import { factName, readFacts, type Sources, sourcesOf } from "./facts.ts"
import { Keys } from "./keys.ts"
import { type Plans, plansOf, quickOf, type ReadYaml } from "./plans.ts"
import { circular, referencesOf } from "./references.ts"
import { judgedRow, namesOf, type RowSpec, rowSpecs } from "./rows.ts"

export type DataFigure = PaperFigure & Required<Pick<PaperFigure, "check">>

export interface FigureFile {
  /** "cbcm/fig3a" */
  readonly id: string
  readonly value: unknown
  /** of the files that the experiments name */
  readonly folder: string
  /** citation of the paper, unless the figure has its own */
  readonly cites?: string
  readonly read: ReadYaml
}

const topKeys = [
  ...["title", "claim", "number", "cites", "shares", "base", "experiments", "quick", "let", "networks", "goals"],
  ...["bisect", "rows", "figures"],
]

export function dataFigure(file: FigureFile): Checked<DataFigure> {
  const bad: Complaint[] = []
  const k = new Keys(file.value, "", bad, topKeys)
  const cites = k.text("cites") ?? file.cites
  if (cites === undefined) k.refuse("cites", "is missing", "write title, authors and year here, or in paper.yaml")
  const [number, shares] = [k.text("number"), k.text("shares")]
  const narrowed = halvings(k, bad)
  const plans = withEach(plansOf(k, file.read, bad), (plan) => bisected(plan, narrowed))
  const sources = sourcesOf(k, bad)
  const given = k.map("let")
  const names = {
    full: namesOf(given, bad),
    quick: namesOf({ ...given, ...(k.get("quick") === undefined ? {} : quickOf(k).map("let")) }, bad),
  }
  for (const name of [...new Set([...circular(names.full), ...circular(names.quick)])])
    bad.push(complain(`let.${name}`, "stands for itself", "write it with measured values"))
  const specs = { full: rowSpecs(k, "full", bad), quick: rowSpecs(k, "quick", bad) }
  if (specs.full.length === 0 && bad.length === 0) k.refuse("rows", "there is none", "write a claim and what to expect")
  const curves = curveSpecs(k, bad)
  const words = { title: k.needed("title"), claim: k.needed("claim") }
  if (bad.length > 0) return { bad: distinct(bad) }
  const scope = scopeMaker(plans, names, sources)
  const hasRuns = plans.full !== undefined
  const made: DataFigure = {
    id: file.id,
    ...(number === undefined ? {} : { number }),
    ...(shares === undefined ? {} : { shares }),
    ...words,
    cites: cites ?? "",
    folder: file.folder,
    ...plans,
    ...(hasRuns ? {} : inspecting(specs.full, names.full, sources)),
    rows: (runs, mode, read) => specs[mode].map((spec) => judgedRow(spec, scope(runs, mode, read))),
    ...(curves.length === 0 ? {} : { figures: (runs, mode) => curvesOf(curves, scope(runs, mode, unread)) }),
    ...(curves.some((c) => c.marks.length > 0) ? { plots: (figures) => withMarks(curves, figures) } : {}),
    check: () =>
      hasRuns
        ? (["full", "quick"] as const)
            .filter((mode) => plans[mode] !== undefined)
            .flatMap((mode) => checkRows(specs[mode], plans[mode], file.folder, scope({}, mode, unread)))
        : factComplaints(specs.full, names.full, sources),
  }
  return { ok: made }
}

function withEach({ quick, full }: Plans, change: (plan: PaperPlan) => PaperPlan): Plans {
  return {
    ...(quick === undefined ? {} : { quick: change(quick) }),
    ...(full === undefined ? {} : { full: change(full) }),
  }
}

const unread: Read = () => Number.NaN

type Names = Readonly<Record<Mode, Readonly<Record<string, Expression>>>>

function scopeMaker(plans: Plans, names: Names, sources: Sources) {
  return (runs: PaperRuns, mode: Mode, read: Read): Scope => {
    const [first] = Object.values(plans[mode]?.experiments ?? {})
    return {
      runs,
      let: names[mode],
      scale: scaleOf(isMap(first) ? first["network"] : undefined, plainScale),
      fact(e) {
        const name = factName(e, sources)
        return name === undefined ? undefined : read(name)
      },
    }
  }
}

function readBy(specs: readonly RowSpec[], names: Names["full"]): readonly Reference[] {
  return specs.flatMap((s) => (s.row === undefined ? [] : referencesOf(s.row.value, names)))
}

/** A figure whose rows read the model has an inspection; one that is arithmetic alone has none. */
function inspecting(specs: readonly RowSpec[], names: Names["full"], sources: Sources): Pick<PaperFigure, "inspect"> {
  const asked = readBy(specs, names)
  if (asked.length === 0) return {}
  return {
    inspect(): Facts {
      const facts = readFacts(asked, sources)
      if ("bad" in facts) throw new Error(facts.bad.map((c) => `${c.path}: ${c.says}`).join("; "))
      return facts.ok
    },
  }
}

function factComplaints(specs: readonly RowSpec[], names: Names["full"], sources: Sources): readonly Complaint[] {
  const asked = readBy(specs, names)
  const unknown = asked.filter((e) => factName(e, sources) === undefined)
  if (unknown.length > 0)
    return unknown.map((e) =>
      complain("rows", `"${e.name}" reads no run and no network`, "declare experiments or networks"),
    )
  const facts = readFacts(asked, sources)
  return "bad" in facts ? facts.bad : []
}

/** A mistake in a row is found in both forms; it is reported once. */
function distinct(bad: readonly Complaint[]): readonly Complaint[] {
  const seen = new Set<string>()
  return bad.filter((c) => {
    const text = JSON.stringify(c)
    return !seen.has(text) && seen.add(text).size > 0
  })
}
