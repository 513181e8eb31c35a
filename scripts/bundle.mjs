// Bundles the command line, the programmatic interface and what runs in threads or child processes into dist/app, flat, so that they find each other by
// name beside themselves, together with the packages they use: Node needs about a millisecond for each file, and those packages are some five hundred. A
// run of a third of a second on one worker then takes two thirds of the CPU time. Their licences are written beside them.
//   node scripts/bundle.mjs [FOLDER]       dist/app unless given
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"
import { buildName } from "./model-code.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
/** what runs in a thread or a process of its own; found by its name alone, so no two may have the same */
const threads = [
  "run/worker",
  "run/clocked/teammate",
  "run/packet/member",
  "peers/bench/flit-child",
  "peers/bench/growth-child",
  "peers/bench/check-child",
  "peers/bench/phold-child",
  "peers/bench/parallel-child",
  "peers/bench/workloads-child",
  "peers/codes/codes-child",
]
const input = {
  main: "src/cli/main.ts",
  index: "src/index.ts",
  // one run with threads, for tests: a thread loads one file here and some hundred in dist/run, which takes three times the CPU time
  simulate: "src/run/simulate.ts",
  ...Object.fromEntries(threads.map((file) => [file.slice(file.lastIndexOf("/") + 1), `src/${file}.ts`])),
}
const { optionalDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
// what may be missing: optional packages, and the canvas that linkedom looks for
const absent = [...Object.keys(optionalDependencies), "canvas"]

/** A text with one letter beyond Latin-1, even in a comment, costs V8 two bytes for each of its letters and twice the time to read them. */
const plain = { charset: "ascii", comments: { legal: true, annotation: false, jsdoc: false } }

/** What is loaded together lies in one file: for each one more Node looks up names in folders, up to a millisecond of CPU time in every process and thread. A
 *  module belongs to the first group that names it or something that imports it. `first` is loaded before what was compiled is kept, so it is small; light
 *  commands load no more than the first three. */
const groups = [
  ["first", "run/(messages|compile-here|simulator)", "core/(complaint|control|hash|sha256|canonical|text|units)", "model/host"],
  ["start", "cli/(command|stops)"],
  ["core", "core/", "model/", "experiment/(version|disk/system-error|outside/fault)"],
  ["library", "library", "compile/(compile|clocked/flits)"],
  ["simulator", "run/simulate"],
  ["experiment", "experiment/(plan|read|sense|outside/load)"],
  ["run", "run/execute", "results/"],
].map(([name, ...of], i, all) => ({ name, test: new RegExp(`/src/(${of.join("|")})`), priority: all.length - i }))

/** part of the name of every run, and of the version that is recorded with it */
const define = { LACEWING_BUILD: JSON.stringify(await buildName(root)) }

const folder = resolve(process.argv[2] ?? join(root, "dist/app"))
rmSync(folder, { recursive: true, force: true })
// lacewing/web in one file that imports nothing: a page can load it as it lies there. Plot moves lines by half a pixel on coarse screens: reports are the same
// wherever they are made. Before the others, because who waits for a build looks at main.js.
const web = await rolldown({
  cwd: root,
  input: { web: "src/web.ts" },
  platform: "browser",
  logLevel: "warn",
  transform: { define: { ...define, "window.devicePixelRatio": "2" } },
  optimization: { inlineConst: true },
})
const page = await web.write({ ...plain, dir: folder, format: "esm", entryFileNames: "[name].js" })
await web.close()
const bundle = await rolldown({
  cwd: root,
  input,
  platform: "node",
  external: (id) => isBuiltin(id) || absent.includes(id),
  logLevel: "warn",
  transform: { define },
  // a constant of another file costs a load each time it is read
  optimization: { inlineConst: true },
})
const { output } = await bundle.write({
  ...plain,
  dir: folder,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "[name]-[hash].js",
  codeSplitting: { groups },
})
await bundle.close()
writeFileSync(join(folder, "licences.txt"), licences([...output, ...page.output].flatMap((chunk) => chunk.moduleIds ?? [])))
// npm makes a program executable when it links it, that is once: every later build has to
chmodSync(join(folder, "main.js"), 0o755)

/** The licence of every package that one of these files belongs to. */
function licences(files) {
  const folders = new Set(files.map((file) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file)?.[0]).filter(Boolean))
  return [...folders]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
      const file = readdirSync(folder).find((f) => /^licen[cs]e/i.test(f))
      return `${name} ${version} (${license})\n\n${file === undefined ? "" : readFileSync(join(folder, file), "utf8").trim()}\n`
    })
    .join(`\n${"-".repeat(80)}\n\n`)
}
