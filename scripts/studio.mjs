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

async function bundle(input, plugins = [], define = {}) {
  const made = await rolldown({
    cwd: root,
    input,
    platform: "browser",
    logLevel: "warn",
    plugins,
    // The same program as dist/app.
    transform: { define: { LACEWING_BUILD: JSON.stringify(buildVersion.split("+")[1] ?? ""), ...define } },
    optimization: { inlineConst: true },
  })
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
// Plot shifts lines by half a pixel on coarse screens. A fixed value makes figures equal on all machines.
await bundle({ planner: "./studio/planner/worker.ts" }, [], { "window.devicePixelRatio": "2" })

const css = readFileSync(join(root, "studio/page/style.css"), "utf8")
writeFileSync(join(folder, "style.css"), css.replace(/\/\*[\s\S]*?\*\//g, "").replace(/\s*\n\s*/g, " "))
// Figures of papers in their quick mode, loaded on demand.
const { papers } = await import(new URL("../dist/papers/index.js", import.meta.url))
const { standing } = await import(new URL("../dist/papers/judge.js", import.meta.url))
const { readRecorded } = await import(new URL("../dist/papers/record.js", import.meta.url))
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
// The first experiment is planned at build time, so that the page can show its first picture sooner.
const read = readText(Object.fromEntries(texts)["first-curve"], "first-curve")
const { hash, spec, point, seed } = plan(read.ok).ok.runs[0]
writeFileSync(
  join(folder, "experiments.json"),
  JSON.stringify({ texts: Object.fromEntries(texts), first: { hash, spec, point, seed } }),
)
// The page is written last: whoever finds it finds a complete site.
writeFileSync(join(folder, "index.html"), readFileSync(join(root, "studio/index.html"), "utf8"))
