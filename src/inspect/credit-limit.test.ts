// The bound of short buffers: what one flow through a link really gets, and that the proposed value is enough.
import { describe, expect, test } from "vitest"
import { hostAt } from "../experiment/disk/host.ts"
import { plan } from "../experiment/plan.ts"
import { plainSource } from "../experiment/source.ts"
import { run } from "../index.ts"
import { creditNotes } from "./credit-limit.ts"

type Switch = Readonly<Record<string, string | number>>

/** Each link of a 2 x 2 mesh has one flow at most, so a flow gets what the credits of one link allow. */
const experiment = (sw: Switch, link: number, packet: number) => ({
  lacewing: 1 as const,
  network: {
    topology: { name: "mesh", sides: "2x2" },
    routing: "mesh.dimension-order",
    switch: { name: "input-queued", vcs: 1, ...sw },
    links: { link: `${link}cycles`, end: "1cycle" },
  },
  traffic: { pattern: "neighbour", arrivals: "backlogged", load: 1, packet: `${packet}flits` },
  measure: { warmup: "2kcycles", window: "10kcycles", limit: "30kcycles", saturation: "never", drain: "none" },
})

function notesOf(value: unknown): string[] {
  const planned = plan({ source: plainSource("short.yaml", value), host: hostAt("."), name: "short" })
  if ("bad" in planned) throw new Error(JSON.stringify(planned.bad))
  return creditNotes(
    planned.ok.runs.map((r) => r.spec),
    () => hostAt("."),
  )
}

async function acceptedBy(value: ReturnType<typeof experiment>): Promise<number> {
  const done = await run(value as never, { workers: 1 })
  if ("bad" in done) throw new Error(JSON.stringify(done.bad))
  return done.ok.records[0]?.result.values["accepted"] ?? Number.NaN
}

const read = (note: string | undefined) => {
  const found = /carry at most ([\d.]+) % .* of (\d+) flits .* of (\d+) cycles; with switch\.(\w+): (\d+)flits/.exec(
    note ?? "",
  )
  if (found === null) throw new Error(`not a note: ${note}`)
  const [percent = 0, buffer = 0, roundTrip = 0, , enough = 0] = found.slice(1).map(Number)
  return { percent, buffer, roundTrip, key: found[4] ?? "", enough }
}

describe("one flow through a link", () => {
  test.each([
    [{ buffer: "8flits" }, 50, 1],
    [{ buffer: "8flits" }, 100, 4],
    [{ buffer: "20flits", creditDelay: "7cycles" }, 50, 1],
    [{ buffer: "8flits", speed: 2 }, 50, 1],
    [{ buffer: "8flits", route: 4, traverse: 3 }, 40, 1],
    [{ buffer: "8flits", vcs: 3 }, 50, 1],
    [{ vcs: 4, sharing: "damq", total: "16flits" }, 50, 1],
  ] as const)(
    "%j, links of %d cycles: it gets the bound, and the proposed value fills the link",
    async (sw, link, packet) => {
      const short = experiment(sw, link, packet)
      const { buffer, roundTrip, percent, key, enough } = read(notesOf(short)[0])
      const accepted = await acceptedBy(short)
      // A window of 10,000 cycles may begin and end with a burst of the whole buffer.
      expect(accepted).toBeLessThanOrEqual((buffer / roundTrip) * (1 + (2 * roundTrip) / 10_000))
      expect(accepted).toBeGreaterThan(0.97 * (buffer / roundTrip))
      expect(percent).toBeGreaterThanOrEqual((100 * buffer) / roundTrip)
      // Long packets: a VC serves one packet after the other, and routes each of them anew.
      const long = experiment({ ...sw, [key]: `${enough}flits` }, link, 200)
      expect(notesOf(long)).toEqual([])
      expect(await acceptedBy(long)).toBeGreaterThan(0.94)
    },
  )
})

test("switches of whole packets and buffers that are large enough get no note", () => {
  expect(notesOf(experiment({ buffer: "110flits" }, 50, 1))).toEqual([])
  const value = experiment({}, 50, 1)
  const tiled = { ...value, network: { ...value.network, switch: { name: "tiled" } } }
  expect(notesOf(tiled)).toEqual([])
})
