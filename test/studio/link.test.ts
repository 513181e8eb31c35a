// Links: a round trip, and whatever else may stand in a fragment. More: node scripts/fuzz-link.mjs.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { deflateRawSync } from "node:zlib"
import { expect, test } from "vitest"
import { draw } from "../../src/core/rng.ts"
import { liveLink, wrongHost } from "../../src/results/live/link.ts"
import { planned } from "../../studio/planner/planner.ts"
import { FORM, fragmentOf, type Linked, MOST_FRAGMENT, readFragment } from "../../studio/shared/link.ts"

import { made } from "../fixtures/records.ts"
import { root } from "../support/build.ts"

const linked: Linked = {
  form: FORM,
  version: "0.1.0",
  text: "lacewing: 1\ntitle: é ∞\n",
  run: 2,
  cycle: 1234,
  heat: "stall",
  fingerprint: "0011223344556677",
}
const packed = (json: string) => deflateRawSync(Buffer.from(json)).toString("base64url")
const bad = async (fragment: string) => {
  const read = await readFragment(fragment)
  return "bad" in read ? read.bad : "accepted"
}

test("a link comes back as it was, and is the same for the same state", async () => {
  const made = await fragmentOf(linked)
  if ("bad" in made) throw new Error(made.bad)
  expect(made.ok).toMatch(/^[A-Za-z0-9_-]+$/)
  expect(await readFragment(made.ok)).toEqual({ ok: linked })
  expect(await fragmentOf({ ...linked })).toEqual(made)
  const other: Linked = {
    ...linked,
    ...{ story: "deadlock", matrix: true, colouring: "source" },
    selected: { side: "B", kind: "packet", key: -5, from: 3, createdAt: 7.5 },
    other: { set: ["traffic.0.load=0.5"], cycle: 9, fingerprint: "8877" },
  }
  const two = await fragmentOf(other)
  expect("ok" in two && (await readFragment(two.ok))).toEqual({ ok: other })
})

test("a link of the first format is read, and a selection that is none is left out", async () => {
  expect(await readFragment(packed(JSON.stringify({ ...linked, form: 1 })))).toEqual({ ok: linked })
  for (const selected of [{}, { side: "C", kind: "diagnosis" }, { side: "A", kind: "router", number: -1 }, "A"])
    expect(await readFragment(packed(JSON.stringify({ ...linked, selected })))).toEqual({ ok: linked })
})

test("a report links a stored run to a hosted studio, which plans the same run and plays it", async () => {
  const curve = readFileSync(join(root, "experiments/first-curve/experiment.yaml"), "utf8")
  const plan = async (text: string) => {
    const found = await planned(text, "experiment.yaml", {})
    if ("bad" in found) throw new Error(JSON.stringify(found.bad))
    return found.ok
  }
  const run = (await plan(curve)).runs[70]
  const record = { ...made(), ...run }
  const link = liveLink("https://example.org/v1/#old", record, "Curves")!
  expect(link).toMatch(/^https:\/\/example\.org\/v1\/#[\w-]+$/)
  const read = await readFragment(new URL(link).hash.slice(1))
  if ("bad" in read) throw new Error(read.bad)
  // Without a fingerprint, the studio plays from cycle 0.
  expect(read.ok).toMatchObject({ form: FORM, run: 0, cycle: 0, fingerprint: "" })
  const { title, runs } = await plan(read.ok.text)
  expect(title).toBe(`Curves, ${run.point["pattern"]}, ${run.point["routing"]}, load ${run.point["load"]}`)
  expect(runs.map(({ hash, seed }) => [hash, seed])).toEqual([[run.hash, run.seed]])
  expect(liveLink("https://example.org/", { ...record, spec: { ...record.spec, engine: { name: "ideal" } } }, "")).toBe(
    undefined,
  )
  expect([wrongHost("example.org"), wrongHost("file:///x"), wrongHost("http://[::1]:8080/a/")]).toEqual([
    expect.stringMatching(/https:\/\/example\.org\/studio/),
    expect.stringMatching(/begins with https/),
    undefined,
  ])
})

test("what does not fit into an address is said to be a file's", async () => {
  const noise = Array.from({ length: 20_000 }, (_, i) => String.fromCharCode(33 + (Math.abs(draw(1, i)) % 90))).join("")
  const made = await fragmentOf({ ...linked, text: noise })
  expect("bad" in made && made.bad).toMatch(/Save it as a file/)
})

test("explains a link that is broken, newer or not from the studio in a sentence", async () => {
  const made = await fragmentOf(linked)
  const good = "ok" in made ? made.ok : ""
  expect(await bad(good.slice(0, -9))).toMatch(/it is truncated/)
  expect(await bad(`${good.slice(0, 9)}!${good.slice(9)}`)).toMatch(/invalid characters/)
  expect(await bad("")).toMatch(/it is truncated/)
  expect(await bad("x".repeat(MOST_FRAGMENT + 1))).toMatch(/more than the limit of 8192/)
  expect(await bad(packed(JSON.stringify({ ...linked, form: 7 })))).toMatch(/newer studio/)
  expect(await bad(packed(JSON.stringify({ ...linked, cycle: -1 })))).toMatch(/impossible run or cycle/)
  expect(await bad(packed('{"a":1}'))).toMatch(/not from the studio/)
  expect(await bad(packed("[1]"))).toMatch(/no experiment/)
  expect(await bad(packed("{"))).toMatch(/no JSON/)
  // a megabyte of zeros in a hundred characters
  expect(await bad(packed("0".repeat(4 * 2 ** 20)))).toMatch(/cannot be unpacked/)
})

test("2,000 fuzzed fragments: an answer each, no exception", async () => {
  const made = await fragmentOf(linked)
  const good = "ok" in made ? made.ok : ""
  let accepted = 0
  for (let i = 0; i < 2000; i++) if ("ok" in (await readFragment(mutated(good, i)))) accepted++
  // changes of the last bits may leave the words as they are; most do not
  expect(accepted).toBeLessThan(400)
})

function mutated(good: string, i: number): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ %\u0000é"
  const at = (k: number, n: number) => Math.abs(draw(i, k)) % n
  let text =
    i % 3 === 0 ? Array.from({ length: at(0, 300) }, (_, k) => letters[at(k + 9, letters.length)]).join("") : good
  for (let k = 0; k < 1 + at(1, 4); k++) {
    const place = at(10 * k + 2, text.length + 1)
    const how = at(10 * k + 3, 4)
    const letter = letters[at(10 * k + 4, letters.length)]
    text =
      how === 0
        ? text.slice(0, place)
        : how === 1
          ? text.slice(0, place) + letter + text.slice(place + 1)
          : how === 2
            ? text.slice(0, place) + letter + text.slice(place)
            : text.slice(place) + text.slice(0, place)
  }
  return text
}
