// The package as somebody gets it: packed, unpacked into an empty project, and asked what README, hints and help say
// that one may ask.
import { spawn, spawnSync } from "node:child_process"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { blocksOf, missing, stepsOf, words } from "./support/blocks.ts"
import { root } from "./support/build.ts"
import { experiments } from "./support/experiments.ts"
import { stageRelease } from "./support/release.ts"

const project = mkdtempSync(join(tmpdir(), "lacewing-package-"))
const inside = join(project, "node_modules/lacewing")
let files: string[] = []
let weight = 0
beforeAll(() => {
  const staged = join(project, "staged")
  stageRelease(staged)
  mkdirSync(inside, { recursive: true })
  // npm install would ask the network for the packages that the bundle holds already
  const pack = spawnSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", project], {
    cwd: staged,
    encoding: "utf8",
  })
  rmSync(staged, { recursive: true, force: true })
  const tarball = readdirSync(project).find((f) => f.endsWith(".tgz"))
  if (tarball === undefined) throw new Error(`npm pack: ${pack.stdout}${pack.stderr}`)
  weight = statSync(join(project, tarball)).size
  const unpack = spawnSync("tar", ["-xzf", join(project, tarball), "-C", inside, "--strip-components=1"], {
    encoding: "utf8",
  })
  if (unpack.status !== 0) throw new Error(unpack.stderr)
  mkdirSync(join(project, "node_modules/.bin"))
  symlinkSync("../lacewing/dist/app/main.js", join(project, "node_modules/.bin/lacewing"))
  writeFileSync(join(project, "package.json"), '{ "name": "empty", "private": true, "type": "module" }\n')
  files = readdirSync(inside, { recursive: true, encoding: "utf8" }).map((f) => f.replaceAll("\\", "/"))
})
afterAll(() => rmSync(project, { recursive: true, force: true }))

type Said = { status: number | null; out: string; err: string }
function execute(program: string, args: readonly string[], cwd = project): Promise<Said> {
  return new Promise((done) => {
    const child = spawn(program, args, { cwd, env: { ...process.env, NO_COLOR: "1", COLUMNS: "120" } })
    let [out, err] = ["", ""]
    child.stdout.on("data", (data) => (out += data))
    child.stderr.on("data", (data) => (err += data))
    child.on("close", (status) => done({ status, out, err }))
  })
}
const program = join(project, "node_modules/.bin/lacewing")
const lacewing = (...args: string[]) => execute(program, args)
/** A run that a page or a hint names is planned, not run to its end; what a check prints is compared by docs.test.ts.
 *  */
const brief = (args: readonly string[]) => [
  ...args,
  ...(args[0] === "run" ? ["--dry-run"] : args[0] === "check" ? ["--quick"] : args[0] === "studio" ? ["--help"] : []),
]
/** Exit code and output of commands, in one process: each process would load the program again. The entry point runs
 *  once for each of them. */
async function together(commands: readonly (readonly string[])[]): Promise<{ status: number; out: string }[]> {
  const main = JSON.stringify(pathToFileURL(join(inside, "dist/app/main.js")).href)
  const driver = `const write = process.stdout.write.bind(process.stdout)
    const all = []
    process.stdout.write = (text) => ((all[all.length - 1].out += text), true)
    for (const [i, command] of ${JSON.stringify(commands)}.entries()) {
      process.argv = [process.argv[0], ${main}, ...command]
      all.push({ status: 0, out: "" })
      await import(${main} + "?" + i)
      all[i].status = Number(process.exitCode ?? 0)
      process.exitCode = 0
    }
    write(JSON.stringify(all))`
  const { status, out, err } = await execute(process.execPath, ["--no-warnings", "--input-type=module", "-e", driver])
  expect(status, err).toBe(0)
  return JSON.parse(out)
}
async function helpsOf(commands: readonly string[]): Promise<string[]> {
  const all = await together(commands.map((command) => [command, "--help"]))
  expect(all.filter(({ status }) => status !== 0)).toEqual([])
  return all.map(({ out }) => out)
}
const wordsOf = (command: string) => brief(words(command.replace(/^(npx )?lacewing /, "")))
async function works(command: string): Promise<string> {
  const { status, out, err } = await lacewing(...wordsOf(command))
  expect(status, `${command}\n${out}${err}`).toBe(0)
  return out
}

