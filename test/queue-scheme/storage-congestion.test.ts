// Storage traffic that congests, from a block trace: requests for one disk exceed its link, and FBICM keeps them apart
// from the others. Without detection, the same switch lets them block the others.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { run } from "../../src/api.ts"

const dir = mkdtempSync(join(tmpdir(), "lacewing-storage-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const HOSTS = 8
const ends = Array.from({ length: 16 }, (_, e) => e)
const hosts = ends.filter((e) => e % 2 === 0)
const disks = ends.filter((e) => e % 2 === 1)

/** MSR Cambridge: time in 100 ns, host, disk, type, offset, bytes, response time. Each third request is for disk 0. */
const REQUESTS = 600
const rows = Array.from({ length: REQUESTS }, (_, i) => {
  const disk = i % 3 === 0 ? 0 : 1 + ((2 * Math.floor(i / 3) + (i % 3) - 1) % 7)
  return `${128166372000000000 + 1000 * i},web,${disk},Write,${8192 * i},2048,100`
})

test("a block trace that overloads one disk: FBICM carries the rest, and 1Q does not", async () => {
  const file = join(dir, "msr.csv")
  writeFileSync(file, `${rows.join("\n")}\n`)
  const load = 0.75
  const done = await run({
    lacewing: 1,
    network: {
      topology: { name: "tree", k: 4, n: 2 },
      routing: "tree.destination-digit",
      switch: { name: "queue-scheme" },
      endpoint: { name: "adapter", injection: "copy", backlog: 8192 },
      links: { end: "1ns", link: "1ns" },
      cycle: "1ns",
      flit: "1B",
    },
    traffic: { packet: "64flits", load, pattern: { name: "block-trace", file, hosts, disks, spread: "alike" } },
    measure: { warmup: "50us", window: "200us", limit: "250us", drain: "none", saturation: "never" },
    variants: Object.fromEntries(
      Object.entries({
        VOQnet: { scheme: "voq-network" },
        FBICM: { scheme: "fbicm-2" },
        off: { scheme: "fbicm-2", detection: "off" },
        "1Q": { scheme: "1q" },
      }).map(([name, sw]) => [name, { network: { switch: sw } }]),
    ),
  })
  if ("bad" in done) throw new Error(done.bad.map((c) => `${c.path}: ${c.says}`).join("; "))
  const accepted = (name: string) =>
    Number(done.ok.records.find((r) => r.point["variant"] === name)!.result.values["accepted"])
  // A third of 8 * 0.75 bytes a ns goes to disk 0, whose link carries 1; the other 4 go to 7 disks: 5 of 16 links.
  const most = (1 + (2 / 3) * HOSTS * load) / ends.length
  expect(most).toBe(5 / 16)
  expect(accepted("VOQnet") / most).toBeGreaterThan(0.95)
  expect(accepted("FBICM") / most).toBeGreaterThan(0.95)
  // In one queue, packets to disk 0 block the others for a part of the time.
  expect(accepted("1Q") / most).toBeLessThan(0.9)
  // Without detection, FBICM is one queue.
  expect(accepted("off")).toBe(accepted("1Q"))
})
