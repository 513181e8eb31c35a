// Figure 2: the Omni-Path switch of 48 ports: 12 MPorts with 4:6 crossbars, two up-links of three flits a cycle each, a
// central crossbar of 24:48 with buffers. Read off switches of 48 and of 8 ports.
import { definition, exactly, type Facts, type PaperFigure } from "../paper.ts"
import { cites } from "./network.ts"
import { benchOf, stream } from "./one-switch.ts"

const PORTS = 48
const GBS = 12.5
const UPLINKS = 24

/** Cycles of a packet of two flits from one port to another, alone. */
function crossing(from: number, to: number): number {
  const engine = benchOf("omni-path", PORTS, [stream("one", [from], to, 2, 0, 1e-4)])
  engine.advance(60)
  return engine.stat("latency") / engine.stat("measured")
}

/**
 * All four ports of each MPort send to the next one: up-links and outputs that carry something, and most flits a cycle
 * into an up-link. With messages as grain, an up-link holds a number for each message that enters it.
 */
function busyCentre(flits: number) {
  const all = stream("next", [], 0, flits, 0, 0.9)
  const pairs = Array.from({ length: PORTS }, (_, i) => [i, (i + 4) % PORTS])
  const engine = benchOf("omni-path", PORTS, [{ ...all, from: "all", pattern: { name: "fixed", pairs } }], {
    grain: "message",
  })
  const up = engine.sw.columns["upLinks"]
  const words = up.length / UPLINKS
  const used = new Set<number>()
  let rate = 0
  for (let t = 1; t <= 1000; t++) {
    engine.advance(t)
    for (let u = 0; u < UPLINKS; u++) {
      // the first word of its record: flits a cycle that enter it
      const writes = up[u * words]
      if (writes > 0) used.add(u)
      rate = Math.max(rate, writes)
    }
  }
  return { used: used.size, rate, outputs: engine.columns.endOut.filter((flits) => flits > 0).length }
}

/** Bytes that fit into the central buffers of an idle switch. */
function central(ports: number): number {
  const engine = benchOf("omni-path", ports, [stream("one", [0], 1, 2, 0, 1e-4)])
  const { centralLeft, centralHeld } = engine.sw.columns
  // what VLs have for themselves is not part of what is left: 64 flits for each of seven
  const left = Array.from(centralLeft!, (flits) => flits + 7 * 64)
  return Math.max(...centralHeld!) > 0 ? Number.NaN : 64 * left.reduce((a, b) => a + b, 0)
}

function inspect(): Facts {
  const from0 = Array.from({ length: PORTS - 1 }, (_, i) => crossing(0, i + 1))
  const direct = Math.min(...from0)
  const { used, outputs } = busyCentre(32)
  // a packet of one flit is there as a whole: it takes all that an up-link has
  const { rate } = busyCentre(1)
  return {
    near: from0.filter((t) => t === direct).length,
    far: new Set(from0.filter((t) => t !== direct)).size,
    used,
    outputs,
    rate,
    mport: 2 * rate * GBS,
    central: central(8),
  }
}

export default {
  id: "qos/fig2",
  cites,
  title: "The Omni-Path switch",
  claim: "12 MPorts with crossbars of 4:6, and a central crossbar of 24:48 with a buffer for each MPort",
  inspect,
  rows: (_runs, _mode, read) => [
    exactly(
      "ports that port 0 reaches inside its MPort",
      3,
      read("near"),
      "4 outputs of a 4:6 crossbar, itself left out",
    ),
    exactly("different times to all others", 1, read("far"), "by the central crossbar"),
    exactly(
      "up-links that carry something when all send to other MPorts",
      24,
      read("used"),
      "two for each of 12 MPorts: the inputs of 24:48",
    ),
    exactly("outputs that the centre fills then", 48, read("outputs"), "the outputs of 24:48"),
    exactly("most flits a cycle into one of them", 3, read("rate")),
    definition({
      claim: "up-links of an MPort (GB/s)",
      paper: 75,
      value: read("mport"),
      low: 75,
      high: 75,
      note: "2 up-links of 3 flits a cycle, 12.5 GB/s for one",
    }),
    exactly(
      "central buffers of a switch of 8 ports (bytes)",
      458_752,
      read("central"),
      "229,376 for each of two MPorts",
    ),
  ],
} satisfies PaperFigure
