// What is written is run: the commands that README, CONTRIBUTING, docs/ and the experiments' READMEs show are executed,
// their output is compared, their YAML is checked and their JavaScript runs. Long commands are not run to their end,
// but their arguments are checked.
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { main } from "../src/cli/program.ts"
import { Catalog } from "../src/experiment/catalog.ts"
import { essays } from "../src/inspect/glossary/essays.ts"
import type { Kind } from "../src/model/plugin.ts"
import { papers } from "../src/reproduce/papers/index.ts"
import { standing } from "../src/reproduce/papers/judge.ts"
import { wordOf } from "../src/reproduce/papers/paper.ts"
import { readRecorded } from "../src/reproduce/papers/record.ts"
import type { Validation } from "../src/reproduce/peers/validate/rows.ts"
import { plainPaint } from "../src/terminal/paint.ts"
import { blocksOf, missing, type Step, stepsOf, words } from "./support/blocks.ts"
import { built, install, root } from "./support/build.ts"

const folders = readdirSync(join(root, "experiments"))
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "test/README.md",
  // the tutorial is run step by step by package.test.ts
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((f) => f.endsWith(".md") && !f.endsWith("tutorial.md"))
    .map((f) => `docs/${f}`),
  ...folders.map((name) => `experiments/${name}/README.md`),
].map((name) => blocksOf(join(root, name), name))
const blocks = pages.flat()
const steps = blocks.filter((b) => b.language === "sh" || b.language === "console").flatMap(stepsOf)
const ours = steps.filter((s) => s.command.startsWith("npx lacewing "))

/** Answers within seconds, so it is run as it stands. */
const cheap = new Set([
  "list",
  "check",
  "explain",
  "topology",
  "cost",
  "qos",
  "route",
  "contract",
  "doctor",
  "schema",
  "--help",
  "--version",
])
/** Everything else that a page may show: what npm and scripts do is tested elsewhere. */
const elsewhere =
  /^(npm ci && npm (start|test)|npm (start|test|run [\w:]+)( .*)?|npx (vitest|biome|tsc) .*|node (scripts|bench)\/.*|bash \.ci\/run)$/

