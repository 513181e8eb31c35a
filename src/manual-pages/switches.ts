// Pictures of switches: the path of a packet from link to link, stage by stage, with notes. The terms are those of the
// switch's page and parameters.
import { escapeHtml } from "../draw/report/html.ts"

/** `store`: holds packets; `move`: takes them on; `choose`: decides. */
interface Stage {
  readonly name: string
  readonly is: "store" | "move" | "choose"
  readonly notes: readonly string[]
}

const stage = (is: Stage["is"], name: string, ...notes: string[]): Stage => ({ name, is, notes })

export const switches: Readonly<Record<string, readonly Stage[]>> = {
  "input-queued": [
    stage("store", "input VCs", "vcs x buffer", "or one DAMQ"),
    stage("choose", "route", "1 step, 0 =", "look-ahead"),
    stage("choose", "VC allocation", "an output VC", "for the packet"),
    stage("choose", "switch alloc.", "input, output,", "for each flit"),
    stage("move", "crossbar", "1 step", "(traverse)"),
    stage("move", "link", "a flit a cycle,", "credits back"),
  ],
  chunk: [
    stage("choose", "route", "on arrival,", "whole chunks"),
    stage("choose", "room?", "else wait in the", "list of the slot"),
    stage("store", "output queue", "of a channel", "and VC"),
    stage("move", "link", "size / bandwidth", "+ delay"),
  ],
  tiled: [
    stage("store", "input VCs", "DAMQ"),
    stage("move", "row bus", "one packet", "at a time"),
    stage("store", "row buffer", "a queue for each", "output and VC"),
    stage("move", "tile crossbar", "output first,", "packet-held"),
    stage("store", "column buffer", "of a row", "and VC"),
    stage("choose", "multiplexer", "rows and VCs", "round-robin"),
    stage("store", "output VCs", "DAMQ, retained", "for a round trip"),
    stage("move", "link", "round-robin VCs"),
  ],
  combined: [
    stage("choose", "route", "cycles after", "the head came"),
    stage("store", "input VCs", "a queue for each", "output, or FIFO"),
    stage("move", "crossbar", "speed x links,", "packet-held"),
    stage("store", "output buffer", "FIFO", "by level"),
    stage("move", "link", "credits", "taken in advance"),
  ],
  infiniband: [
    stage("choose", "route", "IB, RT"),
    stage("store", "FIFO of the VL", "shared, least", "for each VL"),
    stage("move", "crossbar", "VA-SA, speed x,", "packet-held"),
    stage("store", "queue of the VL", "shared, least", "for each VL"),
    stage("choose", "scheduler", "network.qos"),
    stage("move", "link", "traverse"),
  ],
  "omni-path": [
    stage("store", "input VLs", "of an MPort"),
    stage("move", "MPort crossbar", "4:6, own outputs", "and up-links"),
    stage("move", "up-link", "3 flits", "a cycle"),
    stage("store", "central buffer", "a queue for each", "output and VL"),
    stage("move", "central crossbar", "24:48"),
    stage("store", "output VLs", "from MPort", "and centre"),
    stage("choose", "scheduler", "network.qos"),
    stage("move", "link"),
  ],
  "queue-scheme": [
    stage("choose", "scheme", "which queue", "a packet joins"),
    stage("store", "queues", "cut from the", "input memory"),
    stage("choose", "iSLIP", "inputs and", "outputs"),
    stage("move", "crossbar", "as fast as links,", "packet-held"),
    stage("move", "link", "a lane for each", "queue behind it"),
  ],
}

const [W, GAP, H, PER_ROW] = [128, 26, 46, 4]

/** Returns the stages in rows of four, joined by arrows: narrow enough for a phone. */
export function switchPicture(name: string): string | undefined {
  const stages = switches[name]
  if (stages === undefined) return undefined
  const rows = Math.ceil(stages.length / PER_ROW)
  const width = PER_ROW * (W + GAP) + 4
  const height = rows * (H + 62) + 4
  const parts = stages.map(({ name, is, notes }, i) => {
    const [x, y] = [GAP / 2 + (i % PER_ROW) * (W + GAP), 8 + Math.floor(i / PER_ROW) * (H + 62)]
    const queue =
      is === "store"
        ? [0.68, 0.76, 0.84, 0.92]
            .map(
              (f) => `<path d="M${x + f * W} ${y + 8}v${H - 16}" stroke="var(--c0)" stroke-width="2" opacity=".55"/>`,
            )
            .join("")
        : ""
    const edge = is === "store" ? "var(--c0)" : is === "move" ? "var(--c2)" : "var(--c1)"
    const last = i === stages.length - 1
    const down = (i + 1) % PER_ROW === 0
    const to = last
      ? ""
      : down
        ? `<path d="M${x + W / 2} ${y + H + 36}v8H${(GAP + W) / 2}v15" class="arrow" marker-end="url(#tip-${i})"/>`
        : `<path d="M${x + W + 2} ${y + H / 2}h${GAP - 6}" class="arrow" marker-end="url(#tip-${i})"/>`
    const tip = last
      ? ""
      : `<marker id="tip-${i}" viewBox="0 0 6 6" refX="5" refY="3" markerWidth="6" markerHeight="6" ` +
        `orient="auto"><path d="M0 0L6 3L0 6z" fill="var(--muted)"/></marker>`
    const text = (is === "store" ? x + 0.33 * W : x + W / 2) + (is === "store" ? 2 : 0)
    const words = name.split(" ")
    const lines = is === "store" && words.length > 1 ? [words[0], words.slice(1).join(" ")] : [name]
    return `${tip}<rect x="${x}" y="${y}" width="${W}" height="${H}" rx="6" fill="var(--paper)" stroke="${edge}" stroke-width="1.6"/>${queue}${lines
      .map(
        (l, k) =>
          `<text x="${text}" y="${y + H / 2 + 4 + (k - (lines.length - 1) / 2) * 15}" ` +
          `text-anchor="middle" class="name">${escapeHtml(l)}</text>`,
      )
      .join(
        "",
      )}${notes.map((note, k) => `<text x="${x + W / 2}" y="${y + H + 15 + 14 * k}" text-anchor="middle">${escapeHtml(note)}</text>`).join("")}${to}`
  })
  const said = `The path of a packet through the switch ${name}: ${stages.map((s) => s.name).join(", then ")}.`
  return (
    `<svg class="drawn" role="img" aria-label="${escapeHtml(said)}" viewBox="0 ` +
    `0 ${width} ${height}">${parts.join("")}</svg>`
  )
}
