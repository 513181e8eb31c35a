// Reads and writes the quality of service of Omni-Path's fabric manager (opafm.xml): QOSGroups with a share of the
// bandwidth or a high priority, and the virtual fabrics that use them. Other elements are ignored. Limits: the text
// must be well-formed XML, comments may not contain "-->"; preemption is not modelled.
import { type Checked, type Complaint, complain } from "../../core/complaint.ts"
import { fabricOfShares, type QosFabric, type WeightedClass } from "./fabric.ts"

/** Returns true if a text is meant to be such a file. */
export function looksLikeOpafm(text: string): boolean {
  return /<(QOSGroups|VirtualFabrics|Config)[\s>]/.test(text)
}

interface Element {
  readonly line: number
  readonly text: string
}

/** Returns the elements of a name, with the text between their tags. */
function elements(text: string, name: string): Element[] {
  const found: Element[] = []
  for (const m of text.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`, "g")))
    found.push({ line: text.slice(0, m.index).split("\n").length, text: m[1]! })
  return found
}

const plain = (text: string) => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")
const inner = (of: Element, name: string): string | undefined => {
  const found = elements(of.text, name)[0]
  return found === undefined ? undefined : plain(found.text.trim())
}
const on = (of: Element): boolean => inner(of, "Enable") !== "0"

const MOST_SL = 14

export function readOpafm(whole: string): Checked<QosFabric> {
  // Comments keep their line ends, so that complaints name the right line.
  const text = whole.replace(/<!--[\s\S]*?-->/g, (c) => c.replace(/[^\n]/g, ""))
  const groups = elements(text, "QOSGroup").filter((g) => inner(g, "Name") !== undefined && on(g))
  const fabrics = elements(text, "VirtualFabric").filter(on)
  const bad: Complaint[] = []
  if (groups.length === 0)
    bad.push(complain("file", "The file has no QOSGroup.", "name the opafm.xml of a fabric with quality of service"))
  const taken = new Set<number>()
  const classes = groups.map((g): WeightedClass => {
    const name = inner(g, "Name")!
    const at = `line ${g.line}, QOSGroup ${name}`
    const base = inner(g, "BaseSL")
    let sl = base === undefined ? -1 : Number(base)
    if (base !== undefined && !(Number.isInteger(sl) && sl >= 0 && sl <= MOST_SL))
      bad.push(complain(at, `"${base}" is not a service level`, `write a number from 0 to ${MOST_SL}`))
    if (taken.has(sl)) bad.push(complain(at, `SL ${sl} is that of another group`, "choose another one"))
    if (base !== undefined) taken.add(sl)
    const bandwidth = inner(g, "Bandwidth")
    const percent = Number(bandwidth?.replace(/\s*%$/, ""))
    const strict = inner(g, "HighPriority") === "1"
    if (bandwidth !== undefined && !(percent > 0 && percent <= 100)) {
      bad.push(complain(at, `"${bandwidth}" is not a share of the bandwidth`, "write for example 30%"))
      sl = -1
    }
    return { name, sl, share: strict ? undefined : bandwidth === undefined ? Number.NaN : percent / 100 }
  })
  const given = classes.reduce((sum, c) => sum + (Number.isFinite(c.share) ? c.share! : 0), 0)
  if (given > 1.0001)
    bad.push(
      complain("file", `The groups have ${Math.round(100 * given)} % of the bandwidth.`, "write at most 100 % in all"),
    )
  if (bad.length > 0) return { bad }
  // Groups without a share divide what is left; groups without an SL get the next free one.
  const open = classes.filter((c) => Number.isNaN(c.share)).length
  const whole2 = classes.map((c): WeightedClass => {
    let sl = c.sl
    if (sl < 0) {
      sl = 0
      while (taken.has(sl)) sl++
      taken.add(sl)
    }
    return { ...c, sl, share: Number.isNaN(c.share) ? Math.max(0.01, (1 - given) / open) : c.share }
  })
  const names: Record<string, number> = {}
  const notes: string[] = []
  for (const c of whole2) names[c.name] = c.sl
  for (const f of fabrics) {
    const name = inner(f, "Name") ?? ""
    const group = inner(f, "QOSGroup")
    const of = whole2.find((c) => c.name === group)
    if (of !== undefined) names[name] = of.sl
    else
      bad.push(complain(`line ${f.line}, VirtualFabric ${name}`, `there is no QOSGroup "${group ?? ""}"`, "name one"))
  }
  if (groups.some((g) => inner(g, "Preemptable") === "1")) notes.push("preemption is not modelled")
  return bad.length > 0 ? { bad } : { ok: fabricOfShares("omni-path", whole2, names, notes) }
}

const HUNDRED = 100

/**
 * Returns the QOSGroups of goals, with bandwidths in whole percent that sum to 100 (largest remainders). The file has
 * no distances, so goals for latency are not in it.
 */
export function writeOpafm(levels: readonly { name: string; sl: number; share: number }[]): string {
  const sum = levels.reduce((s, l) => s + l.share, 0)
  const exact = levels.map((l) => (HUNDRED * l.share) / sum)
  const percent = exact.map((x) => Math.max(1, Math.floor(x)))
  const order = levels.map((_, i) => i).sort((a, b) => exact[b] - percent[b] - (exact[a] - percent[a]) || a - b)
  let left = HUNDRED - percent.reduce((a, b) => a + b, 0)
  for (let i = 0; left > 0; i++, left--) percent[order[i % order.length]]!++
  // Levels of less than 1 % have 1 %; the largest one gives it.
  for (; left < 0; left++) percent[percent.indexOf(Math.max(...percent))]!--
  const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
  return [
    "<QOSGroups>",
    ...levels.map(
      (l, i) =>
        `  <QOSGroup><Name>${escaped(l.name)}</Name><Enable>1</Enable>` +
        `<Bandwidth>${percent[i]}%</Bandwidth><BaseSL>${l.sl}</BaseSL></QOSGroup>`,
    ),
    "</QOSGroups>",
  ].join("\n")
}
