// Reads the keys of a figure file one by one and collects all complaints, so that a user sees every mistake at once.
import { type Complaint, complain, nearest } from "../../../core/complaint.ts"
import { kindOf } from "../../../core/units.ts"
import { isMap } from "../../../experiment/fields.ts"

export class Keys {
  private readonly raw: Readonly<Record<string, unknown>>
  private readonly path: string
  private readonly bad: Complaint[]
  constructor(raw: unknown, path: string, bad: Complaint[], known: readonly string[]) {
    this.path = path
    this.bad = bad
    this.raw = isMap(raw) ? raw : {}
    if (!isMap(raw)) this.refuse("", `expected a map of keys, found ${kindOf(raw)}`, `known keys: ${known.join(", ")}`)
    for (const key of Object.keys(this.raw).filter((k) => !known.includes(k))) {
      const near = nearest(key, known)
      this.refuse(
        key,
        "is not a key",
        near === undefined ? `known keys: ${known.join(", ")}` : `did you mean "${near}"?`,
      )
    }
  }

  at(key: string): string {
    return key === "" ? this.path : this.path === "" ? key : `${this.path}.${key}`
  }

  get(key: string): unknown {
    return Object.hasOwn(this.raw, key) ? (this.raw[key] ?? undefined) : undefined
  }

  /** A text, or undefined if the key is absent. */
  text(key: string): string | undefined {
    const value = this.get(key)
    if (value === undefined || typeof value === "string") return value
    this.refuse(key, `expected a text, found ${kindOf(value)}`, "write it in quotes")
    return undefined
  }

  needed(key: string): string {
    if (this.get(key) === undefined) this.refuse(key, "is missing", `write ${key}: …`)
    return this.text(key) ?? ""
  }

  map(key: string): Readonly<Record<string, unknown>> {
    const value = this.get(key)
    if (value === undefined) return {}
    if (isMap(value)) return value
    this.refuse(key, `expected a map, found ${kindOf(value)}`, `write ${key}: {name: …}`)
    return {}
  }

  list(key: string): readonly unknown[] {
    const value = this.get(key)
    if (value === undefined) return []
    if (Array.isArray(value)) return value
    this.refuse(key, `expected a list, found ${kindOf(value)}`, `write ${key}: [ … ]`)
    return []
  }

  flag(key: string): boolean {
    const value = this.get(key)
    if (value === undefined || typeof value === "boolean") return value ?? false
    this.refuse(key, `expected true or false, found ${kindOf(value)}`, `write ${key}: true`)
    return false
  }

  number(key: string): number | undefined {
    const value = this.get(key)
    if (value === undefined || typeof value === "number") return value
    this.refuse(key, `expected a number, found ${kindOf(value)}`, `write ${key}: 1`)
    return undefined
  }

  refuse(key: string, says: string, fix: string): void {
    this.bad.push(complain(this.at(key), says, fix))
  }
}
