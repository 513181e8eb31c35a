// Table 1: the parameters of the configuration method, with the values that they have in Table 4: N, GMTU, k, w, M, the
// pool, and the least and largest share of each level. Of the shares that the paper prints three contradict its own
// formula.
import { exactly, type Facts, type PaperFigure, type Row, within } from "../paper.ts"
import { cites, configuration, goals, names } from "./network.ts"

/** Least and largest share as printed, and as the formula gives where that is another number. */
const printed: Readonly<Record<string, readonly [number, number]>> = {
  NC: [0.094, 3],
  VO: [0.047, 1.5],
  VI: [0.25, 0.75],
  CL: [0.125, 0.375],
  EE: [0.0313, 0.188],
  BE: [0.016, 0.094],
  BK: [0.008, 0.047],
}
const misprints: Readonly<Record<string, string>> = {
  "VO: least share": "16 entries of 2 credits are 32 of 1,024: 0.03125; 0.047 would be messages of 192 bytes",
  "BK: least share": "as BE: one entry of 16 credits of 1,024",
  "BK: largest share": "as BE: one entry of 96 credits of 1,024",
}

function inspect(): Facts {
  const { k10, w10, pool, levels } = configuration()
  const { entries, gmtu } = goals()
  const facts: Record<string, number> = { N: entries, GMTU: gmtu, pool, M: (gmtu * w10) / 10, "k / w": k10 / w10 }
  for (const { level, n, least, most } of levels) {
    facts[`${level.name}: entries`] = n
    facts[`${level.name}: least share`] = least
    facts[`${level.name}: largest share`] = most
  }
  return facts
}

/** As many digits as the paper prints. */
function shown(claim: string, paper: number, value: number): Row {
  const digits = String(paper).split(".")[1]?.length ?? 0
  const half = 0.5000001 * 10 ** -digits
  const note = misprints[claim]
  const row = within({
    claim,
    paper,
    value,
    low: paper - half,
    high: paper + half,
    ...(note === undefined ? {} : { note }),
  })
  // the formula is the paper's: what it gives is what must come out
  return note === undefined ? row : { ...row, ...formula(claim, value), kind: "misprint" }
}

function formula(claim: string, value: number): Pick<Row, "low" | "high" | "pass"> {
  const exact = claim === "VO: least share" ? 32 / 1024 : claim === "BK: least share" ? 16 / 1024 : 96 / 1024
  return { low: exact, high: exact, pass: value === exact }
}

export default {
  id: "qos/table1",
  cites,
  title: "Parameters of the configuration method",
  claim: "a pool of N * GMTU * k credits and entries of at most GMTU * w bound the share of each level",
  inspect,
  rows: (_runs, _mode, read) => [
    exactly("N", 64, read("N")),
    exactly("GMTU (credits)", 32, read("GMTU")),
    exactly("pool = N * GMTU * k", 1024, read("pool")),
    exactly("M = GMTU * w", 96, read("M")),
    within({ claim: "k / w", paper: "k <= w", value: read("k / w"), low: 0, high: 1 }),
    ...names.flatMap((name, i) => [
      exactly(`${name}: entries`, [32, 16, 8, 4, 2, 1, 1][i], read(`${name}: entries`)),
      shown(`${name}: least share`, printed[name][0], read(`${name}: least share`)),
      shown(`${name}: largest share`, printed[name][1], read(`${name}: largest share`)),
    ]),
  ],
} satisfies PaperFigure
