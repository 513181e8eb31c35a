// Pictures of switches: the path of a packet from link to link, stage by stage, with notes. Each switch declares its
// stages (`drawing`).
import { escapeHtml } from "../draw/report/html.ts"
import type { DrawnStage } from "../model/behaviour.ts"

const [W, GAP, H, PER_ROW] = [128, 26, 46, 4]

/** Returns the stages in rows of four, joined by arrows: narrow enough for a phone. */
export function switchPicture(title: string, stages: readonly DrawnStage[]): string {
  const rows = Math.ceil(stages.length / PER_ROW)
  const width = PER_ROW * (W + GAP) + 4
  const height = rows * (H + 62) + 4
  const parts = stages.map(([is, name, ...notes], i) => {
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
  const said = `The path of a packet through the switch ${title}: ${stages.map(([, stage]) => stage).join(", then ")}.`
  return (
    `<svg class="drawn" role="img" aria-label="${escapeHtml(said)}" viewBox="0 ` +
    `0 ${width} ${height}">${parts.join("")}</svg>`
  )
}
