// Traffic classes from YAML, as IEEE 802.1Q (ETS) and Slingshot have them: a minimum share, a priority, an upper limit.
//   classes: { storage: { sl: 3, share: 50%, max: 70% }, control: { sl: 7, strict: true } }
// Several service levels of one class: `sl: [2, 3]`. Limits: adapters keep the upper limit, not the links of switches.
import { type Checked, type Complaint, complain } from "../../core/complaint.ts"
import { flag, fraction, int, list, mapOf, maybe, nested, schema } from "../../core/schema.ts"
import { plainScale } from "../../core/units.ts"
import type { TrafficClass } from "./class-rules.ts"
import { fabricOfClasses, type QosFabric } from "./fabric.ts"

const MOST_SL = 14
const MOST_PRIORITY = 30

const file = schema({
  classes: mapOf(
    nested(
      schema({
        sl: list(int({ about: "Service level or priority of packets", min: 0, max: MOST_SL }), {
          about: "Service levels of the class, e.g. 2 or [2, 3]",
          atLeast: 1,
        }),
        share: maybe(
          fraction({ about: "Minimum share of the bandwidth that classes of higher priority leave, e.g. 30%" }),
        ),
        strict: flag({ about: "Strict priority over all classes with a share", default: false }),
        priority: maybe(
          int({
            about: "Priority of the class; a higher one goes first (default: 0, with strict 1)",
            min: 0,
            max: MOST_PRIORITY,
          }),
        ),
        max: maybe(fraction({ about: "Upper limit of the class at each adapter, e.g. 40%" })),
      }),
    ),
    { about: "Traffic classes by name", default: {} },
  ),
})

/** Returns true if the value of a YAML file is meant to be such classes. */
export function looksLikeClasses(value: unknown): boolean {
  return typeof value === "object" && value !== null && "classes" in value
}

export function readClasses(value: unknown): Checked<QosFabric> {
  const got = file.parse(value, "", plainScale)
  if ("bad" in got) return got
  const given = Object.entries(got.ok.classes)
  const bad: Complaint[] = []
  const sl2vl: Record<number, number> = {}
  for (const [vl, [name, c]] of given.entries()) {
    if (c.strict === (c.share !== undefined))
      bad.push(complain(`classes.${name}`, "needs a share or strict: true, and not both", "write share: 30%"))
    for (const key of ["share", "max"] as const)
      if (c[key] === 0)
        bad.push(complain(`classes.${name}.${key}`, "is 0", "write a fraction above 0, or leave it out"))
    if (c.share !== undefined && c.max !== undefined && c.max < c.share)
      bad.push(complain(`classes.${name}.max`, "is less than the share", "write at least the share"))
    for (const sl of c.sl) {
      if (sl2vl[sl] !== undefined)
        bad.push(complain(`classes.${name}.sl`, `SL ${sl} is that of another class`, "choose another one"))
      sl2vl[sl] = vl
    }
  }
  const classes = given.map(
    ([name, c], vl): TrafficClass => ({
      name,
      vl,
      priority: c.priority ?? (c.strict ? 1 : 0),
      // Classes without a share divide what is left equally.
      share: c.share ?? 1,
      most: c.max,
    }),
  )
  for (const p of new Set(classes.map((c) => c.priority))) {
    const same = given.filter((_, i) => classes[i].priority === p).map(([, c]) => c)
    const sum = same.reduce((s, c) => s + (c.share ?? 0), 0)
    if (sum > 1.0001) bad.push(complain("classes", "the shares are more than 100 %", "write at most 100 % in all"))
    if (same.some((c) => c.strict) && same.some((c) => !c.strict))
      bad.push(
        complain("classes", `priority ${p} has strict classes and classes with a share`, "give them other priorities"),
      )
  }
  if (bad.length > 0) return { bad }
  const names = Object.fromEntries(given.map(([name, c]) => [name, c.sl[0]]))
  return { ok: fabricOfClasses(classes, sl2vl, names, notesOf(classes)) }
}

function notesOf(classes: readonly TrafficClass[]): string[] {
  return classes.some((c) => c.most !== undefined)
    ? ["upper limits are those of adapters; links of switches have none"]
    : []
}
