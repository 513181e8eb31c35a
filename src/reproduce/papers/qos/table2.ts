// Table 2: seven service levels and what they send, read off the sources of the experiment: bytes of a message,
// destinations of one endpoint's messages, gaps between them, messages that are made at the same time.
import { sourceModel } from "../../../engines/flit/sources.ts"
import { sourceColumns } from "../../../fabric/flit.ts"
import { layOut } from "../../../fabric/layout.ts"
import { exactly, type Facts, type PaperFigure, within } from "../paper.ts"
import { cites, names } from "./network.ts"
import { compiled } from "./sources.ts"

const bytes: readonly number[] = [192, 128, 2048, 2048, 1024, 1024, 1024]
const COUNT = 200
const END = 5

function inspect(): Facts {
  const { streams, network, spec } = compiled("infiniband")
  const { graph } = network.topology
  const sources = sourceModel(streams, spec.seed, sourceColumns(layOut(graph, 1), { streams: streams.length } as never))
  const facts: Record<string, number> = {}
  streams.forEach((s, i) => {
    const to = new Set<number>()
    const gaps: number[] = []
    let createdAt = sources.firstCreation(i, END)
    for (let n = 0; n < COUNT; n++) {
      to.add(sources.create(i, END, n, i * graph.ends + END))
      const next = sources.nextCreation(i, END, createdAt, n, i * graph.ends + END)
      gaps.push(next - createdAt)
      createdAt = next
    }
    facts[`${s.name}: bytes`] = 64 * sources.length(i, END, 0)
    facts[`${s.name}: destinations`] = to.size
    facts[`${s.name}: gaps`] = (Math.max(...gaps) - Math.min(...gaps)) / (gaps.reduce((a, b) => a + b, 0) / COUNT)
    facts[`${s.name}: together`] = s.message.mean
  })
  return facts
}

export default {
  id: "qos/table2",
  cites,
  title: "Service levels of the evaluation",
  claim:
    "network control at random, three levels of constant rate over connections, three of best effort in bursts of four",
  inspect,
  rows: (_runs, _mode, read) =>
    names.flatMap((name, i) => [
      exactly(`${name}: bytes of a message`, bytes[i], read(`${name}: bytes`)),
      i > 0 && i < 4
        ? within({
            claim: `${name}: destinations of an endpoint`,
            paper: "multiple connections",
            value: read(`${name}: destinations`),
            low: 2,
            high: 4,
            note: "four connections for the whole run; the paper gives no number",
          })
        : within({
            claim: `${name}: destinations of an endpoint, ${COUNT} times`,
            paper: "uniform",
            value: read(`${name}: destinations`),
            low: 40,
            high: 63,
            note: "of 63 others",
          }),
      within({
        claim: `${name}: largest less least gap, of the mean`,
        paper: i > 0 && i < 4 ? "constant bit rate" : "random",
        value: read(`${name}: gaps`),
        low: i > 0 && i < 4 ? 0 : 1,
        high: i > 0 && i < 4 ? 0.01 : 100,
        ...(i > 0 && i < 4 ? { note: "periods are fractions of cycles" } : {}),
      }),
      exactly(`${name}: messages at the same time`, i < 4 ? 1 : 4, read(`${name}: together`)),
    ]),
} satisfies PaperFigure
