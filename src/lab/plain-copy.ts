// Data as JSON knows it: whatever a module, a caller or a YAML file with aliases brings is copied into plain maps, lists, texts and numbers before anything
// looks at it. The copy is bounded: a few aliases of aliases can stand for more values than a machine has bytes.
import { type Complaint, complain } from "../core/complaint.ts"
import { hasControls } from "../core/control.ts"
import { join } from "../core/schema.ts"

const mostDepth = 50
const mostValues = 1_000_000
const mostCharacters = 8_000_000
/** More are not told: they are of one kind. */
const mostComplaints = 100

/** What is not data is left out and complained about. */
export function plainCopy(value: unknown, tell: (c: Complaint) => void): unknown {
  return new Copier(tell).copy(value, "", 0)
}

class Copier {
  private readonly tell: (c: Complaint) => void
  private values = 0
  private characters = 0
  private told = 0
  private full = false

  constructor(tell: (c: Complaint) => void) {
    this.tell = tell
  }

  copy(value: unknown, path: string, depth: number): unknown {
    if (this.full) return undefined
    if (typeof value === "string") return this.text(value, path)
    if (typeof value === "object" && value !== null) return this.inside(value, path, depth)
    if (["function", "symbol", "bigint"].includes(typeof value)) return this.refuse(path, `a ${typeof value} is not data`, usual)
    return this.count(1, 0) ? value : undefined
  }

  private text(value: string, path: string): string | undefined {
    if (!this.count(1, value.length)) return undefined
    if (hasControls(value)) return this.refuse(path, "has control characters", "write visible characters only")
    return lone.test(value) ? this.refuse(path, "has half of a character (a lone surrogate)", "write whole characters") : value
  }

  private inside(value: object, path: string, depth: number): unknown {
    if (depth > mostDepth) return this.refuse(path, "is nested too deeply", "write it flatter")
    try {
      if (Array.isArray(value)) {
        if (!this.count(value.length + 1, 0)) return undefined
        return Array.from(value, (v: unknown, i) => this.copy(v, join(path, i), depth + 1))
      }
      if (!isPlain(value)) return this.refuse(path, `${kindOfObject(value)} is not data`, usual)
      return this.map(value, path, depth)
    } catch (e) {
      // a getter or a proxy of the caller
      return this.refuse(path, `cannot be read: ${e instanceof Error ? e.message : "it throws"}`, usual)
    }
  }

  private map(value: object, path: string, depth: number): Record<string, unknown> | undefined {
    const made: Record<string, unknown> = {}
    for (const key of Object.keys(value)) {
      if (!this.count(1, key.length)) return undefined
      const inner = join(path, key)
      if (key === "__proto__") this.refuse(inner, "unknown key", "remove it")
      else if (hasControls(key) || lone.test(key)) this.refuse(path, "a key has control characters", "write visible characters only")
      else made[key] = this.copy(Reflect.get(value, key), inner, depth + 1)
    }
    return made
  }

  /** False once there is too much: complained about once, and nothing more is copied. */
  private count(values: number, characters: number): boolean {
    this.values += values
    this.characters += characters
    if (this.values <= mostValues && this.characters <= mostCharacters) return !this.full
    if (!this.full)
      this.refuse(
        "",
        `stands for more than ${mostValues.toLocaleString("en")} values or ${mostCharacters.toLocaleString("en")} characters`,
        "write fewer values, without aliases of aliases; keep large tables in files of their own",
      )
    this.full = true
    return false
  }

  private refuse(path: string, says: string, fix: string): undefined {
    if (this.told++ < mostComplaints) this.tell(complain(path, says, fix))
    return undefined
  }
}

const lone = /\p{Surrogate}/u
const usual = "write a text, a number, a list or a map"

/** A map as a literal or JSON makes it, of any realm. */
function isPlain(value: object): boolean {
  const proto: unknown = Object.getPrototypeOf(value)
  return proto === null || Object.getPrototypeOf(proto) === null
}

function kindOfObject(value: object): string {
  const name = /^\[object (.+)\]$/.exec(Object.prototype.toString.call(value))?.[1]
  return name === undefined || name === "Object" ? "an instance of a class" : `a ${name}`
}
