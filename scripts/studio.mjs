// Bundles the studio into dist/studio, a static site: a page, a worker for each engine, a desk, and what they load when it is first needed.
//   node scripts/studio.mjs [FOLDER]       dist/studio unless given; src must be compiled into dist before
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"
import { lazyLibrary } from "./lazy-library.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = resolve(process.argv[2] ?? join(root, "dist/studio"))
const library = join(root, "src/library.ts")
const lazy = await lazyLibrary(root, join(root, "dist"))

/** In the engine's worker the library is lazy; the whole one is loaded for parallel programs alone. */
const lazyPlugins = {
  name: "lazy-plugins",
  resolveId(source, importer) {
    if (source === "lacewing:whole-library") return library
    if (source.endsWith("/library.ts") && importer !== undefined) return { id: `${root}src/library.lazy.ts`, moduleSideEffects: true }
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
    // the same program as dist/app
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
// Plot moves lines by half a pixel on coarse screens: figures are the same wherever they are made
await bundle({ desk: "./studio/desk/worker.ts" }, [], { "window.devicePixelRatio": "2" })

const css = readFileSync(join(root, "studio/page/style.css"), "utf8")
writeFileSync(join(folder, "style.css"), css.replace(/\/\*[\s\S]*?\*\//g, "").replace(/\s*\n\s*/g, " "))
writeFileSync(join(folder, "index.html"), readFileSync(join(root, "studio/index.html"), "utf8"))
// figures of papers in their quick form, loaded when somebody asks for them
const { papers } = await import(new URL("../dist/papers/index.js", import.meta.url))
const { standing } = await import(new URL("../dist/papers/judge.js", import.meta.url))
const { readRecorded } = await import(new URL("../dist/papers/record.js", import.meta.url))
const figures = papers
  .filter((p) => p.quick !== undefined)
  .map((p) => {
    const says = standing(p, readRecorded(join(root, "papers"), p.id))?.says ?? "not recorded"
    return { id: p.id, title: p.title, claim: p.claim, says, scaled: p.quick.scaled ?? "", experiments: p.quick.experiments }
  })
writeFileSync(join(folder, "papers.json"), JSON.stringify(figures))
// the experiments of the package, to begin with
const experiments = readdirSync(join(root, "experiments"))
  .filter((name) => existsSync(join(root, "experiments", name, "experiment.yaml")))
  .sort()
const texts = experiments.map((name) => [name, readFileSync(join(root, "experiments", name, "experiment.yaml"), "utf8")])
// the first one as it is planned, so that a page need not wait for that before its first picture
const read = readText(Object.fromEntries(texts)["first-curve"], "first-curve")
const { hash, spec, point, seed } = plan(read.ok).ok.runs[0]
writeFileSync(join(folder, "experiments.json"), JSON.stringify({ texts: Object.fromEntries(texts), first: { hash, spec, point, seed } }))
