// The shape of the program, read from its sources: who may import whom, who may touch Node, and what hot code must not
// do.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { sizeOf } from "./support/source-sizes.ts"

const src = join(dirname(fileURLToPath(import.meta.url)), "../src")
const families = ["topologies", "routing", "congestion", "flow", "qos", "traffic", "workloads", "endpoints", "probes"]

/** Rooms between the library and the programs, from the ground up. */
const floors = [
  "experiment",
  "compile",
  "results",
  "measure",
  "observe",
  "run",
  "predict",
  "sweep",
  "cluster",
  "terminal",
  "draw",
  "inspect",
  "manual-pages",
]

/** folder -> folders that it may import besides itself; design: section "Layout" */
const may: Readonly<Record<string, readonly string[]>> = {
  core: [],
  model: ["core"],
  fabric: ["model", "core"],
  ...Object.fromEntries(families.map((f) => [f, ["model", "core"]])),
  switches: ["fabric", "model", "core"],
  proof: ["model", "core"],
  engines: ["fabric", "model", "core"],
  library: [...families, "switches", "model", "core"],
  // what custom plug-ins are handed
  kit: [...families, "switches", "fabric", "model", "core"],
  // from here on every floor knows those below it
  ...Object.fromEntries(
    floors.map((layer, i) => [
      layer,
      [...floors.slice(0, i), "kit", "library", "engines", "fabric", "proof", "model", "core"],
    ]),
  ),
  cli: [...floors, "api", "api-options", "library", "model", "core"],
  "api-options": [...floors, "library", "model", "core"],
  api: [...floors, "api-options", "library", "model", "core"],
  index: [...floors, "kit", "api", "api-options", "library", "model", "core"],
  plugin: [...floors, "kit", "library", "model", "core"],
  web: [...floors, "library", "model", "core"],
  // papers, peers and what is named after them stand on everything else, as somebody outside would
  reproduce: [...floors, "cli", "kit", "library", "engines", "fabric", "proof", "model", "core"],
}
/** Folders below a folder with laws of their own: plug-ins named after peers are routings like any other. */
const mayBelow: Readonly<Record<string, readonly string[]>> = { "reproduce/routing": ["routing", "model", "core"] }
/**
 * The only imports of `reproduce`: commands load it when they are called, and the list of plug-ins names its routings.
 */
const entersReproduce = (i: Import) =>
  (i.file.startsWith("cli/") && i.lazy) || (i.file === "library.ts" && target(i).startsWith("reproduce/routing/"))
/** type-only imports that may go sideways: what a plug-in makes is named where it is used */
const typesToo: Readonly<Record<string, readonly string[]>> = {
  routing: ["topologies"],
  "api-options": ["api"],
  // the lists are typed by what their plug-ins make
  library: ["fabric"],
  plugin: ["fabric", "switches"],
  ...Object.fromEntries([...floors, "reproduce"].map((layer) => [layer, [...families, "switches"]])),
}
const nodeUsers = new Set([...floors, "api", "api-options", "cli", "reproduce"])

interface Import {
  readonly file: string
  readonly line: number
  readonly to: string
  readonly typeOnly: boolean
  /** an `import()` */
  readonly lazy: boolean
}

const files = readdirSync(src, { recursive: true, encoding: "utf8" })
  .map((f) => f.replaceAll("\\", "/"))
  .filter((f) => f.endsWith(".ts"))
const production = files.filter((f) => !f.endsWith(".test.ts"))

function folderOf(file: string): string {
  return file.includes("/") ? file.split("/")[0]! : file.replace(/\.ts$/, "")
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(src, file), "utf8")
  const found = text.matchAll(
    /(?:^|\n)\s*(import|export)\s+(type\s+)?([^"'`;]*?)from\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)|(?:^|\n)import\s+["']([^"']+)["']/g,
  )
  return [...found].map((m) => {
    const names = m[3]
      ?.match(/\{([^}]*)\}/)?.[1]
      ?.split(",")
      .map((n) => n.trim())
      .filter((n) => n !== "")
    // a default import before the braces is a value
    const braced = m[3]?.trimStart().startsWith("{") === true
    const typeOnly =
      m[2] !== undefined ||
      (braced && names !== undefined && names.length > 0 && names.every((n) => n.startsWith("type ")))
    return {
      file,
      line: text.slice(0, m.index + 1).split("\n").length,
      to: m[4] ?? m[5] ?? m[6],
      typeOnly,
      lazy: m[5] !== undefined,
    }
  })
}

