// Writes the results of the mutants: docs/recorded/mutants.json, and the page papers/mutants.md for readers.
import { writeFileSync } from "node:fs"
import { join } from "node:path"

const judged = (row) => row.word === "agrees" || row.word === "ours" || row.word === "open"
const titles = { fbicm: "FBICM", stashing: "Stashing", qos: "Quality of service", cbcm: "CBCM", fitfly: "Fit Fly" }

/** Returns the claims that hold without the mutant and fail with it; undefined if there is no such run. */
function noticed(plain, other) {
  if (other?.rows === undefined) return undefined
  return plain.rows.filter((r, i) => judged(r) && other.rows[i]?.word === "fails").map((r) => r.claim)
}

const equal = (plain, other) => plain.rows.every((r, i) => r.value === other.rows[i]?.value)

/** Collects all results: for each figure its rows, and for each mutant the rows that notice it. */
function collect(papers, mutants, read, concerns) {
  return papers.flatMap((figure) => {
    const plain = read(figure, "none")
    if (plain?.rows === undefined) return []
    const runs = mutants
      .filter((m) => concerns(m, figure))
      .flatMap((m) => {
        const other = read(figure, `${m.paper}/${m.id}`)
        if (other === undefined) return []
        if (other.refused !== undefined) return [{ mutant: m.id, refused: other.refused[0] }]
        const rows = noticed(plain, other)
        return [{ mutant: m.id, ...(equal(plain, other) ? { same: true } : {}), rows }]
      })
    const words = plain.rows.map((r) => r.word)
    return [
      {
        figure: figure.id,
        seconds: plain.seconds,
        judged: plain.rows.filter(judged).map((r) => r.claim),
        failing: plain.rows.filter((r) => r.word === "fails").map((r) => r.claim),
        others: words.filter((w) => w !== "fails" && !judged({ word: w })).length,
        mutants: runs,
      },
    ]
  })
}

const short = (id) => id.slice(id.indexOf("/") + 1)
const code = (text) => `\`${text}\``
const plural = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`

function section(paper, all, mutants) {
  const figures = all.filter((f) => f.figure.startsWith(`${paper}/`) && f.mutants.length > 0)
  if (figures.length === 0) return []
  const rows = mutants
    .filter((m) => m.paper === paper)
    .flatMap((m) => {
      const ran = figures.flatMap((f) => f.mutants.filter((x) => x.mutant === m.id).map((x) => ({ ...x, f })))
      if (ran.length === 0) return []
      const notice = ran.filter((x) => (x.rows?.length ?? 0) > 0)
      const count = notice.reduce((sum, x) => sum + x.rows.length, 0)
      const by = notice.map((x) => `${code(short(x.f.figure))} ${x.rows.length}`).join(", ")
      const not = ran.filter((x) => x.rows?.length === 0).map((x) => `${code(short(x.f.figure))}${x.same ? " =" : ""}`)
      const refused = ran.filter((x) => x.refused !== undefined).map((x) => `${code(short(x.f.figure))} refused`)
      return [`| ${m.says} | ${count} | ${by || "none"} | ${[...not, ...refused].join(", ") || "none"} |`]
    })
  const blind = figures.flatMap((f) => {
    const seen = new Set(f.mutants.flatMap((x) => x.rows ?? []))
    const rest = f.judged.filter((claim) => !seen.has(claim))
    return rest.length === 0 ? [] : [`- ${code(short(f.figure))}: ${rest.join("; ")}`]
  })
  const judgedRows = figures.reduce((sum, f) => sum + f.judged.length, 0)
  const failing = figures.reduce((sum, f) => sum + f.failing.length, 0)
  return [
    `## ${titles[paper]}`,
    "",
    `Figures: ${figures.map((f) => `${code(short(f.figure))} (${f.judged.length})`).join(", ")}. The number of`,
    `judged rows is in brackets, ${judgedRows} in all. ${plural(failing, "row")} that fail without a mutant are not counted.`,
    "",
    "| Mutant | Rows | Rows that notice, by figure | Figures that do not notice |",
    "|---|---|---|---|",
    ...rows,
    "",
    ...(blind.length === 0
      ? ["Each judged row notices at least one mutant.", ""]
      : ["Rows that none of the mutants in the table fails; others may:", "", ...blind, ""]),
  ]
}

/** Wraps paragraphs and lists at 100 characters; tables stay as they are. */
function wrapped(lines) {
  const out = []
  for (const line of lines) {
    if (line.startsWith("|") || line.length <= 100) {
      out.push(line)
      continue
    }
    const indent = line.startsWith("- ") ? "  " : ""
    let now = ""
    for (const word of line.split(" ")) {
      if (now.length + word.length + 1 > 100 && now.trim() !== "") {
        out.push(now)
        now = indent + word
      } else now = now === "" ? word : `${now} ${word}`
    }
    out.push(now)
  }
  return out
}

export function writePage(root, papers, mutants, read, concerns, about) {
  const all = collect(papers, mutants, read, concerns)
  const ran = all.filter((f) => f.mutants.length > 0).map((f) => f.figure)
  const simulated = papers.filter((f) => (f.quick ?? f.full) !== undefined).map((f) => f.id)
  const rest = simulated.filter((id) => !ran.includes(id))
  const other = papers.map((f) => f.id).filter((id) => !simulated.includes(id) && !ran.includes(id))
  const byPaper = (ids) =>
    Object.keys(titles).flatMap((paper) => {
      const own = ids.filter((id) => id.startsWith(`${paper}/`))
      return own.length === 0 ? [] : [`- ${titles[paper]}: ${own.map((id) => code(short(id))).join(", ")}`]
    })
  const page = [
    "# Mutants of the mechanisms",
    "",
    "A row of a figure is evidence only if it can fail. This page breaks one mechanism at a time, for",
    "example the detection of congestion, and lists the rows that notice. It is generated:",
    "",
    "```text",
    "node scripts/mutants.mjs qos/fig5a     # run one figure with all mutants of its paper",
    "node scripts/mutants.mjs --write       # write this page from the results so far",
    "```",
    "",
    "Each mutant changes keys of the experiments, or one place of the source in a temporary build",
    "(`scripts/mutants/list.mjs`). All figures ran in their quick form. A row *notices* a mutant if it",
    "agrees without it and fails with it. `=` means that no value of the figure changes at all, so the",
    "figure does not exercise the mechanism. The claims are in `docs/recorded/mutants.json`.",
    "Only the mutants in the tables were run: a row that they do not fail may notice another one.",
    "",
    ...Object.keys(titles).flatMap((paper) => section(paper, all, mutants)),
    "## Not run",
    "",
    "These figures with simulations were not run with mutants:",
    "",
    ...byPaper(rest),
    "",
    "These figures and tables need no simulation, and were run with no mutant:",
    "",
    ...byPaper(other),
    "",
  ]
  writeFileSync(
    join(root, "papers/mutants.md"),
    wrapped(page)
      .join("\n")
      .replaceAll(/\n{3,}/g, "\n\n"),
  )
  const record = { ...about, figures: all }
  writeFileSync(join(root, "docs/recorded/mutants.json"), `${JSON.stringify(record, null, 1)}\n`)
}
