import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { said } from "../../test/support/cli.ts"

const run = (...args: string[]) => said(args)

const folder = mkdtempSync(join(tmpdir(), "lacewing-topology-"))
afterAll(() => rmSync(folder, { recursive: true }))

describe("lacewing topology", () => {
  it.each([3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 25, 27])(
    "slimfly q=%i: 2q² routers, degree (3q - d) / 2, diameter 2",
    async (q) => {
      const { code, out } = await run("topology", "slimfly", `q=${q}`, "--json", "--no-bisection")
      expect(code).toBe(0)
      const d = q % 4 === 3 ? -1 : q % 4
      expect(JSON.parse(out)).toMatchObject({
        routers: 2 * q * q,
        diameter: 2,
        degrees: { [(3 * q - d) / 2]: 2 * q * q },
      })
    },
  )
  it("prints the ports of a router", async () => {
    const line = await run("topology", "mesh", "sides=3", "p=2", "--router", "0", "--json")
    // Two directions along the line, of which one ends at the edge, and two endpoints.
    expect(JSON.parse(line.out)).toEqual({
      router: 0,
      label: "(0)",
      ports: [
        { port: 0, to: { router: 1, label: "(1)", port: 1 }, class: "link" },
        { port: 1 },
        { port: 2, to: { endpoint: 0 }, class: "end" },
        { port: 3, to: { endpoint: 1 }, class: "end" },
      ],
    })
    expect((await run("topology", "mesh", "sides=3", "p=2", "--router", "1")).out).toContain("router 2 (2)")
    const bad = await run("topology", "mesh", "sides=3", "--router", "3")
    expect(bad.code).toBe(2)
    expect(bad.err).toContain("choose a number from 0 to 2")
  })
  it("lists all topologies without a name", async () => {
    const { out } = await run("topology", "--json")
    const names = JSON.parse(out).map((t: { name: string }) => t.name)
    for (const name of ["slimfly", "fitfly", "megafly", "dragonfly", "torus", "hyperx", "tree", "graph"])
      expect(names).toContain(name)
    expect((await run("topology")).out).toContain("polarfly")
  })
  it("exports to a file that it can read again", async () => {
    const file = join(folder, "net.json")
    expect((await run("topology", "megafly", "groups=3", "--export", "json", "--out", file)).err).toContain(
      "characters",
    )
    const { out } = await run("topology", "graph", `file=${file}`, "--json")
    expect(JSON.parse(out)).toMatchObject({ endpoints: 48, routers: 24 })
    expect((await run("topology", "clos", "--export", "svg")).out).toContain("</svg>")
    expect((await run("topology", "clos", "--export", "edges")).out).toContain("end 7 4")
  })
  const wrong: [string, string[], string][] = [
    ["q = 6", ["slimfly", "q=6"], "choose q = 5 or 7"],
    ["q = 12", ["slimfly", "q=12"], "choose q = 11 or 13"],
    ["k = 1", ["torus", "k=1", "n=2"], "topology.k: 1 is too small"],
    ["a side of 1", ["hyperx", "sides=4x1"], "topology.sides.1: 1 is too small"],
    ["odd h with circulant", ["dragonfly", "p=3", "a=6", "h=3", "arrangement=circulant"], "topology."],
    ["groups that cannot be wired", ["dragonfly", "p=2", "a=4", "h=2", "g=20"], "topology."],
    ["10^9 endpoints", ["torus", "sides=1000x1000x1000"], "373 GiB, 4 GiB are allowed"],
    ["a wrong name", ["slimfyl"], 'did you mean "slimfly"?'],
    ["a wrong parameter", ["slimfly", "Q=5"], 'did you mean "q"?'],
    ["no pair", ["slimfly", "5"], "write NAME=VALUE"],
    ["a file that is not there", ["graph", "file=/nowhere/at/all"], "cannot be read"],
    ["a wrong book", ["clos", "--prices", "fitfly-ed"], 'did you mean "fitfly-edr"?'],
    ["a wrong form", ["clos", "--export", "png"], "Allowed choices"],
  ]
  it.each(wrong)("%s: exit 2 with the reason", async (_, args, says) => {
    const { code, err } = await run("topology", ...args)
    expect(code).toBe(2)
    expect(err).toContain(says)
  })
  it("a disconnected edge list and a link written twice", async () => {
    const file = join(folder, "parts.txt")
    writeFileSync(file, "a b\nb a\nc d\n")
    const { code, err } = await run("topology", "graph", `file=${file}`)
    expect(code).toBe(2)
    expect(err).toContain("is written twice")
    expect(err).toContain("no path between routers a and c")
  })
  it("complaints as data", async () => {
    const { out } = await run("topology", "slimfly", "q=6", "--json")
    expect(JSON.parse(out)).toMatchObject({ ok: false, complaints: [{ path: "topology.q" }] })
  })
})

describe("lacewing cost", () => {
  it("prints rows and total", async () => {
    const { out } = await run("cost", "slimfly", "q=13", "p=9", "--json")
    expect(JSON.parse(out)).toMatchObject({
      total: { price: 9_501_856, links: 6253, watts: null },
      rows: [{ item: "router", count: 338 }, {}, {}, {}],
    })
    expect((await run("cost", "slimfly", "q=13", "p=9")).out).toContain("9,501,856")
  })
  it("takes a price book from a file", async () => {
    const file = join(folder, "book.yaml")
    writeFileSync(
      file,
      "base: fitfly-edr\nname: ours\nrouter: { price: 1000, watts: 100 }\ncables: [{ medium: optical, price: 10, watts: 1 }]\n",
    )
    // 12 routers, 32 endpoint links and 32 others
    expect(JSON.parse((await run("cost", "clos", "--prices", file, "--json")).out).total).toMatchObject({
      price: 12_000 + 640,
      watts: 1264,
    })
    expect(readFileSync(file, "utf8")).toContain("ours")
    writeFileSync(file, "router: { prize: 1 }\n")
    expect((await run("cost", "clos", "--prices", file)).err).toContain('did you mean "price"?')
  })
})
