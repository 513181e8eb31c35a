// npm run manual: writes the manual as static pages to dist/manual, from dist/manual-pages, docs/ and recorded results.
//   node scripts/manual.mjs [--out FOLDER]   writes the pages
//   node scripts/manual.mjs --run [WHAT...]  first runs the tutorial, the experiments that pages run and the suites of
//                                            `validate` (or only those named), and stores their output in docs/recorded/
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { Command } from "commander"
import { commands } from "../dist/cli/commands.js"
import { laidOut } from "../dist/cli/help.js"
import { Catalog } from "../dist/experiment/catalog.js"
import { essays } from "../dist/inspect/glossary/essays.js"
import { experimentsExplained } from "../dist/manual-pages/experiments.js"
import { siteOf } from "../dist/manual-pages/site.js"
import { validationBody } from "../dist/reproduce/manual/validation.js"
import { papers } from "../dist/reproduce/papers/index.js"
import { readRecorded } from "../dist/reproduce/papers/record.js"
import { keptOutput, keptValidations, runAll } from "./manual/kept.mjs"
import { markdown } from "./manual/markdown.mjs"
import { studioLinks } from "./manual/studio.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const args = process.argv.slice(2)
const out = resolve(args.includes("--out") ? args[args.indexOf("--out") + 1] : join(root, "dist/manual"))
const { version, files: published } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
if (args.includes("--run")) {
  const rest = args.slice(args.indexOf("--run") + 1)
  await runAll(root, version, rest.slice(0, rest.findIndex((a) => a.startsWith("--")) >>> 0))
}

const io = { out() {}, err() {}, raw() {}, paint: undefined, live: false, width: 100 }
const helps = []
for (const { name, about, load } of commands.filter((c) => c.hidden !== true)) {
  const command = laidOut(new Command("lacewing"), 100).command(name).description(about)
  ;(await load()).default(command, io)
  let text = ""
  command.configureOutput({ writeOut: (s) => (text += s) }).outputHelp()
  helps.push({ name, about, help: text.trimEnd() })
}

const read = (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined)
/** Dated logs (`log/`) and pictures of the studio are in the repository and not in the package. */
const inRelease = process.env["LACEWING_RELEASE"] === "1"
const packed = (path) =>
  published.some((p) => path === p || path.startsWith(`${p}/`)) &&
  !path.startsWith("dist/") &&
  !/(^|\/)log(\/|$)/.test(path) &&
  !(inRelease && path.startsWith("docs/images/studio-")) &&
  existsSync(join(root, path))
/** The reports on papers. Other pages that discuss rows of a paper follow them. */
const discussed = {
  cbcm: ["docs/guide/congestion-control.md"],
  fbicm: ["docs/guide/congestion-isolation.md"],
}
const paperPage = (name) => {
  const texts = [`papers/${name}/README.md`, ...(discussed[name] ?? [])].filter((path) => read(path) !== undefined)
  const page = essays.find((e) => e.file === texts[0])
  return page === undefined
    ? undefined
    : { file: `${page.word}.html`, title: page.title, text: texts.map(read).join("\n") }
}
const catalog = new Catalog()
const experiments = experimentsExplained(root)
const links = await studioLinks(
  root,
  catalog,
  experiments.map((e) => e.key),
)
const site = siteOf({
  catalog,
  commands: helps,
  experiments,
  version,
  read,
  packed,
  fragments: readdirSync(join(root, "changes")).map((file) => ({ file, text: read(`changes/${file}`) })),
  markdown,
  keptOutput: (command) => keptOutput(root, command),
  validation: validationBody(keptValidations(root), {
    figures: papers,
    recorded: (id) => readRecorded(join(root, "papers"), id),
    page: paperPage,
  }),
  studio: (what) => links.get(what),
})
// the new manual replaces the old one in one step, so that a reader never finds half of it
const fresh = `${out}.${process.pid}`
mkdirSync(fresh, { recursive: true })
for (const [file, text] of site) writeFileSync(join(fresh, file), text)
rmSync(out, { recursive: true, force: true })
renameSync(fresh, out)
console.log(`${site.size} files in ${out}`)
