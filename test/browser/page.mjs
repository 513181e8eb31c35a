// What a page does with `lacewing/web`, and nothing else: from the text of an experiment to its report. The tests call
// it from outside.
import {
  aboutOf,
  check,
  figuresOf,
  folderOf,
  hostOf,
  judge,
  openRun,
  picture,
  plan,
  readFolder,
  readText,
  recordText,
  reportHtml,
  runPlan,
  summarise,
} from "lacewing/web"

async function textToRuns(text, name, files, options) {
  const file = readText(text, name, hostOf(files))
  if ("bad" in file) return { bad: file.bad }
  const planned = plan(file.ok, options)
  if ("bad" in planned) return { bad: planned.bad }
  const bad = check(planned.ok, file.ok.host)
  if (bad.length > 0) return { bad }
  let told = 0
  const done = await runPlan(planned.ok, file.ok.host, {
    runtime: "a page",
    machine: "nobody's",
    onRecord: () => told++,
  })
  return "bad" in done ? { bad: done.bad } : { planned, told, ...done.ok }
}

/** Of every run its name and how it ended. */
async function textToBits(text, name, files, options) {
  const done = await textToRuns(text, name, files, options)
  if ("bad" in done) return { bad: done.bad }
  return done.records.map(({ hash, result }) => ({ hash, why: result.why, fingerprint: result.fingerprint }))
}

async function textToReport(text, name, files, options) {
  const done = await textToRuns(text, name, files, options)
  if ("bad" in done) return { bad: done.bad }
  const { planned, told, records, knees } = done
  const rows = summarise(records)
  return {
    told,
    knees,
    records: records.map(recordText),
    states: rows.map((row) => row.state),
    verdicts: judge(planned.ok.expect, rows).map((v) => v.holds),
    pictures: figuresOf(records).map((figure) => picture(figure)),
    report: reportHtml({ records, about: aboutOf(planned.ok) }),
  }
}

/** The first run of an experiment, left and gone on from after every so many cycles. */
async function paused(text, name, budget) {
  const file = readText(text, name)
  const planned = plan(file.ok)
  const run = planned.ok.runs[0]
  let at = (await openRun(run, file.ok.host)).ok
  let pauses = 0
  while (!at.step(budget)) {
    const saved = structuredClone(at.save())
    await at.close()
    at = (await openRun(run, file.ok.host, {}, saved)).ok
    pauses++
  }
  const { fingerprint, why } = await at.result()
  return { pauses, fingerprint, why }
}

/** A results folder that was handed over, as base64 by path: its runs, what is wrong with it, its report. */
async function folderToReport(files) {
  const bytes = Object.entries(files).map(([path, text]) => [path, Uint8Array.from(atob(text), (c) => c.charCodeAt(0))])
  const read = await readFolder(folderOf(hostOf(Object.fromEntries(bytes)), "results"))
  if ("bad" in read) return { bad: read.bad }
  const { records, about, said } = read.ok
  return { records: records.map(recordText), said, report: reportHtml({ records, about }) }
}

Object.assign(globalThis, { textToReport, textToBits, paused, folderToReport })
