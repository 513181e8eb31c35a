// Bundles the command line, the programmatic interface and the code of threads and child processes into the flat folder
// dist/app, together with the packages that they use. Node needs about a millisecond for each file, and those packages
// have about five hundred. With the bundle, a run of a third of a second on one worker takes two thirds of the CPU
// time. The licences of the packages are written to the same folder.
//   node scripts/bundle.mjs [FOLDER]       default: dist/app
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"
import { buildName } from "./model-code.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
/** Entry points of threads and processes. They are found by file name, so the names must be unique. */
const threads = [
  "sweep/worker",
  "run/clocked/clocked-worker",
  "run/packet/member",
  "reproduce/peers/bench/flit-child",
  "reproduce/peers/bench/growth-child",
  "reproduce/peers/bench/check-child",
  "reproduce/peers/bench/phold-child",
  "reproduce/peers/bench/parallel-child",
  "reproduce/peers/bench/workloads-child",
  "reproduce/peers/codes/codes-child",
]
const input = {
  main: "src/cli/main.ts",
  index: "src/index.ts",
  plugin: "src/plugin.ts",
  core: "src/core/index.ts",
  // For tests: one run with threads. A thread loads one file here and about a hundred in dist/run, which takes three
  // times the CPU time.
  simulate: "src/run/simulate.ts",
  ...Object.fromEntries(threads.map((file) => [file.slice(file.lastIndexOf("/") + 1), `src/${file}.ts`])),
}
const { optionalDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
// Packages that may be missing: optional ones, and the canvas that linkedom looks for.
const absent = [...Object.keys(optionalDependencies), "canvas"]

/**
 * Escapes letters beyond Latin-1: a single one, even in a comment, makes V8 store the file with two bytes per letter
 * and doubles the time to read it.
 */
const plain = { charset: "ascii", comments: { legal: true, annotation: false, jsdoc: false } }

/**
 * A release is without spaces and with short names of variables, which halves the package. The names of functions stay,
 * because they are in the stack of an error. The statements stay, too, so that the machine code is the same.
 */
const release = process.env["LACEWING_RELEASE"] === "1"
const names = { function: true, class: true }
const small = { minify: { mangle: { keepNames: names }, compress: false, codegen: { removeWhitespace: true } } }
const form = release ? { ...plain, ...small } : plain

/**
 * Modules that are loaded together are in one file, because Node resolves each further file in up to a millisecond of
 * CPU time, in every process and thread. A module belongs to the first group that names it or one of its importers.
 * `first` is loaded before the compile cache is enabled, so it is small. Light commands load only the first three.
 */
const groups = [
  [
    "first",
    "run/compile-here",
    "sweep/(messages|simulator)",
    "core/(complaint|control|hash|sha256|canonical|text|units)",
    "model/host",
  ],
  ["start", "cli/(command|stops)"],
  ["core", "core/", "model/", "experiment/(version|disk/system-error|outside/fault)"],
  ["library", "library", "compile/(compile|clocked/flits)"],
  ["simulator", "run/simulate"],
  ["experiment", "experiment/(plan|read|cross-checks|outside/load)"],
  ["run", "sweep/execute", "results/"],
].map(([name, ...of], i, all) => ({ name, test: new RegExp(`/src/(${of.join("|")})`), priority: all.length - i }))

/** Part of the name of every run, and of the recorded version. */
const define = { LACEWING_BUILD: JSON.stringify(await buildName(root)) }

const folder = resolve(process.argv[2] ?? join(root, "dist/app"))
rmSync(folder, { recursive: true, force: true })
// lacewing/web is one file without imports, so that a page can load it directly. Plot shifts lines by half a pixel on
// coarse screens; a fixed value makes reports equal everywhere. It is written before the others, because programs that
// wait for a build watch main.js.
const web = await rolldown({
  cwd: root,
  input: { web: "src/web.ts" },
  platform: "browser",
  logLevel: "warn",
  transform: { define: { ...define, "window.devicePixelRatio": "2" } },
  optimization: { inlineConst: true },
})
const page = await web.write({ ...plain, minify: release, dir: folder, format: "esm", entryFileNames: "[name].js" })
await web.close()
const bundle = await rolldown({
  cwd: root,
  input,
  platform: "node",
  external: (id) => isBuiltin(id) || absent.includes(id),
  logLevel: "warn",
  transform: { define },
  // A constant from another file costs a load at each access, so constants are inlined.
  optimization: { inlineConst: true },
})
const { output } = await bundle.write({
  ...form,
  dir: folder,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "[name]-[hash].js",
  codeSplitting: { groups },
})
await bundle.close()
writeFileSync(
  join(folder, "licences.txt"),
  licences([...output, ...page.output].flatMap((chunk) => chunk.moduleIds ?? [])),
)
// npm makes a program executable only when it links it, once. Later builds must do it themselves.
chmodSync(join(folder, "main.js"), 0o755)

/** Returns the licence of every package to which one of these files belongs. */
function licences(files) {
  const folders = new Set(
    files.map((file) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file)?.[0]).filter(Boolean),
  )
  return [...folders]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
      const file = readdirSync(folder).find((f) => /^licen[cs]e/i.test(f))
      return (
        `${name} ${version} (${license})\n` +
        `\n` +
        `${file === undefined ? "" : readFileSync(join(folder, file), "utf8").trim()}\n`
      )
    })
    .join(`\n${"-".repeat(80)}\n\n`)
}
