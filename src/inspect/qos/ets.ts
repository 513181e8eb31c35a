// Traffic classes as IEEE 802.1Qaz (ETS) and Slingshot-like networks have them, from YAML: strict priority, or a share
// of what these leave. `classes: { storage: { sl: 3, share: 50% }, control: { sl: 7, strict: true } }`
import { type Checked, type Complaint, complain } from "../../core/complaint.ts"
import { flag, fraction, int, mapOf, maybe, nested, schema } from "../../core/schema.ts"
import { plainScale } from "../../core/units.ts"
import { fabricOfShares, type QosFabric } from "./fabric.ts"

const MOST_SL = 14

const file = schema({
  classes: mapOf(
    nested(
      schema({
        sl: int({ about: "Priority or service level of the class", min: 0, max: MOST_SL }),
        share: maybe(fraction({ about: "Share of the bandwidth that strict classes leave, e.g. 30%" })),
        strict: flag({ about: "Strict priority over all classes with a share", default: false }),
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
  const classes = Object.entries(got.ok.classes)
  const bad: Complaint[] = []
  for (const [name, c] of classes) {
    if (c.strict === (c.share !== undefined))
      bad.push(complain(`classes.${name}`, "needs a share or strict: true, and not both", "write share: 30%"))
    if (classes.some(([other, x]) => other < name && x.sl === c.sl))
      bad.push(complain(`classes.${name}.sl`, `SL ${c.sl} is that of another class`, "choose another one"))
  }
  const sum = classes.reduce((s, [, c]) => s + (c.share ?? 0), 0)
  if (sum > 1.0001) bad.push(complain("classes", "the shares are more than 100 %", "write at most 100 % in all"))
  if (bad.length > 0) return { bad }
  return {
    ok: fabricOfShares(
      "infiniband",
      classes.map(([name, c]) => ({ name, sl: c.sl, share: c.share })),
      Object.fromEntries(classes.map(([name, c]) => [name, c.sl])),
      [],
    ),
  }
}
