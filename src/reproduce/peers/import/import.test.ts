// Every recorded configuration of BookSim2 and CODES, written as its file, imports to the run that `validate` makes of
// it.
import { existsSync, readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { compileNetwork } from "../../../compile/build-network.ts"
import { canonical } from "../../../core/canonical.ts"
import { Sha256 } from "../../../core/sha256.ts"
import { plan } from "../../../experiment/plan.ts"
import { plainSource, yamlSource } from "../../../experiment/source.ts"
import type { NetworkSpec } from "../../../model/experiment.ts"
import { prepare, simulate } from "../../../run/open.ts"
import { type Entry, entries, refused, specOf } from "../booksim2/config.ts"
import { codesEntries, codesNetwork } from "../codes/experiments.ts"
import { codesSpec } from "../codes/network.ts"
import { codesParams } from "../codes/params.ts"
import { codesConf, confText } from "../codes/program.ts"
import { importBookSim2 } from "./booksim2.ts"
import { importCodes } from "./codes.ts"

const host = { read: () => "" }
/** One of nine, or all with LACEWING_ALL=1, which takes twenty seconds. */
const taken = (i: number) => process.env["LACEWING_ALL"] === "1" || i % 9 === 0
const shared = new URL("../../../../../shared/reference/", import.meta.url)

/** Of the specification alone, whatever the build; that a file is to be watched for a deadlock is no part of the
 *  mapping. */
function hashOf(source: Parameters<typeof plan>[0]["source"]): string {
  const got = plan({ source, host, name: "x" }, { seeds: [1], set: ["measure.deadlock=stop"] })
  if ("bad" in got) throw new Error(got.bad.map((b) => `${b.path} ${b.says}`).join("; "))
  return new Sha256().update(canonical(got.ok.runs[0].spec)).hex()
}

function ofYaml(yaml: string): string {
  const source = yamlSource("x.yaml", yaml)
  if ("bad" in source) throw new Error(source.bad[0].says)
  return hashOf(source.ok)
}

/** What `validate` runs, as an experiment. */
function ofSpec(e: Entry): string {
  const { seed: _, ...spec } = specOf(e, 1)
  return hashOf(plainSource("x", { lacewing: 1, ...spec }))
}

function conf(config: Readonly<Record<string, unknown>>): string {
  return Object.entries(config)
    .map(([key, value]) => `${key} = ${value};\n`)
    .join("")
}

function imported(e: Entry, config: Readonly<Record<string, unknown>> = e.config): string {
  const got = importBookSim2("x.conf", conf(config), e.saturated ? e.cycles : undefined)
  return "bad" in got ? `refused ${got.bad.map((b) => b.path).join()}` : ofYaml(got.ok.yaml)
}

describe("BookSim2", () => {
  const all = entries()
  const before = all.map((e) => {
    const bad = refused(e.config)
    return bad.length > 0 ? `refused ${bad.map((b) => b.path).join()}` : ofSpec(e)
  })
  test("what validate runs is what it ran before the mapping could tell its keys", () => {
    const text = all.map((e, i) => `${e.id}\t${before[i]}\n`).join("")
    expect(new Sha256().update(text).hex()).toBe("c29cbe285e8adfe8c1a2ffe53adb4eb001e794bbcdd34d800e83e1d142f1183d")
  })
  test("recorded configurations import to these runs, or name the key", () => {
    const wrong = all.filter((e, i) => taken(i) && imported(e) !== before[i])
    expect(wrong.map((e) => e.id)).toEqual([])
    // allocators that are left out
    expect(before.filter((b) => b.startsWith("refused"))).toEqual(
      Array.from({ length: 4 }, () => "refused vc_allocator,sw_allocator"),
    )
  })
  test("so do those of the reference, with all their keys", (context) => {
    const file = new URL("booksim2/runs.json", shared)
    if (!existsSync(file)) context.skip("the reference is not beside the project")
    const runs = JSON.parse(readFileSync(file, "utf8")) as { id: string; config: Record<string, unknown> }[]
    expect(runs.length).toBe(613)
    const known = new Map(all.map((e, i) => [e.id, { e, hash: before[i] }]))
    // seven were measured again with longer samples
    const period = (config: Readonly<Record<string, unknown>>) => String(config["sample_period"])
    const same = runs.filter(({ id, config }) => period(config) === period(known.get(id)!.e.config))
    expect(runs.length - same.length).toBe(7)
    expect(
      same
        .filter(({ id, config }, i) => taken(i) && imported(known.get(id)!.e, config) !== known.get(id)!.hash)
        .map((r) => r.id),
    ).toEqual([])
  })
  test("every line says where it comes from, and keys without a line are named", () => {
    const got = importBookSim2(
      "a/mesh.conf",
      "// a mesh\ntopology = mesh;\nk = 4; n = 2;\nrouting_function = dor;\nseed = 7;\nsim_power = 1;\n",
    )
    if ("bad" in got) throw new Error(got.bad[0].says)
    const lines = got.ok.yaml.trimEnd().split("\n")
    const body = lines.slice(lines.indexOf("") + 1)
    expect(body.filter((l) => !l.includes("  # "))).toEqual([])
    expect(body.length).toBeGreaterThan(40)
    expect(got.ok.yaml).toMatch(/^ {4}k: 4 +# k = 4$/m)
    expect(got.ok.yaml).toMatch(/^ {4}vcs: 16 +# num_vcs not given: 16$/m)
    expect(got.ok.yaml).toMatch(/^ {4}buffer: 8flits +# buf_size not given: -1; vc_buf_size not given: 8$/m)
    expect(got.ok.without.map((w) => w.key)).toEqual(["seed", "sim_power"])
    expect(lines).toContain("#   seed = 7: seeds are given apart: from the same one BookSim2 draws other packets")
  })
  const mesh = "topology = mesh; k = 4; n = 2; routing_function = dor; num_vcs = 4;"
  const ranges = ["request_begin_vc = 0", "request_end_vc = 1", "reply_begin_vc = 2", "reply_end_vc = 3"]
  const halves = ["read", "write"].flatMap((what) => ranges.map((range) => `${what}_${range};`)).join("")
  test.each([
    ["priority = age with iSLIP", "priority = age;"],
    ["priority = class with iSLIP", "classes = 2; class_priority = {0,3}; priority = class;"],
    ["replies as a list", `use_read_write = {1}; ${halves}`],
    ["more than a flit in each cycle", "packet_size = 4; injection_rate = 0.6;"],
    ["matrix arbiters", "vc_allocator = separable_input_first(matrix); sw_allocator = separable_input_first(matrix);"],
  ])("a file that is handed out runs: %s", async (_, more) => {
    const got = importBookSim2("x.conf", `${mesh} ${more} sample_period = 50;`)
    if ("bad" in got) throw new Error(got.bad[0].says)
    const source = yamlSource("x.yaml", got.ok.yaml)
    const made = "bad" in source ? source : plan({ source: source.ok, host, name: "x" })
    if ("bad" in made) throw new Error(made.bad[0].says)
    const ready = prepare(made.ok.runs[0].spec, host)
    if ("bad" in ready) throw new Error(ready.bad[0].says)
    expect((await simulate(ready.ok)).values["accepted"]).toBeGreaterThan(0.05)
  })
  test("what run refuses before cycle 0 is refused by the key that it came from", () => {
    // the plan of this file is in order; the network is not: a torus needs two VCs for each class
    const torus = "topology = torus; k = 4; n = 2; routing_function = dim_order; num_vcs = 1;"
    const got = importBookSim2("x.conf", torus)
    expect("bad" in got && got.bad.map((b) => `${b.path}: ${b.says}`)).toEqual([
      'topology, routing_function: as network.routing: "torus.dimension-order" needs 2 VCs, but the switch has 1',
    ])
  })
  test("ranges of VCs say what became of them", () => {
    const got = importBookSim2("x.conf", `${mesh} use_read_write = {1}; ${halves}`)
    expect("ok" in got && got.ok.without.map((w) => w.why)).toEqual(
      Array(8).fill("requests have the lower half of the VCs here and replies the upper half, as the file says"),
    )
  })
  test("a VC allocator that is known to differ is told in its line", () => {
    const got = importBookSim2("x.conf", `${mesh} vc_allocator = pim(2);`)
    expect("ok" in got && got.ok.yaml).toMatch(
      /^ {4}vcAllocator: "pim\(2\)" +# vc_allocator = pim\(2\); .*near saturation results differ/m,
    )
  })
})

describe("CODES", () => {
  const run = codesEntries().filter(
    (e, i, all) => all.findIndex((x) => JSON.stringify(codesParams(x)) === JSON.stringify(codesParams(e))) === i,
  )
  function networkOf(text: string): NetworkSpec | string {
    const got = importCodes("x.conf", text)
    if ("bad" in got) return got.bad.map((b) => `${b.path}: ${b.says}`).join("; ")
    const source = yamlSource("x.yaml", `${got.ok.yaml}traffic: { pattern: uniform, load: 0.1, packet: 64B }\n`)
    const made = "bad" in source ? source : plan({ source: source.ok, host, name: "x" })
    if ("bad" in made) throw new Error(made.bad[0].says)
    return made.ok.runs[0].spec.network
  }
  const machine = (spec: NetworkSpec) => {
    const got = compileNetwork(spec, 1, 1, host)
    if ("bad" in got) throw new Error(got.bad[0].says)
    const { topology, switch: chunk, endpoint, boundRouting } = got.ok
    return {
      ends: topology.graph.ends,
      routing: boundRouting.name,
      chunk,
      endpoint,
      latency: [...new Set(topology.graph.latency)],
    }
  }
  test("the file that CODES was given imports to the network that validate runs", () => {
    const small = run.filter((e) => Number(e.network.slice(2)) < 1000)
    expect(small.length).toBe(9)
    for (const e of small)
      expect(machine(networkOf(codesConf(e, "/conf")) as NetworkSpec)).toEqual(machine(codesSpec(codesParams(e))))
    expect(codesNetwork(small[0], 1).chunk.buffer).toBe(65536)
  })
  test("of the 43 of the reference those of fat tree and torus are named as not modelled", (context) => {
    const file = new URL("codes/runs.json", shared)
    if (!existsSync(file)) context.skip("the reference is not beside the project")
    type Block = Record<string, string | number | (string | number)[]>
    const { configs } = JSON.parse(readFileSync(file, "utf8")) as {
      configs: Record<string, { LPGROUPS: Block; PARAMS: Block }>
    }
    const texts = (of: Block) =>
      Object.entries(of).map(([k, v]): [string, string] => [k, Array.isArray(v) ? v.join() : String(v)])
    const got = Object.entries(configs).map(
      ([name, c]) => [name, networkOf(confText(texts(c.LPGROUPS), texts(c.PARAMS)))] as const,
    )
    expect(got.length).toBe(43)
    const refusedOnes = got.filter(([, n]) => typeof n === "string")
    expect(refusedOnes.map(([name]) => name.split("_")[0])).toEqual(["fattree", "fattree", "torus", "torus", "torus"])
    expect(refusedOnes.map(([, n]) => n)).toContain("modelnet_order: torus: this network of CODES is not modelled")
    const params = new Set(run.map((e) => JSON.stringify(codesSpec(codesParams(e)).switch)))
    expect(params.size).toBeGreaterThan(3)
  })
  test("arguments of the driver become traffic", () => {
    const e = run.find((x) => x.network === "sf200")!
    const driver =
      "--traffic=1 --load_per_svr=0.5 --payload_size=4096 --warm_up_time=20000 " +
      "--end=100000 --num_messages=100000000 --sync=1"
    const got = importCodes("x.conf", codesConf(e, "/conf"), driver)
    if ("bad" in got) throw new Error(got.bad[0].says)
    expect(got.ok.yaml).toMatch(/^ {4}load: 0.5 +# --load_per_svr = 0.5$/m)
    expect(got.ok.yaml).toMatch(/^ {2}window: 80000ns /m)
    expect(ofYaml(got.ok.yaml)).toMatch(/^[0-9a-f]{64}$/)
  })
})

describe("files of others", () => {
  const says = (
    text: string,
    tool: (file: string, text: string) => ReturnType<typeof importBookSim2> = importBookSim2,
  ) => {
    const got = tool("f", text)
    return "bad" in got ? `${got.bad[0].says} -> ${got.bad[0].fix}` : ""
  }
  test.each([
    ["LPGROUPS\n{\n}\nPARAMS\n{\n}\n", "is a configuration of CODES, not one of BookSim2 -> lacewing import codes f"],
    ["lacewing: 1\n", "is an experiment of lacewing, not one of BookSim2 -> run it: lacewing run f"],
    ["import sst\n", "is a Python script of SST -> there is no importer for it"],
    ['{ "network": { "topology": "torus" } }', "is a JSON configuration, as SuperSim has them"],
    ["Configuration {\n}\n", "is a configuration of CAMINOS"],
    ["", "is an empty file"],
    ["a\0b", "is a binary file"],
    ["hello\n", "is no configuration of BookSim2 nor of CODES"],
  ])("%j for BookSim2", (text, said) => expect(says(text)).toContain(said))
  test("one of BookSim2 for CODES", () => {
    expect(says("topology = mesh;\n", importCodes)).toBe(
      "is a configuration of BookSim2, not one of CODES -> lacewing import booksim2 f",
    )
  })
  test("lines that are no settings, values that are none", () => {
    expect(says("topology = mesh; k = 4;\nn 2;\n")).toBe('"n 2" is no setting -> write key = value;')
    expect(says("topology = mesh; routing_function = dor; k = four;")).toBe("four: is no number -> write a number")
    expect(says("topology = mesh; routing_function = dor; k = 1;")).toContain("as network.topology.k:")
    expect(says('PARAMS {\nmodelnet_order=("slimfly","slimfly_router");\n}\n', importCodes)).toContain(
      "is missing, and CODES' own default is not mapped",
    )
    expect(says('PARAMS {\nmodelnet_order=("slimfly"\n}\n', importCodes)).toContain("is neither a block nor a setting")
  })
})

test("an imported rule that can deadlock is to be watched, others are proved first", () => {
  const yaml = (config: Readonly<Record<string, unknown>>) => {
    const got = importBookSim2("x.conf", conf(config))
    return "ok" in got ? got.ok.yaml : got.bad.map((b) => `${b.path}: ${b.says}`).join("; ")
  }
  const torus = (vcs: number) => ({ topology: "torus", k: 4, n: 2, routing_function: "dim_order", num_vcs: vcs })
  expect(yaml(torus(3))).toMatch(/^ {2}deadlock: watch/m)
  expect(yaml(torus(4))).not.toContain("deadlock")
})
