// Table 3: service levels and their VLs (and SCs on Omni-Path): one each. Read off the VLs that packets of a level may
// take in the switches of the evaluation.
import { exactly, type Facts, type PaperFigure } from "../paper.ts"
import { cites, names, switches } from "./network.ts"
import { lanes } from "./sources.ts"

function inspect(): Facts {
  const facts: Record<string, number> = {}
  for (const sw of switches)
    lanes(sw).forEach(({ first, count }, c) => {
      facts[`${sw} ${names[c]}`] = count === 1 ? first : Number.NaN
    })
  return facts
}

export default {
  id: "qos/table3",
  cites,
  title: "Service levels and virtual lanes",
  claim: "every level has a separate VL, and on Omni-Path a separate SC, with the same number",
  inspect,
  rows: (_runs, _mode, read) =>
    switches.flatMap((sw) => names.map((name, i) => exactly(`${name}: VL, ${sw}`, i, read(`${sw} ${name}`)))),
} satisfies PaperFigure
