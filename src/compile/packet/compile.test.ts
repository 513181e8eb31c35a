// What the packet engine refuses before time 0: place, finding and fix.
import { describe, expect, it } from "vitest"
import { specOf, type Wish } from "../../../test/support/machine.ts"
import { compilePacket } from "./compile.ts"

interface PacketWish extends Wish {
  readonly engine?: Readonly<Record<string, unknown>>
  readonly rails?: Readonly<Record<string, unknown>>
}

function refused({ engine, rails, ...w }: PacketWish): string[] {
  const spec = specOf({
    topology: { name: "slimfly", q: 5, p: 4 },
    routing: { name: "slimfly.ugal-l" },
    endpoint: { name: "rails", ...rails },
    traffic: [{ arrivals: { name: "poisson" } }],
    ...w,
    switch: { name: "chunk", bandwidth: "12.5GiB/s", ...w.switch },
  })
  const c = compilePacket({ ...spec, engine: { name: "packet", ...engine } }, { read: () => "" })
  return "bad" in c ? c.bad.map((b) => `${b.path}: ${b.says} -> ${b.fix}`) : []
}

describe("refused by the packet engine", () => {
  it("nothing that is in order", () => {
    expect(refused({})).toEqual([])
    expect(refused({ engine: { sync: "conservative", workers: 50 } })).toEqual([])
  })

  const table: readonly [what: string, w: PacketWish, says: readonly RegExp[]][] = [
    [
      "no lookahead, with the channel",
      {
        engine: { sync: "conservative" },
        switch: { credit: "0ns", creditSize: "0B" },
        links: { local: "0ns", global: "0ns", end: "0ns" },
      },
      [
        /^network\.switch\.credit: credits of channel 0 of router 0 \(\(0,0,0\)\) take no time, so there is no lookahead .* -> set credit/,
      ],
    ],
    [
      "more workers than routers",
      { engine: { sync: "optimistic", workers: 51 } },
      [/^engine\.workers: there are 51 workers for 50 routers -> set it to at most 50$/],
    ],
    [
      "a credit that takes a second",
      { switch: { credit: "1s" } },
      [/^network\.switch\.credit: a credit takes 1\.00e\+3 ms: times overflow/],
    ],
    [
      "an interface that takes a second",
      { rails: { nic: "1s" } },
      [/^network\.endpoint\.nic: .* overflow -> keep each below 0\.27 ms/],
    ],
    [
      // 8 MiB x 4 VCs at 25 GB/s, the slowest of the network: 40 ps for each byte, 1.34 ms
      "buffers that take longer to send than times reach",
      { switch: { chunk: "64KiB", buffer: "8MiB", vcs: 4, bandwidth: "25GB/s" } },
      [
        /^network\.switch\.buffer: sending the full buffers of a port takes 1\.34 ms: times overflow -> keep each below 1\.1 ms/,
      ],
    ],
    ["a router that takes a second", { switch: { delay: "1s" } }, [/^network\.switch\.delay: .* overflow/]],
    [
      "a chunk that takes a second",
      { switch: { bandwidth: "4kB/s" } },
      [/^network\.switch\.bandwidth: sending a chunk takes .* overflow/],
    ],
    [
      "rails that do not match planes",
      { rails: { rails: 2 } },
      [
        /^network\.endpoint\.rails: 2 rails, but the network has 1 plane -> set it to 1, or choose a topology with 2 planes/,
      ],
    ],
    [
      "planes that do not match rails",
      { topology: { name: "fitfly", q: 5, p: 4, rails: 4 }, rails: { rails: 2 } },
      [/^network\.endpoint\.rails: 2 rails, but the network has 4 planes -> set it to 4/],
    ],
    [
      "more load than one rail",
      { traffic: [{ load: 1.01 }] },
      [/^traffic\.0\.load: 1\.01 is too large -> .*at most 1$/],
    ],
    [
      "more load than two rails",
      { topology: { name: "fitfly", q: 5, p: 4, rails: 2 }, traffic: [{ load: 2 }, { load: 2.5 }] },
      [/^traffic\.1\.load: 2\.5 is too large -> .*at most 2$/],
    ],
    [
      "an answer",
      { traffic: [{ reply: "1flit" }], switch: { vcs: 8 } },
      [/^traffic\.0\.reply: .* -> .*set engine: flit/],
    ],
    ["a priority", { traffic: [{ priority: 1 }] }, [/^traffic\.0\.priority: /]],
    [
      "a routing that looks at other routers, in parallel",
      { routing: { name: "slimfly.ugal-g" }, engine: { sync: "conservative" } },
      [/^engine\.sync: "slimfly\.ugal-g" reads queues of other routers.* -> set sync: sequential/],
    ],
  ]
  it.each(table)("%s", (_, w, says) => {
    const got = refused(w)
    expect(got).toHaveLength(says.length)
    says.forEach((s, i) => {
      expect(got[i]).toMatch(s)
    })
  })
})
