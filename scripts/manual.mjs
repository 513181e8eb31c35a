// npm run manual: the manual as static pages in dist/manual, from dist/pages, docs/ and what was recorded.
//   node scripts/manual.mjs [--out FOLDER]   writes the pages
//   node scripts/manual.mjs --run [WHAT...]  first runs the tutorial, the experiments that pages run and the suites of `validate`
//                                            in full (or those that are named), and keeps what they print under docs/kept/
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { Command } from "commander"
import { commands } from "../dist/cli/commands.js"
import { Catalog } from "../dist/experiment/catalog.js"
import { experimentsExplained } from "../dist/pages/experiments.js"
import { siteOf } from "../dist/pages/site.js"
import { papers } from "../dist/papers/index.js"
import { readRecorded } from "../dist/papers/record.js"
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
for (const { name, about, load } of commands) {
  const command = new Command("lacewing").command(name).description(about).configureHelp({ helpWidth: 100 })
  ;(await load()).default(command, io)
  let text = ""
  command.configureOutput({ writeOut: (s) => (text += s) }).outputHelp()
  helps.push({ name, about, help: text.trimEnd() })
}

const read = (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined)
const packed = (path) =>
  published.some((p) => path === p || path.startsWith(`${p}/`)) && !path.startsWith("dist/") && existsSync(join(root, path))
/** the page that discusses a paper, and where its rows are spoken of */
const pages = {
  stashing: ["stashing.html", "docs/stashing.md"],
  cbcm: ["congestion-protocols.html", "docs/congestion.md"],
  fbicm: ["isolation.html", "docs/isolation.md"],
  qos: ["service.html", "docs/qos.md"],
  fitfly: ["parallel.html", "docs/parallel.md", "docs/workloads.md"],
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
  kept: keptValidations(root),
  keptOutput: (command) => keptOutput(root, command),
  papers: {
    figures: papers,
    recorded: (id) => readRecorded(join(root, "papers"), id),
    page: (name) => {
      const [file, ...texts] = pages[name] ?? []
      return file === undefined ? undefined : { file, text: texts.map(read).join("\n") }
    },
    gallery: "../../papers/index.html",
  },
  studio: (what) => links.get(what),
})
// whoever reads finds the old manual or the new one
const fresh = `${out}.${process.pid}`
mkdirSync(fresh, { recursive: true })
for (const [file, text] of site) writeFileSync(join(fresh, file), text)
rmSync(out, { recursive: true, force: true })
renameSync(fresh, out)
console.log(`${site.size} files in ${out}`)