function target(i: Import): string {
  return normalize(join(dirname(i.file), i.to)).replaceAll("\\", "/")
}

const all = production.flatMap(importsOf)

describe("imports", () => {
  test("there are sources to read", () => {
    expect(production.length).toBeGreaterThan(50)
    expect(all.length).toBeGreaterThan(100)
  })
  test("every folder is known to the rules", () => {
    expect([...new Set(production.map(folderOf))].filter((f) => may[f] === undefined)).toEqual([])
  })
  test("each folder imports only what its layer may", () => {
    const wrong = all.filter((i) => {
      if (!i.to.startsWith(".")) return false
      const [from, to] = [folderOf(i.file), folderOf(target(i))]
      const own = Object.entries(mayBelow).find(([folder]) => i.file.startsWith(`${folder}/`))?.[1] ?? may[from]
      return from !== to && !own?.includes(to) && !(i.typeOnly && typesToo[from]?.includes(to)) && !entersReproduce(i)
    })
    expect(wrong.map((i) => `${i.file}:${i.line} imports ${i.to}`)).toEqual([])
  })
  test("nothing but the commands and the list of plug-ins knows of papers and peers", () => {
    const knows = all.filter((i) => i.to.startsWith(".") && folderOf(target(i)) === "reproduce")
    const core = knows.filter((i) => folderOf(i.file) !== "reproduce")
    expect(core.length).toBeGreaterThan(5)
    expect(core.filter((i) => !entersReproduce(i)).map((i) => `${i.file}:${i.line} imports ${i.to}`)).toEqual([])
  })
  test("imports that are ours carry .ts and lead to a file", () => {
    const wrong = all.filter((i) => i.to.startsWith(".") && !files.includes(target(i)))
    expect(wrong.map((i) => `${i.file}:${i.line} ${i.to}`)).toEqual([])
  })
  test("Node built-ins only above the library: the rest runs in a browser", () => {
    const wrong = all.filter((i) => i.to.startsWith("node:") && !nodeUsers.has(folderOf(i.file)))
    expect(wrong.map((i) => `${i.file}:${i.line} imports ${i.to}`)).toEqual([])
    const named = production
      .filter((f) => !nodeUsers.has(folderOf(f)))
      .filter((f) => /\bprocess\.|\bBuffer\.|\brequire\(/.test(code(f)))
    expect(named).toEqual([])
  })
  test("nothing that lacewing/web reaches knows Node", () => {
    const reached = new Set(["web.ts"])
    for (const file of reached)
      for (const i of all) if (i.file === file && i.to.startsWith(".") && !i.typeOnly) reached.add(target(i))
    expect(reached.size).toBeGreaterThan(200)
    expect(
      all
        .filter((i) => reached.has(i.file) && i.to.startsWith("node:"))
        .map((i) => `${i.file}:${i.line} imports ${i.to}`),
    ).toEqual([])
    const named = [...reached].filter((f) => /\bprocess\.[a-z]|\bBuffer\.|\brequire\(|import\.meta/.test(code(f)))
    expect(named).toEqual([])
  })
  test("packages from outside only above the library", () => {
    const wrong = all.filter(
      (i) => !i.to.startsWith(".") && !i.to.startsWith("node:") && !nodeUsers.has(folderOf(i.file)),
    )
    expect(wrong.map((i) => `${i.file}:${i.line} imports ${i.to}`)).toEqual([])
  })
  test("a results folder is touched through calls.ts alone, where the crash tests listen", () => {
    // lock.ts asks /proc whether a process lives; sql.ts gives DuckDB copies in a folder of its own
    const users = all.filter((i) => i.file.startsWith("results/") && i.to === "node:fs").map((i) => i.file)
    expect(users.sort()).toEqual(["results/calls.ts", "results/lock.ts", "results/sql.ts"])
  })
  test("no engine names a plug-in, and no plug-in of one family imports another's file", () => {
    const plugins = new Set([...families, "switches"])
    const wrong = all.filter((i) => {
      if (!i.to.startsWith(".") || i.typeOnly) return false
      const [from, to] = [folderOf(i.file), folderOf(target(i))]
      return (
        from !== to &&
        plugins.has(to) &&
        from !== "library" &&
        from !== "kit" &&
        !i.file.startsWith("reproduce/routing/")
      )
    })
    expect(wrong.map((i) => `${i.file}:${i.line} imports ${i.to}`)).toEqual([])
  })
  test("at most three pairs of files know each other's types", () => {
    const pairs = new Set<string>()
    const known = new Set(all.filter((i) => i.to.startsWith(".")).map((i) => `${i.file} ${target(i)}`))
    for (const k of known) {
      const [a, b] = k.split(" ") as [string, string]
      if (a < b && known.has(`${b} ${a}`)) pairs.add(`${a} ${b}`)
    }
    expect([...pairs].length).toBeLessThanOrEqual(3)
  })
  test("no circle of imports between files", () => {
    const graph = new Map(production.map((f) => [f, [] as string[]]))
    for (const i of all) if (i.to.startsWith(".") && !i.typeOnly) graph.get(i.file)?.push(target(i))
    expect(circle(graph)).toEqual([])
  })
})

describe("what executes", () => {
  test("processes are created by these files alone", () => {
    const creators = new Set(all.filter((i) => i.to === "node:child_process").map((i) => i.file))
    expect([...creators].sort()).toEqual(
      [
        ...["cli/manual/open.ts", "cli/studio/studio.ts"], // a browser
        // programs of a scheduler, and commands of the user
        ...["cluster/executors/command.ts", "cluster/executors/local.ts"],
        // programs of peers, and builds of lacewing beside each other
        ...["booksim2", "builds", "check", "growth", "pair", "parallel", "phold", "workloads"].map(
          (f) => `reproduce/peers/bench/${f}.ts`,
        ),
        ...["reproduce/peers/codes/runs.ts", "reproduce/peers/program.ts"],
      ].sort(),
    )
  })
  test("modules that have no fixed name are imported by these files alone, and pass the gate", () => {
    const importers = production.filter((f) => /\bimport\((?!\s*["'])/.test(readFileSync(join(src, f), "utf8")))
    // subjects.ts: the build that `bench --against` names
    expect(importers.sort()).toEqual([
      "experiment/outside/in-page.ts",
      "experiment/outside/load.ts",
      "experiment/read.ts",
      "reproduce/peers/bench/subjects.ts",
      "sweep/simulator.ts",
    ])
  })
  test("only the gate says what may be executed", () => {
    const makers = production.filter((f) => /\bas Executable\b/.test(readFileSync(join(src, f), "utf8")))
    expect(makers).toEqual(["experiment/gate.ts"])
    const threads = production.filter((f) => readFileSync(join(src, f), "utf8").includes('"this process"'))
    expect(threads.sort()).toEqual([
      ...[
        "experiment/gate.ts",
        "experiment/outside/in-page.ts",
        "experiment/outside/load.ts",
        "run/clocked/clocked-worker.ts",
        "run/packet/member.ts",
        "sweep/worker.ts",
      ],
    ])
  })
})

describe("types", () => {
  test("compilation has no casts: experiment/bind.ts closes over the parameters of every plug-in", () => {
    const compiled = production.filter((f) => f.startsWith("compile/"))
    expect(compiled.length).toBeGreaterThan(20)
    const casts = compiled.flatMap((f) =>
      code(f)
        .replace(/`[^`]*`/g, "``")
        .split("\n")
        .filter((line) => /\bas (?!const\b)/.test(line) && !/^(import|export) \*/.test(line))
        .map((line) => `${f}: ${line.trim()}`),
    )
    expect(casts).toEqual([])
  })
})

describe("tests", () => {
  const here = join(src, "../test")
  const tests = [
    ...files.filter((f) => f.endsWith(".test.ts")).map((f) => join(src, f)),
    ...readdirSync(here, { recursive: true, encoding: "utf8" })
      .filter((f) => f.endsWith(".ts"))
      .map((f) => join(here, f)),
  ]
  // a limit behind a test or a hook, in its options, in an option of a process, or in an expectation about a clock
  const limits =
    /^\s*\}, \d[\d_]*\)$|^\s*\d+_000,?$|\bbuilt\(\), \d|\btimeout: [\d_]{2,}|expect\([^)]*(performance|Date)\.now/
  test("there are some", () => expect(tests.length).toBeGreaterThan(50))
  test("none has a time limit: a machine with other work would break it", () => {
    const wrong = tests.flatMap((f) =>
      readFileSync(f, "utf8")
        .split("\n")
        .flatMap((line, i) => (limits.test(line) ? [`${f}:${i + 1} ${line.trim()}`] : [])),
    )
    expect(wrong).toEqual([])
  })
})

/** Source without comments and texts, lines kept. */
function code(file: string): string {
  const blank = (s: string) => s.replace(/[^\n]/g, " ")
  return readFileSync(join(src, file), "utf8")
    .replace(/\/\*[\s\S]*?\*\//g, blank)
    .replace(/\/\/.*$/gm, blank)
    .replace(/"(?:[^"\\\n]|\\.)*"/g, '""')
}

function circle(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const state = new Map<string, "open" | "done">()
  const trail: string[] = []
  const visit = (file: string): string[] => {
    if (state.get(file) === "done") return []
    if (state.get(file) === "open") return [...trail.slice(trail.indexOf(file)), file]
    state.set(file, "open")
    trail.push(file)
    for (const next of graph.get(file) ?? []) {
      const found = visit(next)
      if (found.length > 0) return found
    }
    trail.pop()
    state.set(file, "done")
    return []
  }
  for (const file of graph.keys()) {
    const found = visit(file)
    if (found.length > 0) return found
  }
  return []
}

describe("folders", () => {
  const folders = new Map<string, number>()
  for (const f of production) folders.set(dirname(f), (folders.get(dirname(f)) ?? 0) + 1)
  test("none has more than thirty files", () => {
    expect([...folders].filter(([, n]) => n > 30)).toEqual([])
  })
  test("each of more than ten files above the library has a README, and files that a README names exist", () => {
    const wanted = [...floors, "reproduce"].filter(
      (layer) => production.filter((f) => f.startsWith(`${layer}/`)).length > 10,
    )
    expect(wanted.filter((layer) => !existsSync(join(src, layer, "README.md")))).toEqual([])
    const all = readdirSync(src, { recursive: true, encoding: "utf8" }).map((f) => f.replaceAll("\\", "/"))
    for (const page of all.filter((f) => f.endsWith("README.md"))) {
      const text = readFileSync(join(src, page), "utf8")
      const named = [...text.matchAll(/`([\w./-]+(?:\.ts|\/))`/g)].map((m) => m[1]!)
      expect(named.length, page).toBeGreaterThan(0)
      const roots = [join(src, dirname(page)), join(src, ".."), src]
      // a README may name a file of a subfolder without the subfolder
      const below = all.filter((f) => f.startsWith(`${dirname(page)}/`))
      const there = (f: string) => roots.some((r) => existsSync(join(r, f))) || below.some((b) => b.endsWith(`/${f}`))
      expect(named.filter((f) => !there(f)).map((f) => `${page}: ${f}`)).toEqual([])
    }
  })
})

describe("retired names", () => {
  // Names that the literature does not know, and what replaced them. Identifiers only: texts have their own rules.
  const retired: Readonly<Record<string, string>> = {
    giveBack: "returnCredit",
    giveBackLane: "returnVlCredit",
    RoomSpec: "SharedBufferSpec",
    roomFor: "neededCredits",
    NO_ROOM: "NO_CREDIT",
    flitRoom: "flitSlots",
    creditRoom: "creditSlots",
    births: "created, or generation",
    pBirth: "pCreated",
    atBirth: "onCreate",
    meeting: "barrier",
    meetings: "barriers",
    factNames: "traceEventNames",
    makeFacts: "makeTracing, or makeDeliveryRecords",
    lackers: "stalledInputs",
    askers: "requesters",
    TransferWires: "SwitchPorts",
    onWires: "onLinks",
    makeChains: "makePacketQueues",
    sweepSlot: "visitReadySlot",
    linkDirty: "linkPending",
    hearHead: "controlHead",
    StandingWish: "BlockedQueueOptions",
    judgeStanding: "classifyStall",
    patienceOf: "stallLimitOf",
    PacketCrew: "PacketWorkers",
    shareMail: "shareChannels",
    makeRehearsal: "makeRollbackCheck",
    seenBeforehand: "warmUpJit",
    kneesOf: "saturationsOf",
    partingOf: "divergenceOf",
    sealMap: "checksumMap",
    makeRankSeat: "makeRankAdapter",
    frameOf: "sharedStateOf",
  }
  const pattern = new RegExp(`(?<![\\w$])(${Object.keys(retired).join("|")})(?![\\w$])`, "g")
  const found = (text: string) => [...text.matchAll(pattern)].map(([name]) => `${name}: say ${retired[name!]}`)
  test("none occurs in the sources or in the studio", () => {
    const studio = join(src, "../studio")
    const there = [
      ...files.map((f) => [f, code(f)] as const),
      ...readdirSync(studio, { recursive: true, encoding: "utf8" })
        .filter((f) => f.endsWith(".ts"))
        .map((f) => [f, code(join("../studio", f))] as const),
    ]
    expect(there.length).toBeGreaterThan(files.length)
    expect(there.flatMap(([f, text]) => found(text).map((says) => `${f} ${says}`))).toEqual([])
  })
  test("one that returns is found, a longer name that contains one is not", () => {
    expect(found("const { giveBack, roomForAll } = links")).toEqual(["giveBack: say returnCredit"])
  })
})

describe("style", () => {
  test("no marks of unfinished work", () => {
    const marks = new RegExp(`\\b(${["TO" + "DO", "FIX" + "ME", "HA" + "CK", "X" + "XX"].join("|")})\\b`)
    expect(files.filter((f) => marks.test(readFileSync(join(src, f), "utf8")))).toEqual([])
  })
  test("erasable TypeScript: no enums, no namespaces", () => {
    expect(
      production.filter((f) => /^\s*(export\s+)?(const\s+)?enum\s|^\s*(export\s+)?namespace\s/m.test(code(f))),
    ).toEqual([])
  })
})

describe("sizes", () => {
  const studio = join(src, "../studio")
  const sources = [
    ...production.map((f) => [f, join(src, f)] as const),
    ...readdirSync(studio, { recursive: true, encoding: "utf8" })
      .filter((f) => f.endsWith(".ts") && !f.endsWith(".test.ts"))
      .map((f) => [`studio/${f}`, join(studio, f)] as const),
  ]
  const sizes = sources.map(([name, path]) => ({ name, ...sizeOf(path, readFileSync(path, "utf8")) }))
  test("no file has more than 400 lines of code", () => {
    expect(sizes.filter((f) => f.lines > 400).map((f) => `${f.name}: ${f.lines}`)).toEqual([])
  })
  /** Functions that may be longer, and why. */
  const long = {
    "switches/input-queued/fast-step.ts visit":
      "one loop: with arbitration in functions of its own, the mesh of `bench booksim2` ran at 0.947 (0.937 to 0.956)",
  }
  test("no function has more than 100 lines of code, those of functions inside it apart", () => {
    const found = sizes.flatMap((f) => f.functions.filter((g) => g.lines > 100).map((g) => `${f.name} ${g.name}`))
    expect(found).toEqual(Object.keys(long))
  })
  test("lines of code are counted without comments, blank lines and inner functions", () => {
    const text = "// a\nfunction f() {\n  const g = () => {\n    return 1\n  }\n\n  return g\n}\n"
    // 6 lines: f without g has 3, namely its first, its return and its last; g has 3
    const { lines, functions } = sizeOf("a.ts", text)
    expect([lines, functions.map((g) => [g.name, g.line, g.lines])]).toEqual([
      6,
      [
        ["g", 3, 3],
        ["f", 2, 3],
      ],
    ])
  })
})

describe("hot folders", () => {
  // Functions that run for each flit, packet or event live in these folders, inside factories that close over columns:
  // what is indented twice runs with the cycles. A lint for what V8 makes dear there (docs/architecture.md, "What V8
  // asks for"); test/allocation.test.ts counts what is left.
  const hot = production.filter((f) => /^(engines\/(flit|packet)|fabric|switches\/[^/]+)\//.test(f))
  const loops = /^ {4,}for\s*\(\s*(const|let)\s[^;)]*\sof\s/m
  const makers = /^ {4,}.*(\.(map|filter|forEach|reduce|slice|concat|flatMap)\(|\bArray\.from\(|\[\.\.\.)/m
  /** Files that may, and why. */
  const cold: Readonly<Record<string, string>> = {
    "engines/flit/attribution.ts": "sums of a finished run",
    "engines/flit/engine.ts": "sizes of the columns, before cycle 0",
    "engines/flit/fingerprint.ts": "the text of a hash",
    "engines/flit/transfers/build.ts": "columns and tables, before cycle 0",
    "engines/flit/transfers/engine.ts": "what is on wires, asked between the looks of a run",
    "engines/packet/credit-lists.ts": "credits that do not fit into their list, and epochs",
    "engines/packet/channels.ts": "boxes, before the first event",
    "engines/packet/memory.ts": "once in an epoch",
    "engines/packet/partition.ts": "who owns which router, before the first event",
    "engines/packet/rollback-check.ts": "a check that copies all memory for each event",
    "engines/packet/state.ts": "what a pause writes and reads",
    "engines/packet/wheel.ts": "what a pause writes and reads",
    "engines/packet/worker.ts": "once in an epoch",
    "fabric/flit.ts": "how far columns were used, asked by a snapshot",
    "fabric/packets.ts": "how far columns were used, asked by a snapshot",
    "fabric/switch-rules.ts": "complaints before cycle 0",
    "switches/combined/queues.ts": "complaints before cycle 0",
    "switches/infiniband/tables.ts": "tables and complaints before cycle 0",
    "switches/omni-path/tables.ts": "tables and complaints before cycle 0",
    "switches/omni-path/vfabrics.ts": "complaints before cycle 0",
    "switches/parts/port-tables.ts": "tables and complaints before cycle 0",
    "switches/parts/allocator.ts":
      "allocators that look at a whole router: the one exception that runs with the cycles",
    "switches/queue-scheme/check.ts": "complaints before cycle 0",
    "switches/queue-scheme/model.ts": "sizes and rules before cycle 0",
    "switches/parts/waits.ts": "once, when a network stands still",
    "switches/tiled/check.ts": "complaints before cycle 0",
    "switches/tiled/waits.ts": "once, when a network stands still",
  }
  test("there are some", () => expect(hot.length).toBeGreaterThan(60))
  test.each([
    ["for…of", loops],
    ["array methods, Array.from or spread lists", makers],
  ])("no %s inside functions of the hot loop", (_, wrong) => {
    expect(hot.filter((f) => wrong.test(code(f)) && !(f in cold))).toEqual([])
  })
  test("exceptions are needed", () => {
    expect(Object.keys(cold).filter((f) => !hot.includes(f) || !(loops.test(code(f)) || makers.test(code(f))))).toEqual(
      [],
    )
  })
  test(
    "no function whose last bits the language leaves open, where bits of runs are " +
      "decided: core/logarithm.ts has those that are needed",
    () => {
      const open =
        /Math\.(log|log2|log10|log1p|exp|expm1|pow|sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|cbrt|hypot)\b/
      const exact = production.filter((f) => !nodeUsers.has(folderOf(f)))
      expect(
        exact.filter(
          (f) => f === "core/logarithm.ts" || f === "traffic/inter-arrival.ts" || f.startsWith("engines/packet/"),
        ).length,
      ).toBeGreaterThan(10)
      expect(exact.filter((f) => open.test(code(f)))).toEqual([])
      // above the library too, where what runs is made: patterns and births of the runs beside CODES, batches of a
      // measurement
      expect(
        production.filter(
          (f) =>
            /^(compile|measure|run\/(clocked|packet)|reproduce\/(peers\/codes|routing)|experiment)\//.test(f) &&
            open.test(code(f)),
        ),
      ).toEqual([
        "compile/packet/machine.ts", // how wide a slot of the wheel of events is: costs time, orders nothing
      ])
    },
  )
  test("no Math.random and no Date anywhere in the model: chance is a function of the seed", () => {
    const quiet = production.filter((f) => !nodeUsers.has(folderOf(f)) || f.startsWith("reproduce/routing/"))
    expect(quiet.filter((f) => /Math\.random|Date\.now|new Date/.test(code(f)))).toEqual([])
  })
})
