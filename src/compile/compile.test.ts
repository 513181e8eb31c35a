import { describe, expect, it } from "vitest"
import { specOf, type Wish } from "../../test/support/machine.ts"
import { compile } from "./compile.ts"

/** The complaint and its fix as one line: "path: finding -> fix". */
function refused(w: Wish): string[] {
  const c = compile(specOf(w), { read: () => "" })
  return "bad" in c ? c.bad.map((b) => `${b.path}: ${b.says} -> ${b.fix}`) : []
}

const torus: Wish = { topology: { name: "torus", k: 4, n: 2 }, routing: { name: "torus.dimension-order" } }

describe("refused before cycle 0", () => {
  const table: readonly [what: string, w: Wish, says: readonly RegExp[]][] = [
    [
      "an unknown topology, with the nearest",
      { topology: { name: "tours" } },
      [/^network\.topology\.name: "tours" is not known -> did you mean "torus"\?/],
    ],
    ["a parameter out of range", { topology: { name: "mesh", k: 0, n: 2 } }, [/^network\.topology\.k: /]],
    [
      "an unknown key",
      { topology: { name: "mesh", k: 4, n: 2, width: 3 } },
      [/^network\.topology\.width: unknown key/],
    ],
    [
      "a load above 1",
      { ...torus, measure: { saturation: "early" }, traffic: [{}, { load: 1.5 }] },
      [/^traffic\.1\.load: 1\.5 is too large -> .*at most 1, or set measure.saturation: never to run an overload/],
    ],
    [
      "an overload of more than a packet in each cycle",
      { ...torus, traffic: [{}, { load: 1.5 }] },
      [/^traffic\.1\.arrivals\.name: the load needs 1\.5 packets per cycle/],
    ],
    [
      "a switch and an endpoint of the other engine",
      { ...torus, switch: { name: "chunk" }, endpoint: { name: "rails" } },
      [
        /^network\.switch\.name: "chunk" is a switch of the packet engine only -> set engine: packet, or choose input-queued/,
        /^network\.endpoint\.name: "rails" is an endpoint of the packet engine only -> set engine: packet, or choose simple/,
      ],
    ],
    ["0 VCs", { switch: { vcs: 0 } }, [/^network\.switch\.vcs: /]],
    [
      "too few VCs for the routing",
      { ...torus, switch: { vcs: 1 } },
      [/^network\.routing: "torus.dimension-order" needs 2 VCs, but the switch has 1 -> .*at least 2/],
    ],
    [
      "too few VCs for two classes",
      { ...torus, switch: { vcs: 3 }, traffic: [{ class: 0 }, { class: 1 }] },
      [/^network\.routing: .*needs 2 VCs for each of the 2 classes of traffic, but the switch has 3 -> .*at least 4/],
    ],
    [
      "too few VCs for requests and replies",
      { ...torus, switch: { vcs: 2 }, traffic: [{ reply: "1flit" }] },
      [/2 classes/],
    ],
    [
      "a routing of another topology",
      { routing: { name: "torus.dimension-order" } },
      [/^network\.routing\.name: .*supports torus.*but the topology is mesh -> choose one of .*mesh\.dimension-order/],
    ],
    [
      "links of a class that is not there",
      { links: { global: "10cycles" } },
      [/^network\.links\.global: mesh has no links of class "global" -> choose one of its classes: /],
    ],
    ["a latency without a unit", { links: { link: "10" } }, [/^network\.links\.link: .* -> write a duration/]],
    [
      "a latency that is too long",
      { links: { link: "1ms" } },
      [/^network\.links\.link: 1000000 cycles -> choose 0 to 60000/],
    ],
    ["a buffer without a unit", { switch: { buffer: "8" } }, [/^network\.switch\.buffer: /]],
    [
      "a reserve above the buffer",
      { switch: { sharing: "damq", vcs: 4, buffer: "4flits", reserve: "5flits" } },
      [/^network\.switch\.reserve: 4 VCs x 5 flits .*16 .* -> set reserve to at most 4flits/],
    ],
    [
      "an allocator misspelt",
      { switch: { swAllocator: "isplip" } },
      [/^network\.switch\.swAllocator: .* -> did you mean "islip"\?/],
    ],
    ["no iterations", { switch: { swAllocator: "islip(0)" } }, [/^network\.switch\.swAllocator: has 0 iterations/]],
    [
      "a class of replies without replies",
      { endpoint: { name: "simple", replyClass: "same" } },
      [/^network\.endpoint\.replyClass: no stream has replies/],
    ],
    [
      "a turn for each of one stream",
      { endpoint: { name: "simple", vc: "booksim2" } },
      [/^network\.endpoint\.vc: the only stream has no replies/],
    ],
    ["a matrix under iSLIP", { switch: { arbiter: "matrix" } }, [/^network\.switch\.arbiter: only separable/]],
    ["speculation over a slow VC stage", { switch: { speculative: true, vc: 2 } }, [/^network\.switch\.speculative: /]],
    [
      "a packet that no buffer can take whole",
      { switch: { flow: "cut-through", buffer: "4flits" }, traffic: [{ flits: 5 }] },
      [/^traffic\.0\.packet: 5 flits .*4.* -> /],
    ],
    [
      "a reply that does not fit into any buffer",
      { switch: { flow: "cut-through", buffer: "4flits" }, traffic: [{ reply: "6flits" }] },
      [/^traffic\.0\.reply: 6 flits/],
    ],
    [
      "a packet longer than the retention",
      { switch: { flow: "cut-through", retention: "4flits" }, traffic: [{ flits: 5 }] },
      [/^traffic\.0\.packet: 5 flits .*4/],
    ],
    [
      "bubbles without cut-through",
      { topology: { name: "torus", k: 4, n: 2 }, routing: { name: "torus.bubble" } },
      [/^network\.routing: "torus.bubble" needs cut-through/],
    ],
    [
      "bubbles in buffers of one packet",
      {
        topology: { name: "torus", k: 4, n: 2 },
        routing: { name: "torus.bubble" },
        switch: { flow: "cut-through", buffer: "9flits" },
        traffic: [{ flits: 5 }],
      },
      [/^traffic\.0\.packet: 2 packets of 5 flits do not fit into a buffer of 8 -> .*10flits/],
    ],
    ["a packet beyond all measure", { traffic: [{ flits: 70000 }] }, [/^traffic\.0\.packet: a packet has 70000 flits/]],
    [
      "senders that are not there",
      { traffic: [{ from: ["0-20"] }] },
      [/^traffic\.0\.from: "0-20" does not name endpoints from 0 to 15/],
    ],
    [
      "a destination that is not there",
      { traffic: [{ pattern: { name: "fixed", pairs: [[0, 16]] } }] },
      [/^traffic\.0\.pattern\.pairs\.0/],
    ],
    ["a start without a unit", { traffic: [{ start: "20" }] }, [/^traffic\.0\.start: /]],
    ["an answer without a unit", { traffic: [{ reply: "20" }] }, [/^traffic\.0\.reply: /]],
    [
      "an unknown pattern",
      { traffic: [{ pattern: { name: "unifrom" } }] },
      [/^traffic\.0\.pattern\.name: .*did you mean "uniform"/],
    ],
    [
      "several mistakes at once",
      {
        topology: { name: "mesh", k: 4, n: 2, width: 3 },
        switch: { vcs: 0 },
        routing: { name: "mesh.dimension-ordre" },
      },
      [
        /^network\.topology\.width/,
        /^network\.routing\.name.*did you mean "mesh\.dimension-order"/,
        /^network\.switch\.vcs/,
      ],
    ],
    [
      "mistakes in two streams",
      { traffic: [{ start: "1" }, { flits: 70000 }] },
      [/^traffic\.0\.start/, /^traffic\.1\.packet/],
    ],
  ]
  for (const [what, w, says] of table)
    it(what, () => {
      const found = refused(w)
      expect(found).toHaveLength(says.length)
      for (const [i, pattern] of says.entries()) expect(found[i]).toMatch(pattern)
    })

  it("and nothing else", () => {
    expect(refused({})).toEqual([])
    expect(refused({ ...torus, switch: { vcs: 2 } })).toEqual([])
    expect(refused({ switch: { flow: "cut-through", buffer: "5flits" }, traffic: [{ flits: 5 }] })).toEqual([])
  })
})
