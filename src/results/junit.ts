// Verdicts as JUnit XML, which GitLab, Jenkins, GitHub and others show as test results: one test case for each verdict.
import { writeAtomic } from "./disk.ts"

export interface Case {
  readonly name: string
  /** for example the id of a figure; cases with the same group are shown together */
  readonly group: string
  /** why it failed, in full sentences */
  readonly failed?: string
  /** why nothing was decided */
  readonly skipped?: string
}

export function junitOf(suite: string, cases: readonly Case[], seconds = 0): string {
  const count = (wanted: "failed" | "skipped") => cases.filter((c) => c[wanted] !== undefined).length
  const numbers = `tests="${cases.length}" failures="${count("failed")}" skipped="${count("skipped")}" errors="0"`
  const attributes = `name="${escaped(suite)}" ${numbers} time="${seconds.toFixed(3)}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${attributes}>`,
    `<testsuite ${attributes}>`,
    ...cases.map(caseText),
    "</testsuite>",
    "</testsuites>",
    "",
  ].join("\n")
}

export function writeJunit(file: string, suite: string, cases: readonly Case[], seconds?: number): void {
  writeAtomic(file, junitOf(suite, cases, seconds))
}

function caseText({ name, group, failed, skipped }: Case): string {
  const head = `<testcase name="${escaped(name)}" classname="${escaped(group)}"`
  if (failed !== undefined)
    return `${head}><failure message="${escaped(failed.split("\n")[0] ?? "")}">${escaped(failed)}</failure></testcase>`
  return skipped === undefined ? `${head}/>` : `${head}><skipped message="${escaped(skipped)}"/></testcase>`
}

/** XML has no control characters other than tab and line ends. */
function escaped(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "")
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
  )
}
