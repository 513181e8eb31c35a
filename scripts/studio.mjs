// Bundles the studio into dist/studio, a static site: a page, a worker for each engine, a planner, and parts that are
// loaded on demand.
//   node scripts/studio.mjs [FOLDER]       default: dist/studio; src must be compiled into dist before
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"
import { lazyLibrary } from "./lazy-library.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = resolve(process.argv[2] ?? join(root, "dist/studio"))
const library = join(root, "src/library.ts")
const lazy = await lazyLibrary(join(root, "dist"))

/** In the worker of an engine the library is lazy; the complete one is loaded only for parallel programs. */
const lazyPlugins = {
  name: "lazy-plugins",
  resolveId(source, importer) {
    if (source === "lacewing:whole-library") return library
    if (source.endsWith("/library.ts") && importer !== undefined)
      return { id: `${root}src/library.lazy.ts`, moduleSideEffects: true }
    if (source === "./plugins.ts" && importer?.endsWith("studio/engine/open.ts")) return `${root}src/library.lazy.ts`
    return null
  },
  load(id) {
    return id === `${root}src/library.lazy.ts` ? lazy : null
  },
}

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })

const { buildVersion, plan, readText } = await import(new URL("../dist/app/web.js", import.meta.url))

// Plot shifts lines by half a pixel on coarse screens. A fixed value makes figures equal on all machines.
const settings = (draws) => ({
  cwd: root,
  platform: "browser",
  logLevel: "warn",
  // The same program as dist/app.
  transform: {
    define: {
      LACEWING_BUILD: JSON.stringify(buildVersion.split("+")[1] ?? ""),
      ...(draws ? { "window.devicePixelRatio": "2" } : {}),
    },
  },
  optimization: { inlineConst: true },
})

async function bundle(input, plugins = []) {
  const made = await rolldown({ ...settings("planner" in input), input, plugins })
  await made.write({
    dir: folder,
    format: "esm",
    minify: true,
    entryFileNames: "[name].js",
    chunkFileNames: `${Object.keys(input)[0]}/[name]-[hash].js`,
  })
  await made.close()
}

await bundle({ page: "./studio/page/main.ts" })
await bundle({ engine: "./studio/engine/worker.ts" }, [lazyPlugins])
await bundle({ planner: "./studio/planner/worker.ts" })

const css = readFileSync(join(root, "studio/page/style.css"), "utf8")
writeFileSync(join(folder, "style.css"), css.replace(/\/\*[\s\S]*?\*\//g, "").replace(/\s*\n\s*/g, " "))
// Figures of papers in their quick mode, loaded on demand.
const { papers } = await import(new URL("../dist/reproduce/papers/index.js", import.meta.url))
const { standing } = await import(new URL("../dist/reproduce/papers/judge.js", import.meta.url))
const { readRecorded } = await import(new URL("../dist/reproduce/papers/record.js", import.meta.url))
const figures = papers
  .filter((p) => p.quick !== undefined)
  .map((p) => {
    const says = standing(p, readRecorded(join(root, "papers"), p.id))?.says ?? "not recorded"
    return {
      id: p.id,
      title: p.title,
      claim: p.claim,
      says,
      scaled: p.quick.scaled ?? "",
      experiments: p.quick.experiments,
    }
  })
writeFileSync(join(folder, "papers.json"), JSON.stringify(figures))
// The experiments of the package.
const experiments = readdirSync(join(root, "experiments"))
  .filter((name) => existsSync(join(root, "experiments", name, "experiment.yaml")))
  .sort()
const texts = experiments.map((name) => [
  name,
  readFileSync(join(root, "experiments", name, "experiment.yaml"), "utf8"),
])
writeFileSync(join(folder, "experiments.json"), JSON.stringify({ texts: Object.fromEntries(texts) }))
// The stories are planned at build time, so that the page shows its first picture sooner.
const sets = JSON.parse(readFileSync(join(root, "studio/stories/stories.json"), "utf8"))
const stories = Object.fromEntries(
  Object.entries(sets).map(([name, set]) => {
    const text = readFileSync(join(root, "studio/stories", `${name}.yaml`), "utf8")
    const read = readText(text, `${name}.yaml`)
    const planned = (changes) => {
      const { hash, spec, point, seed } = plan(read.ok, { set: changes }).ok.runs[0]
      return { hash, spec, point, seed }
    }
    return [name, { text, set, a: planned([]), b: planned(set) }]
  }),
)
writeFileSync(join(folder, "stories.json"), JSON.stringify(stories))
await singlePage()
// The page is written last: whoever finds it finds a complete site.
writeFileSync(join(folder, "index.html"), readFileSync(join(root, "studio/index.html"), "utf8"))

/**
 * Writes single.html: the page with its workers and data inside, for a file that opens without a server. The command
 * line and the page insert an experiment or a link.
 */
async function singlePage() {
  const read = (name) => readFileSync(join(folder, name), "utf8")
  const html = readFileSync(join(root, "studio/index.html"), "utf8")
  const parts = ["stories.json", "experiments.json"].map((name) => data(name, "application/json", read(name)))
  parts.push(data("given.json", "application/json", "{}"))
  for (const [name, input] of Object.entries({
    engine: "./studio/engine/worker.ts",
    planner: "./studio/planner/worker.ts",
  })) {
    const made = await rolldown({ ...settings(name === "planner"), input: { [name]: input } })
    const { output } = await made.generate({ format: "iife", minify: true, codeSplitting: false })
    await made.close()
    parts.push(script(`text/plain" data-file="${name}.js`, output[0].code))
  }
  writeFileSync(
    join(folder, "single.html"),
    html
      .replace(/<link rel="stylesheet".*/, () => `<style>${read("style.css")}</style>\n${parts.join("\n")}`)
      .replace(/<script type="module" src.*/, () => script("module", read("page.js"))),
  )
}

/** Returns code as an element. The archive of the package compresses it well, because the site has the same code. */
function script(type, code) {
  return `<script type="${type}">${code.replaceAll("</script", "<\\/script").replaceAll("<!--", "\\x3c!--")}</script>`
}

function data(name, type, text) {
  return `<script type="${type}" data-file="${name}">${text.replaceAll("<", "\\u003c")}</script>`
}
