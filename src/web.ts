// lacewing without Node (`lacewing/web`): from the text of an experiment to its report, in a web page or a web worker.
//
//   const file = readText(text);
//   const planned = plan(file.ok);
//   const { ok } = await runPlan(planned.ok, file.ok.host);
//   const html = reportHtml({ records: ok.records, about: aboutOf(planned.ok) });
//
// No file that is imported here may depend on Node; the browser tests check this.
import { complaintsOf } from "./experiment/cross-checks.ts"
import type { Plan } from "./experiment/plan.ts"
import type { Placed } from "./experiment/source.ts"
import type { Host } from "./model/host.ts"
import { prepare } from "./run/open.ts"

/** Returns complaints about the networks of a plan; each distinct network is built once. Empty: all runs can be run. */
export function check(plan: Plan, host: Host): Placed[] {
  return complaintsOf(plan.runs, host, { prepare })
}

export type { Checked, Complaint } from "./core/complaint.ts"
export { figuresOf } from "./draw/figure/choose.ts"
export { draw } from "./draw/figure/draw.ts"
export type { Drawing } from "./draw/figure/drawing.ts"
export type { Figure } from "./draw/figure/figure.ts"
export { type PictureOptions, picture } from "./draw/figure/picture.ts"
export { type Reported, reportHtml } from "./draw/report/report.ts"
export { buildVersion, packageVersion } from "./experiment/identity/version.ts"
export { type Plan, type PlannedRun, type PlanOptions, plan } from "./experiment/plan.ts"
export type { Placed } from "./experiment/source.ts"
export { type ExperimentFile, readText } from "./experiment/text.ts"
export type { Saved } from "./measure/saved.ts"
export type { RunResult, RunSpec } from "./model/experiment.ts"
export { type Host, hostOf, NotReadable } from "./model/host.ts"
export { type Reason, reasonMissing, told, valueIn } from "./model/missing.ts"
export { aboutOf } from "./results/about.ts"
export { type Saturation, saturationsOf } from "./results/findings/saturation.ts"
export { folderOf } from "./results/folder/folder.ts"
export type { About } from "./results/folder/manifest.ts"
export { type Results, readFolder } from "./results/folder/read.ts"
export { recordOf, recordText } from "./results/json.ts"
export type { RunRecord } from "./results/record.ts"
export { judge, type PointSummary, summarise, type Verdict } from "./results/summary.ts"
export type { PausableRun } from "./run/pausable.ts"
export {
  type MeasureOptions,
  measure,
  openRun,
  type PlanRunOptions,
  type RanSequentially,
  runPlan,
} from "./sweep/sequential.ts"