let scratch = ""
/** Blocks that begin with the name of a file: they are written, and commands that name them run beside them. */
const files = blocks.flatMap((b) => {
  const name = /^(?:\/\/|#) (\S+\.(?:mjs|yaml))$/.exec(b.lines[0] ?? "")?.[1]
  return name === undefined ? [] : [{ name, block: b }]
})
const dist = (file: string) => JSON.stringify(pathToFileURL(join(root, "dist", file)).href)
/** The package by its place, for code that is not run from the folder in which it is installed. */
const placed = (text: string) =>
  text
    .replaceAll('"lacewing"', dist("app/index.js"))
    .replaceAll('"lacewing/core"', dist("core/index.js"))
    .replaceAll('"lacewing/web"', dist("app/web.js"))

beforeAll(() => {
  built()
  scratch = mkdtempSync(join(tmpdir(), "lacewing-docs-"))
  install(scratch)
  for (const { name, block } of files) writeFileSync(join(scratch, name), block.lines.join("\n"))
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

interface Said {
  readonly status: number | null
  readonly text: string
}

/** A command in the folder that this process is in, and so without a process of its own; each is run once, however many
 *  pages show it. */
const said = new Map<string, Promise<Said>>()
function lacewing(args: readonly string[]): Promise<Said> {
  const key = args.join("\n")
  const known = said.get(key) ?? here(args)
  said.set(key, known)
  return known
}

async function here(args: readonly string[]): Promise<Said> {
  let text = ""
  const say = (line: string) => void (text += `${line}\n`)
  const status = await main([...args], {
    out: say,
    err: say,
    raw: (t) => void (text += t),
    paint: plainPaint,
    live: false,
    width: 100,
  })
  return { status, text }
}

function execute(args: readonly string[], cwd = root): Promise<Said> {
  return new Promise((done) => {
    const child = spawn(process.execPath, args, { cwd, env: { ...process.env, NO_COLOR: "1", COLUMNS: "120" } })
    let text = ""
    child.stdout.on("data", (data) => (text += data))
    child.stderr.on("data", (data) => (text += data))
    child.on("close", (status) => done({ status, text }))
  })
}

/** What is really executed for a command of a page, and which exit codes are right. */
function really(s: Step): { args: string[]; codes: readonly number[] } {
  const [name = "", ...rest] = words(s.command.slice("npx lacewing ".length))
  // a check of an experiment that is meant to deadlock refuses it
  if (name === "check") return { args: [name, ...rest], codes: rest[0]?.endsWith("deadlock") === true ? [2] : [0] }
  if (cheap.has(name)) return { args: [name, ...rest], codes: [0] }
  if (name === "run") return { args: [name, ...rest, "--dry-run", "--out", join(scratch, "none")], codes: [0] }
  return { args: [name, "--help"], codes: [0] }
}

test("the README shows the two commands, and the pages show enough to run", () => {
  const text = readFileSync(join(root, "README.md"), "utf8")
  expect(text).toContain("npm ci && npm start")
  expect(text).toContain("npm ci && npm test")
  expect(ours.length).toBeGreaterThan(8)
})

test("the README fits on two screens, and its pictures are small", () => {
  expect(statSync(join(root, "README.md")).size).toBeLessThanOrEqual(6500)
  for (const name of ["report", "studio"])
    expect(statSync(join(root, `docs/images/${name}.png`)).size).toBeLessThanOrEqual(200_000)
})

test("the README states the recorded numbers", () => {
  const text = readFileSync(join(root, "README.md"), "utf8")
  const counted = (suite: string) => {
    const { rows } = JSON.parse(readFileSync(join(root, `docs/recorded/validate-${suite}.json`), "utf8"))
      .validation as Validation
    const agree = rows.filter((r) => r.pass === true).length
    return `${agree} of ${agree + rows.filter((r) => r.pass === false).length} values`
  }
  expect(text).toContain(`| CODES | ${counted("codes")} within`)
  expect(text).toContain(`| LogGOPSim and LogGOPS formulas | ${counted("loggops")} |`)
  const rows = papers.flatMap((figure) => standing(figure, readRecorded(join(root, "papers"), figure.id))?.rows ?? [])
  const count = (word: string) => rows.filter((r) => wordOf(r) === word).length
  expect(text).toContain(
    `| ${["agrees", "fails", "open", "unchecked"].reduce((n, word) => n + count(word), 0)} values of five papers | ` +
      `${count("agrees")} agree, ${count("fails")} do not, ${count("open")} are within the noise, ` +
      `${count("unchecked")} were not checked`,
  )
  expect(text).toContain(`${papers.length} figures and tables of five papers`)
  const catalog = new Catalog()
  const have = (kind: Kind) => catalog.family(kind).length
  expect(text.replace(/\s+/g, " ")).toContain(
    `${have("topology")} topologies, ${have("routing")} routings, ${have("switch")} ` +
      `switch models and ${have("pattern")} traffic patterns`,
  )
})

test("the table of contents links to every page of the guide, the model and the papers", () => {
  const text = readFileSync(join(root, "docs/index.md"), "utf8")
  const linked = new Set([...text.matchAll(/\]\(([^)#\s]+)/g)].map((m) => join("docs", m[1])))
  const pages = essays.flatMap((e) =>
    e.file !== undefined && e.part !== "architecture" && e.part !== "project" ? [e.file] : [],
  )
  expect(pages.length).toBeGreaterThan(30)
  expect(pages.filter((file) => !linked.has(file))).toEqual([])
})

test("every page of the guide starts with text and has an example in its first 30 lines", () => {
  const guide = readdirSync(join(root, "docs/guide")).filter((f) => f.endsWith(".md"))
  const without = guide.filter((f) => {
    const lines = readFileSync(join(root, "docs/guide", f), "utf8").split("\n")
    return !/^[\w`*[]/.test(lines[2] ?? "") || !lines.slice(0, 30).some((l) => /^```\w/.test(l))
  })
  expect(without).toEqual([])
})

test("a file that a page names in the text is there", () => {
  const named = [
    "README.md",
    "CONTRIBUTING.md",
    "test/README.md",
    "bench/README.md",
    ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
      .filter((f) => f.endsWith(".md"))
      .map((f) => `docs/${f}`),
  ].flatMap((page) =>
    [...readFileSync(join(root, page), "utf8").matchAll(/`([^`\n]+)`/g)]
      .flatMap((m) => m[1]!.split(/[\s,;:]+/))
      .filter(
        (word) =>
          /^(src|test|docs|bench|scripts|changes|experiments|papers)\/[\w./-]+$/.test(word) &&
          !/[A-Z]{3}/.test(word.replace("README", "")),
      )
      .map((word) => ({ page, word })),
  )
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter(({ word }) => !existsSync(join(root, word))).map(({ page, word }) => `${page}: ${word}`)).toEqual(
    [],
  )
})

test("every command of a shell block is one that this test knows", () => {
  expect(
    steps.filter((s) => !ours.includes(s) && !elsewhere.test(s.command)).map((s) => `${s.at} ${s.command}`),
  ).toEqual([])
})

test("shown output is compared line by line, in order", () => {
  expect(missing(["a", "…", "c d…"], "a\nb\nc d e")).toBeUndefined()
  expect(missing(["b", "a"], "a\nb")).toBe("a")
  expect(missing(["a…"], "b a")).toBe("a…")
})

describe("commands", () => {
  const once = [...new Map(ours.map((s) => [`${s.command}\n${s.shows.join("\n")}`, s])).values()]
  test.each(once.map((s) => [s.at, s.command, s] as const))("%s %s", async (_at, _command, s) => {
    const { args, codes } = really(s)
    const beside = files.some((f) => args.includes(f.name))
    const { status, text } = beside
      ? await execute([join(root, "dist/app/main.js"), ...args], scratch)
      : await lacewing(args)
    expect(codes, text).toContain(status)
    if (cheap.has(args[0]!)) expect(missing(s.shows, text), text).toBeUndefined()
  })
})

describe("blocks", () => {
  const complete = blocks.filter((b) => b.language === "yaml" && b.lines.some((l) => l.startsWith("lacewing:")))
  test("there are some", () => expect(complete.length).toBeGreaterThan(0))
  test.each(complete.map((b) => [`${b.file}:${b.line}`, b] as const))(
    "%s is an experiment without complaints",
    async (_at, b) => {
      const file = join(scratch, "experiment.yaml")
      writeFileSync(file, b.lines.join("\n"))
      const { status, text } = await here(["run", file, "--dry-run", "--out", join(scratch, "none")])
      expect(status, text).toBe(0)
    },
  )
  const scripts = blocks.filter((b) => b.language === "js" && !files.some((f) => f.block === b))
  test("there are programs", () => expect(scripts.length).toBeGreaterThan(0))
  test.each(scripts.map((b) => [`${b.file}:${b.line}`, b] as const))("%s runs", async (_at, b) => {
    const file = join(scratch, "program.mjs")
    writeFileSync(file, placed(b.lines.join("\n")))
    const { status, text } = await execute([file])
    expect(status, text).toBe(0)
    const shown = b.lines.flatMap((l) => /\/\/ → (.*)$/.exec(l)?.[1] ?? [])
    expect(shown.length).toBeGreaterThan(0)
    expect(missing(shown, text), text).toBeUndefined()
  })
})
