// The tests in tiers. Each step says what it is, how long it took and how much CPU time it used. The first failure
// ends the run, and the last lines say how it ended.
//   npm test                      types, build if needed, lint, prose, and the first tier
//   npm run test:all              the same and the second tier; with -- --rest only the second tier
//   npm run test:long             the third tier: takes hours
//   npm run test:times            all test files; records their CPU times in test/times.json
//   npm run test:random           the property tests, with cases that are drawn anew (else their seed is fixed)
// Further arguments go to Vitest, which then chooses among all files: npm test -- src/core. No tier installs anything:
// tests that need a missing browser are skipped. Tests that stand still (no CPU use of any of their processes for 120
// s) are ended, with the names of the files that run and where their threads wait.
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { childrenCpu } from "./support/cpu.mjs"
import { compare, readLog, readTimes, writeTimes } from "./support/times.mjs"
import { runWatched } from "./support/watched.mjs"
import { long, propertyTests } from "./tiers.mjs"

const tiers = ["first", "all", "long", "times", "random"]
const [tier = "first", ...words] = process.argv.slice(2)
if (!tiers.includes(tier) || !existsSync("package.json")) {
  console.error(`usage, in the root of the repository: node test/run.mjs ${tiers.join("|")} [--rest] [ARGUMENTS]`)
  process.exit(2)
}
if (!existsSync("node_modules/vitest")) {
  console.error("FAILED: the packages are not installed; run: npm ci && npm test")
  process.exit(1)
}
const rest = words.includes("--rest")
const args = words.filter((word) => word !== "--rest")

const begun = Date.now()
const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`
const done = []

function fail(message) {
  console.log(`\n${done.join(", ")}`)
  console.log(`FAILED at: ${message}`)
  process.exit(1)
}

/** Runs Node with these arguments; a failure ends everything. */
async function step(name, words, env = {}) {
  const [start, cpu] = [Date.now(), childrenCpu()]
  console.log(`\n== ${name}`)
  const { status, signal, error } = await runWatched(process.execPath, words, { env: { ...process.env, ...env } })
  done.push(`${name} ${seconds(Date.now() - start)} (CPU ${seconds(childrenCpu() - cpu)})`)
  if (status !== 0) fail(`${name} (${error?.message ?? signal ?? `exit code ${status}`}); its messages are above`)
}

const reporters = ["--reporter=default", "--reporter=./test/support/running.mjs"]
const folder = mkdtempSync(join(tmpdir(), "lacewing-times-"))
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))

/** Runs test files. Returns file -> CPU seconds. */
async function tests(name, which, words, more = {}) {
  const log = join(folder, "log")
  const env = { LACEWING_TIER: which, LACEWING_TIMES: log, ...more }
  await step(name, ["node_modules/vitest/vitest.mjs", "run", ...reporters, ...words], env)
  return readLog(log)
}

/** How often a file that uses more than double its recorded CPU time is run again, alone; its least time counts. */
const CHANCES = 2

/** Reports files that use more than double their recorded CPU time. */
async function checkTimes(used) {
  const { files } = readTimes()
  const { factor, slow, unknown } = compare(used, files)
  const total = Object.values(used).reduce((a, b) => a + b, 0)
  console.log(
    `\nCPU time of the test files: ${seconds(1000 * total)}, ` +
      (factor === undefined ? "too few recorded files to compare" : `${factor.toFixed(2)} times the recorded one`),
  )
  if (unknown.length > 0)
    console.log(`Without a recorded time (npm run test:times -- FILE records it): ${unknown.join(", ")}`)
  const least = { ...used }
  let left = slow
  for (let chance = 0; chance < CHANCES && left.length > 0; chance++) {
    for (const [file, time] of Object.entries(await tests("slow files again", "all", left)))
      least[file] = Math.min(least[file] ?? time, time)
    // The median of the whole run stays the measure.
    left = left.filter((file) => compare({ ...used, [file]: least[file] }, files).slow.includes(file))
  }
  const lines = left.map((file) => `${file}: ${least[file].toFixed(1)} s, recorded ${files[file]} s`)
  if (left.length > 0) fail(`CPU time; these files use more than double:\n${lines.join("\n")}`)
}

const checked = !rest && (tier === "first" || tier === "all")
if (checked) await step("type check", ["node_modules/typescript/bin/tsc", "-p", "tsconfig.json"])
await step("build", ["scripts/build.mjs", "--if-needed"])
if (checked) {
  await step("lint", ["node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", "."])
  await step("prose", ["scripts/prose.mjs"])
}
const { findBrowser, findFirefox } = await import("../dist/run/doctor.js")
const missing = [
  ...(findBrowser(process.env) === undefined ? ["Chromium"] : []),
  ...(findFirefox(process.env) === undefined && tier !== "first" ? ["Firefox"] : []),
]
const skips = missing.map(
  (name) => `NO ${name.toUpperCase()}: the tests that need it are SKIPPED; npm run browsers installs it`,
)
for (const line of skips) console.log(`\n${line}`)
if (tier === "long") for (const [name, words, env] of long) await step(name, words, env)
else if (tier === "random") {
  const chosen = args.length > 0 ? args : propertyTests()
  await tests("property tests, drawn anew", "all", chosen, { LACEWING_SEED: "random" })
} else {
  const which = args.length > 0 ? "all" : rest ? "rest" : tier === "first" ? "first" : "all"
  const used = await tests("tests", which, args)
  if (tier === "times") writeTimes(used, args.length > 0)
  else await checkTimes(used)
}
console.log(`\n${done.join(", ")}`)
for (const line of skips) console.log(line)
console.log(`PASSED in ${seconds(Date.now() - begun)}; what that does not prove: test/README.md`)
