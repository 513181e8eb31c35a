// npm run release: makes a release of a clean checkout. It moves the fragments of changes/ to CHANGELOG.md, raises the
// version wherever it is written, commits both and tags the commit. It neither pushes nor publishes.
//   npm run release -- VERSION [--dry-run]      --dry-run: only prints what would change
//   --date YYYY-MM-DD    default: today         --root FOLDER    another checkout, for tests
import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { parseArgs } from "node:util"

const FRAGMENT = /^(\d{4})-(.+)\.md$/
const VERSION = /^(\d+)\.(\d+)\.(\d+)$/

/** Returns true if version a is above version b. */
export function isAbove(a, b) {
  const [x, y] = [a, b].map((v) => VERSION.exec(v)?.slice(1).map(Number))
  if (x === undefined || y === undefined) return false
  const at = x.findIndex((n, i) => n !== y[i])
  return at >= 0 && x[at] > y[at]
}

/**
 * Returns CHANGELOG.md with the fragments in the section of this version. A section "(in preparation)" is completed;
 * otherwise a new section goes above all others. `fragments`: [{ file, text }].
 */
export function withFragments(log, fragments, version, date) {
  const entries = [...fragments]
    .sort((a, b) => (a.file < b.file ? -1 : 1))
    .map(({ file, text }) => `#### ${titleOf(file)}\n\n${text.trim().replace(/^(#+) /gm, "####$1 ")}\n`)
  const details = entries.length === 0 ? "" : `### Changes one by one\n\n${entries.join("\n")}`
  const [head, ...sections] = log.split(/^(?=## )/m)
  const own = sections.findIndex((s) => s.startsWith(`## ${version} (in preparation)`))
  const prepared = own < 0 ? "" : sections[own].slice(sections[own].indexOf("\n"))
  const parts = [`## ${version} (${date})`, prepared.trim(), details.trim()].filter((part) => part !== "")
  const others = sections.filter((_, i) => i !== own)
  return `${[head, `${parts.join("\n\n")}\n\n`, ...others].join("").trimEnd()}\n`
}

/** Returns a title: `0046-congestion-arena.md` -> `46. Congestion arena` */
function titleOf(file) {
  const [, number, words] = FRAGMENT.exec(file)
  const text = words.replaceAll("-", " ")
  return `${Number(number)}. ${text[0].toUpperCase()}${text.slice(1)}`
}

/** The places of the version: how each file reads with the next one. */
const places = {
  "package.json": (text, _, next) => text.replace(/("version": )"[^"]+"/, `$1"${next}"`),
  // The first two are those of the package, the others those of its dependencies.
  "package-lock.json": (text, now, next) => {
    const parts = text.split(`"version": "${now}"`)
    return [parts.slice(0, 3).join(`"version": "${next}"`), ...parts.slice(3)].join(`"version": "${now}"`)
  },
  "CITATION.cff": (text, _, next, date) =>
    `${text
      .replace(/^date-released: .*\n/m, "")
      .trimEnd()
      .replace(/^version: .*$/m, `version: ${next}\ndate-released: ${date}`)}\n`,
  // Recorded with each run, and compared with package.json by a test.
  "src/experiment/identity/version.ts": (text, _, next) => text.replace(/(packageVersion = )"[^"]+"/, `$1"${next}"`),
}

/** Returns what a release changes in a checkout: file -> text, or null for a file that it removes. */
export function changesOf(root, next, date) {
  const read = (file) => readFileSync(join(root, file), "utf8")
  const now = JSON.parse(read("package.json")).version
  const fragments = readdirSync(join(root, "changes"))
    .filter((file) => FRAGMENT.test(file))
    .map((file) => ({ file, text: read(`changes/${file}`) }))
  return {
    "CHANGELOG.md": withFragments(read("CHANGELOG.md"), fragments, next, date),
    ...Object.fromEntries(Object.entries(places).map(([file, raised]) => [file, raised(read(file), now, next, date)])),
    ...Object.fromEntries(fragments.map(({ file }) => [`changes/${file}`, null])),
  }
}

function release(root, next, date, dry) {
  const git = (...args) => {
    const { status, stdout, stderr } = spawnSync("git", args, { cwd: root, encoding: "utf8" })
    if (status !== 0) throw new Error(`git ${args[0]}: ${stderr.trim()}`)
    return stdout.trim()
  }
  const now = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version
  if (!VERSION.test(next)) throw new Error(`"${next}" is no version. Write three numbers, for example 0.2.0.`)
  if (!isAbove(next, now)) throw new Error(`${next} is not above the present version ${now}.`)
  if (git("tag", "--list", `v${next}`) !== "") throw new Error(`The tag v${next} exists. Choose a higher version.`)
  if (git("status", "--porcelain") !== "") throw new Error("The checkout has uncommitted changes. Commit them first.")
  const changes = changesOf(root, next, date)
  for (const [file, text] of Object.entries(changes)) console.log(`${text === null ? "remove" : "write "} ${file}`)
  if (dry) return console.log(`dry run: version ${now} would become ${next}`)
  for (const [file, text] of Object.entries(changes))
    if (text === null) rmSync(join(root, file))
    else writeFileSync(join(root, file), text)
  git("add", "--all")
  git("commit", "--quiet", "--message", `release: ${next}`, "--message", "The fragments are in CHANGELOG.md.")
  git("tag", "--annotate", `v${next}`, "--message", `lacewing ${next}`)
  console.log(`tagged v${next}; next: npm test, git push --follow-tags, npm publish`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const text = { type: "string" }
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { "dry-run": { type: "boolean", default: false }, date: text, root: text },
  })
  const root = resolve(values.root ?? fileURLToPath(new URL("..", import.meta.url)))
  try {
    release(root, positionals[0] ?? "", values.date ?? new Date().toISOString().slice(0, 10), values["dry-run"])
  } catch (e) {
    console.error(`release: ${e.message}`)
    process.exitCode = 1
  }
}
