// The server of the studio: who may ask, and for what.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { givenBy } from "../../src/cli/studio/given.ts"
import { type Serving, serve } from "../../src/cli/studio/server.ts"
import { root } from "../support/build.ts"

let folder = ""
let serving: Serving
let token = ""

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "lacewing-studio-"))
  mkdirSync(join(folder, "site"))
  mkdirSync(join(folder, "own"))
  writeFileSync(join(folder, "site/index.html"), "<!doctype html>\n<meta charset=utf-8><title>page</title>")
  writeFileSync(join(folder, "site/page.js"), "1")
  writeFileSync(join(folder, "own/e.yaml"), "lacewing: 1\n")
  writeFileSync(join(folder, "own/secret.txt"), "secret")
  writeFileSync(join(folder, "secret.txt"), "secret")
  symlinkSync(join(folder, "secret.txt"), join(folder, "own/link.yaml"))
  symlinkSync(join(folder, "secret.txt"), join(folder, "site/link.js"))
  serving = await serve(join(folder, "site"), {
    folder: join(folder, "own"),
    experiment: "e.yaml",
    files: ["link.yaml", "../secret.txt"],
  })
  token = new URL(serving.address).pathname
})
afterAll(() => {
  serving.server.close()
  rmSync(folder, { recursive: true })
})

function get(
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<{ status: number; text: string; headers: Record<string, unknown> }> {
  const { port, hostname } = new URL(serving.address)
  return new Promise((resolve, reject) => {
    const asked = request(
      { port, hostname, path, method, headers, setHost: headers["Host"] === undefined },
      (response) => {
        let text = ""
        response.on("data", (d) => (text += d))
        response.on("end", () => resolve({ status: response.statusCode!, text, headers: response.headers }))
      },
    )
    asked.on("error", reject)
    asked.end()
  })
}

describe("what is served", () => {
  test("the page, its files and what was given, with the headers that shared memory needs", async () => {
    const page = await get(token)
    expect([page.status, page.text.includes("<title>page"), page.text.includes('name="served"')]).toEqual([
      200,
      true,
      true,
    ])
    expect(page.headers).toMatchObject({
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-embedder-policy": "require-corp",
    })
    expect(String(page.headers["content-security-policy"])).toContain("default-src 'self'")
    expect((await get(`${token}page.js`)).text).toBe("1")
    expect((await get(`${token}given/e.yaml`)).text).toBe("lacewing: 1\n")
    expect(JSON.parse((await get(`${token}given.json`)).text)).toEqual({
      experiment: "e.yaml",
      files: ["link.yaml", "../secret.txt"],
    })
  })

  test.each([
    ["no token", "/", 403],
    ["another token", "/aaaaaaaaaaaaaaaaaaaaaaaa/", 403],
    ["a file that was not given", "given/secret.txt", 404],
    ["a path that leaves the folder", "given/..%2fsecret.txt", 404],
    ["the same, named by mistake", "given/../secret.txt", 404],
    ["a link that leaves the folder", "given/link.yaml", 404],
    ["a link that leaves the site", "link.js", 404],
    ["a path that leaves the site", "..%2f..%2fsecret.txt", 404],
    ["the same, plain", "../secret.txt", 404],
    ["what is not there", "nothing.js", 404],
    ["a folder", "given/", 404],
    ["nonsense", "%zz", 400],
  ])("%s: refused, and nothing of it is told", async (_, path, status) => {
    const got = await get(path.startsWith("/") ? path : token + path)
    expect(got.status).toBe(status)
    expect(got.text).not.toContain("secret")
  })

  test("a foreign Host, and other methods", async () => {
    expect((await get(token, { Host: "evil.example" })).status).toBe(403)
    expect((await get(token, { Host: `evil.example:${new URL(serving.address).port}` })).status).toBe(403)
    expect((await get(token, { Host: `localhost:${new URL(serving.address).port}` })).status).toBe(200)
    expect((await get(token, {}, "POST")).status).toBe(405)
  })
})

describe("what is given", () => {
  test("a results folder, also the files that a run adds later", async () => {
    const results = join(folder, "results")
    mkdirSync(join(results, "runs"), { recursive: true })
    writeFileSync(join(results, "manifest.json"), "{}")
    const got = await givenBy(results)
    if ("bad" in got) throw new Error(JSON.stringify(got.bad))
    const { address, server } = await serve(join(folder, "site"), got.ok)
    const json = async () => (await fetch(`${address}given.json`)).json() as Promise<{ stamps: Record<string, string> }>
    const first = await json()
    expect(Object.keys(first.stamps)).toEqual(["manifest.json"])
    expect((await fetch(`${address}given/runs/1.json`)).status).toBe(404)
    writeFileSync(join(results, "runs/1.json"), "[1]")
    writeFileSync(join(results, "manifest.json"), "{} ")
    const second = await json()
    expect(Object.keys(second.stamps).sort()).toEqual(["manifest.json", "runs/1.json"])
    expect(second.stamps["manifest.json"]).not.toBe(first.stamps["manifest.json"])
    expect(await (await fetch(`${address}given/runs/1.json`)).text()).toBe("[1]")
    server.closeAllConnections()
    server.close()
  })
  test("an experiment, with the texts beside it", async () => {
    const got = await givenBy(join(root, "test/fixtures/files/experiment.yaml"))
    if ("bad" in got) throw new Error(JSON.stringify(got.bad))
    expect(got.ok.experiment).toBe("experiment.yaml")
    expect([...got.ok.files!].sort()).toEqual(expect.arrayContaining(["base.yaml", "ring.edges"]))
  })
  test("a file that is not ours is said to be none", async () => {
    const got = await givenBy(join(folder, "own/secret.txt"))
    expect("bad" in got && got.bad.length).toBeGreaterThan(0)
    expect("bad" in (await givenBy(join(folder, "nowhere.yaml")))).toBe(true)
  })
})