describe("files", () => {
  test("no notes of the compiler, no tests, no sources", () => {
    expect(files).toContain("dist/app/main.js")
    expect(files.filter((f) => /(^|\/)\.[^/]+$|\.test\.|^src\//.test(f))).toEqual([])
  })
  test("the tarball is below 4 MB, and has fewer than 1,500 files", () => {
    // the tests compress the archive quickly, to 1,972,357 bytes where a release has 1,672,913: 15 % less
    const { size } = statSync(join(inside, "dist/pages.br"))
    expect(weight - 0.15 * size).toBeLessThan(4e6)
    expect(files.length).toBeLessThan(1500)
  })
  test("it has the pages, and no dated logs", () => {
    expect(files).toContain("docs/index.md")
    expect(files).toContain("docs/guide/experiments.md")
    expect(files).toContain("dist/pages.br")
    expect(files.filter((f) => /(^|\/)log\//.test(f))).toEqual([])
  })
  test("every link of a page leads to a file that is there", () => {
    const pages = files.filter((f) => f.endsWith(".md"))
    const links = pages.flatMap((page) =>
      [
        ...readFileSync(join(inside, page), "utf8")
          .replaceAll(/`[^`\n]*`/g, "")
          .matchAll(/\]\(([^)#\s]+)[^)]*\)/g),
      ]
        .map((m) => m[1]!)
        .filter((to) => !/^\w+:/.test(to))
        .map((to) => [page, join(dirname(page), to)] as const),
    )
    expect(links.length).toBeGreaterThan(5)
    // dated logs and pictures of the studio are in the repository and not in the package
    const home = (to: string) => (/(^|\/)log(\/|$)|^docs\/images\/studio-/.test(to) ? root : inside)
    expect(links.filter(([, to]) => !existsSync(join(home(to), to))).map(([page, to]) => `${page}: ${to}`)).toEqual([])
  })
})

describe("as a library", () => {
  /** what `exports` of the package names, as one writes it in an import */
  const entries = Object.keys(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).exports)
    .map((entry) => `lacewing${entry.slice(1)}`)
    .filter((entry) => entry !== "lacewing/package.json")
  test("every entry can be imported", async () => {
    expect(entries).toEqual(["lacewing", "lacewing/core", "lacewing/plugin", "lacewing/web"])
    const program = `import { run } from "lacewing"; import { quantity, plainScale } from "lacewing/core"; import { readText } from "lacewing/web"
      import { readFileSync } from "node:fs"; import { fileURLToPath } from "node:url"
      const about = JSON.parse(readFileSync(fileURLToPath(import.meta.resolve("lacewing/package.json")), "utf8"))
      console.log(typeof run, quantity("2us", "cycles", plainScale), readText("").bad.length, about.name)`
    // 2 us of 1 ns each; an empty file is one complaint
    const said: Said = { status: 0, out: "function 2000 1 lacewing\n", err: "" }
    expect(await execute(process.execPath, ["--input-type=module", "-e", program])).toEqual(said)
  })
  test(
    "their types are there for nodenext and bundlers, name the plug-ins of " +
      "the library, and have no option without effect",
    async () => {
      writeFileSync(
        join(project, "program.ts"),
        `import { defineExperiment, definePlugin, type Finished, type RunOptions, run } from "lacewing"
import { Heap, type Checked, int, schema } from "lacewing/core"
const traffic = { pattern: "uniform", load: 0.1 } as const
const experiment = defineExperiment({ lacewing: 1, network: { topology: { name: "torus", sides: "4x4" }, routing: "torus.dimension-order" }, traffic })
export const done: Promise<{ ok: Finished } | { bad: readonly { says: string }[] }> = run(experiment, { workers: 1 })
// @ts-expect-error there is no such topology
defineExperiment({ lacewing: 1, network: { topology: "tours" }, traffic })
// @ts-expect-error there is no such routing
defineExperiment({ lacewing: 1, network: { topology: "torus", routing: { name: "torus.nowhere" } }, traffic })
const network = { topology: { name: "torus", sides: "4x4" }, routing: "torus.dimension-order" } as const
export const whole = defineExperiment({ lacewing: 1, title: "all keys", network: { ...network, switch: { name: "input-queued", vcs: 2, buffer: "32 flits" } }, traffic: { pattern: { name: "tornado" }, load: "40%", packet: "2flits" }, measure: { warmup: "auto", window: "5kcycles", precision: "2%", limit: "50us" }, probes: ["series", { name: "channels", overTime: true }], seeds: 3, sweep: { "traffic.load": [0.1, 0.2] }, variants: { a: {} } })
// @ts-expect-error a misspelt parameter of a plug-in
defineExperiment({ lacewing: 1, network: { ...network, switch: { name: "input-queued", bufer: "32flits" } }, traffic })
// @ts-expect-error a wrong unit
defineExperiment({ lacewing: 1, network: { ...network, switch: { name: "input-queued", buffer: "32cycles" } }, traffic })
// @ts-expect-error no unit
defineExperiment({ lacewing: 1, network, traffic, measure: { window: 5000 } })
// @ts-expect-error an unknown key of measure
defineExperiment({ lacewing: 1, network, traffic, measure: { window: "5kcycles", drained: "none" } })
// @ts-expect-error an unknown key of the experiment
defineExperiment({ lacewing: 1, network, trafic: traffic })
// @ts-expect-error a value that is none of the choices
defineExperiment({ lacewing: 1, network, traffic, measure: { drain: "some" } })
// names that plug-ins bring are theirs
defineExperiment({ lacewing: 1, plugins: ["./my-routing.mjs"], network: { topology: "torus", routing: "my.routing" }, traffic })
export const routing = definePlugin({
  kind: "routing",
  name: "my.routing",
  about: "Typed by its kind.",
  params: schema({ detours: int({ about: "at most so many", default: 1 }) }),
  vcs: (p) => p.detours + 1,
  make: (p, on) => ({ route: (packet, at, _port, _vc, net, out) => out.add((at + p.detours) % net.dst(packet), 2 ** on.vcs - 1, 0) }),
})
export const pattern = definePlugin({ kind: "pattern", name: "my.p", about: "None.", make: (_, on) => ({ dest: (e) => (e + 1) % on.topology.graph.ends }) })
// @ts-expect-error a routing says how many VCs it needs
definePlugin({ kind: "routing", name: "my.other", about: "None.", make: () => ({ route() {} }) })
// @ts-expect-error plug-ins are brought by their modules
export const options: RunOptions = { catalog: [] }
export const nothing: Checked<typeof Heap> | undefined = undefined
`,
      )
      writeFileSync(
        join(project, "page.ts"),
        `import { aboutOf, check, hostOf, plan, readText, reportHtml, runPlan } from "lacewing/web"
export async function report(text: string): Promise<string> {
  const file = readText(text)
  if ("bad" in file) return file.bad[0]!.says
  const planned = plan(file.ok)
  if ("bad" in planned || check(planned.ok, file.ok.host).length > 0) return ""
  const ran = await runPlan(planned.ok, file.ok.host)
  return "bad" in ran ? "" : reportHtml({ records: ran.ok.records, about: aboutOf(planned.ok) })
}
// @ts-expect-error a host has files, by their names
hostOf(7)
// @ts-expect-error a file that was read may be refused
export const wrong = (text: string) => readText(text).ok
`,
      )
      // no entry without types: strict refuses a module that has none, and one whose types were any would have every
      // name
      const known = entries.map(
        (entry, i) =>
          `import * as e${i} from ${JSON.stringify(entry)}\n// @ts-expect-error there is no such name\ne${i}.nobody\n`,
      )
      writeFileSync(join(project, "entries.ts"), known.join(""))
      const compiler = [join(root, "node_modules/typescript/bin/tsc"), "--noEmit", "--strict", "--target", "es2022"]
      const node = ["--module", "nodenext", "--types", "node", "--typeRoots", join(root, "node_modules/@types")]
      // as a page is bundled: no types of Node
      const page = [
        "--module",
        "esnext",
        "--moduleResolution",
        "bundler",
        "--lib",
        "es2022,dom",
        "--types",
        "",
        "--typeRoots",
        "none",
      ]
      const clean: Said = { status: 0, out: "", err: "" }
      for (const options of [node, page])
        expect(
          await execute(process.execPath, [...compiler, ...options, "program.ts", "page.ts", "entries.ts"]),
        ).toEqual(clean)
      // Modules with plug-ins: those of the gallery are right, as `// @ts-check` in an editor sees them. Each line of
      // the others has a mistake, and the compiler names it.
      cpSync(join(inside, "examples/plugins"), join(project, "gallery"), { recursive: true })
      const gallery = readdirSync(join(project, "gallery")).filter((f) => f.endsWith(".mjs"))
      for (const [name, text] of Object.entries(mistaken)) writeFileSync(join(project, name), text)
      const modules = ["--allowJs", "--checkJs", "--noImplicitAny", "false", ...Object.keys(mistaken)]
      const printed = await execute(process.execPath, [
        ...compiler,
        ...["--module", "nodenext", "--lib", "es2023,dom", "--types", "", ...modules],
        ...gallery.map((f) => join("gallery", f)),
      ])
      const first = printed.out.split("\n").filter((line) => /^\S/.test(line))
      const lines = Object.entries(mistaken).flatMap(([name, text]) =>
        text.split("\n").flatMap((line, i) => {
          const [, named] = /\/\/ (.+)$/.exec(line) ?? []
          return named === undefined ? [] : [[`${name}(${i + 1},`, named] as const]
        }),
      )
      expect(first.map((line) => /^[^,]+,/.exec(line)?.[0])).toEqual(lines.map(([at]) => at))
      const found = printed.out.split(/\n(?=\S)/)
      for (const [i, [at, named]] of lines.entries()) expect(found[i], at).toContain(named)
    },
  )
})

/** Files, as the compiler sorts them, with one mistake in each line that ends with the words of its message. */
const mistaken = {
  "wrong.mjs": `/** @type {import("lacewing/plugin").PluginFactory} */
export default ({ plugin, schema, flits }) =>
  plugin({
    kind: "congestion",
    name: "my.wrong",
    about: "Has a mistake in some lines.",
    params: schema({
      window: flits({ about: "Window", default: "8flits" }),
      wait: flits({ abuot: "Wait" }), // Did you mean to write 'about'?
    }),
    make: (p) => ({
      longestTimer: p.windw, // Did you mean 'window'?
      endpoint: (site) => ({
        columns: { sent: site.colum(1) }, // Did you mean 'column'?
        delivered: (e, packet) => site.send(e, packet, "ack", 0, 1, site.firstClass), // 'string' is not assignable
      }),
    }),
  })
`,
  "wrong.ts": `import { defineExperiment } from "lacewing"
const traffic = { pattern: "uniform", load: 0.1 } as const
const network = { topology: { name: "torus", sides: "4x4" }, routing: "torus.dimension-order" } as const
const on = { name: "input-queued" } as const
defineExperiment({ lacewing: 1, network: { ...network, switch: { ...on, bufer: "3flits" } }, traffic }) // Did you mean to write 'buffer'?
defineExperiment({ lacewing: 1, network: { ...network, switch: { ...on, buffer: "32cycles" } }, traffic }) // '"32cycles"' is not assignable to type '0 | Flits
defineExperiment({ lacewing: 1, network, traffic, measure: { window: 5000 } }) // Type '5000' is not assignable
defineExperiment({ lacewing: 1, network, traffic, measure: { drained: "none" } }) // Did you mean to write 'drain'?
defineExperiment({ lacewing: 1, network, trafic: traffic }) // Did you mean to write 'traffic'?
defineExperiment({ lacewing: 1, network: { topology: "tours" }, traffic }) // Did you mean '"torus"'?
defineExperiment({ lacewing: 1, network: { ...network, congestion: { name: "dcqcn", kmn: "3flits" } }, traffic }) // Did you mean to write 'kmin'?
`,
}

describe("in an empty project", () => {
  test("the first hint works, and results go to the folder one is in", async () => {
    const help = (await lacewing()).out
    const hints = [...help.matchAll(/^First time here\? Run: (lacewing .+)$/gm)].map((m) => m[1]!)
    expect(hints).toEqual(["lacewing run first-curve"])
    expect(await works(hints[0]!)).toContain("120 runs")
    const small = [
      "--set",
      "traffic.load=0.1",
      "--set",
      "measure.limit=1kcycles",
      "--seed",
      "1",
      "--workers",
      "1",
      "--quiet",
    ]
    const { status, out, err } = await lacewing("run", "first-curve", ...small)
    expect(status, out + err).toBe(0)
    expect(readdirSync(join(project, "results/first-curve"))).toContain("report.html")
  })
  test("experiments and papers are those of the package", async () => {
    // a folder may hold other files that a command reads, and no experiment
    const named = experiments
    expect(
      JSON.parse((await lacewing("list", "experiments", "--json")).out).map((e: { name: string }) => e.name),
    ).toEqual(named)
    const papers = JSON.parse((await lacewing("paper", "--json")).out) as { id: string; recorded: string | null }[]
    expect(papers.filter((p) => p.recorded !== null).length).toBeGreaterThan(5)
    const { status, out } = await lacewing("paper", "fitfly/table4", "--json")
    expect([status, JSON.parse(out).id]).toEqual([0, "fitfly/table4"])
    expect(readdirSync(project)).not.toContain("papers")
  })
  test("every example of every help works", async () => {
    const commands = [...(await lacewing("--help")).out.matchAll(/^ {2}([a-z]+) .*\S$/gm)]
      .map((m) => m[1]!)
      .filter((c) => c !== "help")
    expect(commands.length).toBeGreaterThan(15)
    const texts = await helpsOf(commands)
    const examples = texts.flatMap((t) => [...t.matchAll(/^\s+(lacewing .+)$/gm)].map((m) => m[1]!))
    const helpOf = (command: string) => texts[commands.indexOf(command)]!.replace(/\s+/g, " ")
    const keys = /e\.g\. (\S+) or (\S+) Options /.exec(helpOf("explain"))!.slice(1)
    const set = /e\.g\. (\S+=\S+)\./.exec(helpOf("run"))![1]!
    // those of other commands name files of the reader, or take long; src/cli/help.test.ts parses all of them
    const quick =
      /^lacewing (check first-curve|completion|cost|doctor|explain|list|manual \S+ --no-open|route first-curve|topology|schema schema\.json$)/
    const cheap = examples.filter((e) => quick.test(e))
    expect(examples.length).toBeGreaterThan(50)
    expect(cheap.length).toBeGreaterThan(12)
    expect(keys).toContain("traffic.load")
    const asked = [...cheap, ...keys.map((k) => `lacewing explain ${k}`), `lacewing run first-curve --set ${set}`]
    const ended = await together(asked.map(wordsOf))
    expect(asked.filter((_, i) => ended[i].status !== 0)).toEqual([])
  })
  test("all commands of the README work as printed", async () => {
    const blocks = blocksOf(join(inside, "README.md"), "README.md")
    for (const b of blocks) {
      const name = /^# (\S+\.yaml)$/.exec(b.lines[0] ?? "")?.[1]
      if (name !== undefined) writeFileSync(join(project, name), b.lines.join("\n"))
    }
    const steps = blocks
      .filter((b) => b.language === "sh" || b.language === "console")
      .flatMap(stepsOf)
      .filter((s) => s.command.startsWith("npx lacewing "))
    expect(steps.length).toBeGreaterThan(3)
    for (const s of steps) await works(s.command)
  })
  test(
    "the routing of the guide to plug-ins is proved, runs and conforms; a " +
      "broken one is named by the test that it fails",
    async () => {
      const page = blocksOf(join(inside, "docs/guide/plugins.md"), "docs/guide/plugins.md")
      const fileOf = (mark: string) => page.find((b) => b.lines[0] === mark)!.lines.join("\n")
      const routing = fileOf("// my-routing.mjs")
      writeFileSync(join(project, "my-routing.mjs"), routing)
      writeFileSync(join(project, "my-experiment.yaml"), fileOf("# my-experiment.yaml"))
      expect(await works("lacewing check my-experiment.yaml")).toContain("free of deadlock")
      const ran = await lacewing("run", "my-experiment.yaml", "--workers", "1")
      expect(ran.status, ran.out + ran.err).toBe(0)
      expect(ran.err).toContain("Executes ./my-routing.mjs, which is code of this experiment (routing my.last-first).")
      const judged = await lacewing("contract", "my-routing.mjs", "--json")
      expect([judged.status, JSON.parse(judged.out).ok]).toEqual([0, true])
      writeFileSync(join(project, "broken.mjs"), routing.replace('most: "minimal"', "most: 2"))
      const broken = await lacewing("contract", "broken.mjs", "--json")
      // the far corners of a mesh of 4 x 3 are 5 links apart
      expect([broken.status, JSON.parse(broken.out).plugins[0].broken[0].contract]).toEqual([
        1,
        "stays within the hops it declares",
      ])
      const refused = await lacewing("run", "my-experiment.yaml", "--no-code")
      expect([refused.status, /my-routing\.mjs is a module, and modules are code/.test(refused.err)]).toEqual([2, true])
      // a run of the past executes nothing unless it is told to
      const hash = JSON.parse(
        (await lacewing("run", "my-experiment.yaml", "--workers", "1", "--json")).out.split("\n")[0]!,
      ).hash
      expect((await lacewing("reproduce", hash)).status).toBe(2)
      expect((await lacewing("reproduce", hash, "--code")).out).toContain("the same")
    },
  )
  test(
    "the tutorial runs from its first block to its last: it ends with a routing " +
      "of one's own that is proved, drawn and compared",
    async () => {
      const folder = join(project, "tutorial")
      mkdirSync(folder)
      /** Sweeps are planned, those that are compared at the end are run at one load; all else is run as it stands. */
      const cheaply = (command: string): string[] => {
        const args = words(command.slice("npx lacewing ".length))
        if (args[0] === "run" && /^(mine|theirs)\.yaml$/.test(args[1]!))
          return [
            ...args,
            "--set",
            "traffic.load=0.1",
            "--set",
            "measure.limit=4kcycles",
            "--seed",
            "1,2",
            "--workers",
            "1",
            "--quiet",
          ]
        if (args[0] === "run") return [...args, "--dry-run"]
        return args[0] === "compare" && !existsSync(join(folder, args[1]!)) ? ["compare", "--help"] : args
      }
      const done: string[] = []
      for (const b of blocksOf(join(inside, "docs/guide/tutorial.md"), "docs/guide/tutorial.md")) {
        const name = /^(?:\/\/|#) (\S+\.(?:mjs|yaml|edges))$/.exec(b.lines[0] ?? "")?.[1]
        if (name !== undefined) writeFileSync(join(folder, name), b.lines.join("\n"))
        else if (b.language === "sh" || b.language === "console")
          for (const s of stepsOf(b)) {
            expect(s.command.startsWith("npx lacewing "), `${s.at} ${s.command}`).toBe(true)
            const { status, out, err } = await execute(program, cheaply(s.command), folder)
            expect([s.at, status], out + err).toEqual([s.at, s.code ?? 0])
            expect(missing(s.shows, out + err), `${s.at}\n${out}${err}`).toBeUndefined()
            done.push(s.command)
          }
      }
      // proved, drawn, compared
      expect(done.slice(-6).map((c) => c.split(" ").slice(2, 4).join(" "))).toEqual([
        "check mine.yaml",
        "contract turns.mjs",
        "route mine.yaml",
        "run theirs.yaml",
        "run mine.yaml",
        "compare results/theirs",
      ])
      expect(readFileSync(join(folder, "mine.svg"), "utf8")).toMatch(/^<svg [\s\S]*my\.turns on mesh, endpoint 3 to 24/)
      const compared = await execute(
        program,
        ["compare", "results/theirs", "results/mine", "--without", "routing", "--json"],
        folder,
      )
      expect(JSON.parse(compared.out).rows.map((r: { value: string }) => r.value)).toContain("latency.mean")
    },
  )
  test("the manual is in it, and a word leads to its page", async () => {
    const { status, out } = await lacewing("manual", "traffic.load", "--no-open")
    expect([status, existsSync(out.trim())]).toEqual([0, true])
    expect(out).toContain("node_modules/lacewing/dist/manual/key-traffic.load.html")
    // the archive also has the studio and the recorded results
    expect(existsSync(join(inside, "dist/studio/index.html"))).toBe(true)
    expect(existsSync(join(inside, "papers/fitfly/table4.recorded.json"))).toBe(true)
    const wrong = await lacewing("manual", "trafic.load", "--no-open")
    expect([wrong.status, wrong.err]).toEqual([
      2,
      'trafic.load: the manual has no page on this topic.\n  fix: did you mean "traffic.load"?\n',
    ])
  })
  test("the manual and the studio become a static site, whose pages link to each other", async () => {
    const page = (await works("lacewing manual --out site")).trim()
    expect(readFileSync(join(project, page), "utf8")).toContain("lacewing manual")
    const manual = join(project, "site/dist/manual")
    const links = readdirSync(manual)
      .filter((f) => f.endsWith(".html"))
      .flatMap((f) =>
        [...readFileSync(join(manual, f), "utf8").matchAll(/(?:href|src)="([^"#?:]+)/g)].map(
          (m) => [f, m[1]!] as const,
        ),
      )
    expect(links.length).toBeGreaterThan(5000)
    const pictures = /docs\/images\/studio-/
    expect(links.filter(([, to]) => !pictures.test(to) && !existsSync(join(manual, decodeURI(to))))).toEqual([])
  })
  test("a read-only package unpacks its pages to a cache folder", async () => {
    const cache = join(project, "cache")
    const copy = join(project, "read-only")
    cpSync(inside, copy, { recursive: true, filter: (path) => !/dist\/(manual|studio|unpacked)/.test(path) })
    // a file where a folder is needed, because root may write to read-only folders
    writeFileSync(join(copy, "dist/studio"), "")
    const env = { ...process.env, XDG_CACHE_HOME: cache }
    const args = [join(copy, "dist/app/main.js"), "manual", "tornado", "--no-open"]
    const said = spawnSync(process.execPath, args, { cwd: project, encoding: "utf8", env })
    expect([said.status, said.stderr.replace(/^.*See also.*$/gm, "").trim()]).toEqual([0, ""])
    expect(said.stdout.startsWith(join(cache, "lacewing"))).toBe(true)
    expect(existsSync(said.stdout.trim())).toBe(true)
  })
  test("init prints the command that runs the file it wrote", async () => {
    const hint = /Run it with: (lacewing .+)$/m.exec(await works("lacewing init experiment.yaml"))![1]!
    expect(await works(hint)).toContain("10 runs")
  })
})
