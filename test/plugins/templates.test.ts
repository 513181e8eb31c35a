// The templates plugin-KIND of `lacewing init`: each writes a module of the gallery, and an experiment that uses it and
// runs as it is written.
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { run } from "../../src/api.ts"
import type { Io } from "../../src/cli/command.ts"
import { main } from "../../src/cli/program.ts"
import { outsideKinds } from "../../src/experiment/outside/shape.ts"
import { pluginStarters } from "../../src/experiment/starters/plugins.ts"
import { paintFor } from "../../src/terminal/paint.ts"
import { load } from "./support.ts"

const folder = mkdtempSync(join(tmpdir(), "lacewing-templates-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Kinds of plug-ins that the template of patterns contains, too. */
const inOthers = ["arrivals", "sizes"]

test("there is one for each kind", () => {
  const kinds = outsideKinds.filter((k) => !inOthers.includes(k)).map((k) => (k === "qos" ? "scheduler" : k))
  expect(Object.keys(pluginStarters).sort()).toEqual(kinds.map((k) => `plugin-${k}`).sort())
})

describe.each(Object.keys(pluginStarters))("%s", (name) => {
  test("writes a module, a test and an experiment that runs", async () => {
    const out: string[] = []
    const io: Io = {
      out: (text) => void out.push(text),
      err: (text) => void out.push(text),
      raw: (text) => void out.push(text),
      live: false,
      width: 100,
      paint: paintFor({ isTTY: false }, {}),
    }
    const file = join(folder, name, "mine.yaml")
    expect(await main(["init", file, "--template", name], io), out.join("\n")).toBe(0)
    const kind = name.replace("plugin-", "")
    const { plugins } = await load(join(folder, name, `my-${kind}.mjs`))
    const kinds = plugins.map((p) => ("reader" in p ? "trace" : p.kind))
    expect(kinds).toContain(kind === "scheduler" ? "qos" : kind)
    const test = readFileSync(join(folder, name, `my-${kind}.test.mjs`), "utf8")
    expect(test).toContain("node --test")
    // The test names the experiment that was written.
    expect(test).toContain('"check", "mine.yaml", "--quick"')
    const done = await run(file, { workers: 1 })
    if ("bad" in done) throw new Error(done.bad.map((c) => `${c.path}: ${c.says}; ${c.fix}`).join("\n"))
    expect(done.ok.failures).toEqual([])
    expect(done.ok.records.length).toBeGreaterThan(0)
  })
})
