// Copies data of a module, a caller or a YAML file into plain maps, lists, texts and numbers before any other code
// reads it. The copy is bounded, because a few aliases of aliases can expand to more values than a machine has bytes.
import { type Complaint, complain } from "../core/complaint.ts"
import { hasControls } from "../core/control.ts"
import { isPrototypeKey } from "../core/prototype-key.ts"

const mostDepth = 50
const mostValues = 1_000_000
const mostCharacters = 8_000_000
/** Further complaints are dropped, because they are of one kind. */
const mostComplaints = 100

/** Returns the copy. Values that are not data are left out and reported. */
export function plainCopy(value: unknown, tell: (c: Complaint) => void): unknown {
  return new Copier(tell).copy(value)
}

/** One copy, with its counters. */
class Copier {
  private readonly tell: (c: Complaint) => void
  /** keys that lead to the present value, and the maps and lists that contain it */
  private readonly trail: (string | number)[] = []
  private readonly around: object[] = []
  private values = 0
  private characters = 0
  private told = 0
  private full = false

  constructor(tell: (c: Complaint) => void) {
    this.tell = tell
  }

  copy(value: unknown): unknown {
    if (this.full) return undefined
    if (typeof value === "string") return this.text(value)
    if (typeof value === "object" && value !== null) return this.inside(value)
    if (["function", "symbol", "bigint"].includes(typeof value))
      return this.refuse(`a ${typeof value} is not data`, usual)
    return this.count(1, 0) ? value : undefined
  }

  private text(value: string): string | undefined {
    if (!this.count(1, value.length)) return undefined
    if (hasControls(value)) return this.refuse("has control characters", "write visible characters only")
    return lone.test(value)
      ? this.refuse("has half of a character (a lone surrogate)", "write whole characters")
      : value
  }

  /** Copies a map or a list. `around` detects values that contain themselves. */
  private inside(value: object): unknown {
    if (this.around.includes(value)) return this.refuse("contains itself", "write it without the cyclic reference")
    if (this.around.length > mostDepth) return this.refuse("is nested too deeply", "use fewer levels")
    const depth = this.trail.length
    this.around.push(value)
    try {
      if (Array.isArray(value)) return this.list(value)
      return isPlain(value) ? this.map(value) : this.refuse(`${kindOfObject(value)} is not data`, usual)
    } catch (e) {
      // A getter or a proxy of the caller has thrown.
      this.trail.length = depth
      return this.refuse(`cannot be read: ${e instanceof Error ? e.message : "it throws"}`, usual)
    } finally {
      this.around.pop()
    }
  }

  private list(value: readonly unknown[]): unknown[] | undefined {
    if (!this.count(value.length + 1, 0)) return undefined
    return Array.from(value, (v, i) => this.under(i, v))
  }

  /** Copies a map. Keys such as __proto__ are refused, because they could change the prototype of the copy. */
  private map(value: object): Record<string, unknown> | undefined {
    const made: Record<string, unknown> = {}
    for (const key of Object.keys(value)) {
      if (!this.count(1, key.length)) return undefined
      if (hasControls(key) || lone.test(key))
        this.refuse("a key has control characters", "write visible characters only")
      else if (!isPrototypeKey(key)) made[key] = this.under(key, Reflect.get(value, key))
      else {
        this.trail.push(key)
        this.refuse("unknown key", "remove it")
        this.trail.pop()
      }
    }
    return made
  }

  private under(key: string | number, value: unknown): unknown {
    this.trail.push(key)
    const made = this.copy(value)
    this.trail.pop()
    return made
  }

  /** Returns false once the limit is exceeded: this is reported once, and nothing more is copied. */
  private count(values: number, characters: number): boolean {
    this.values += values
    this.characters += characters
    if (this.values <= mostValues && this.characters <= mostCharacters) return !this.full
    if (!this.full)
      this.tell(
        complain("", tooMuch, "write fewer values, without aliases of aliases; move large tables to separate files"),
      )
    this.full = true
    return false
  }

  private refuse(says: string, fix: string): undefined {
    if (this.told++ < mostComplaints) this.tell(complain(this.trail.join("."), says, fix))
    return undefined
  }
}

const tooMuch =
  `stands for more than ${mostValues.toLocaleString("en")} values or ` +
  `${mostCharacters.toLocaleString("en")} characters`
const lone = /\p{Surrogate}/u
const usual = "write a text, a number, a list or a map"

/** Returns true for a map as a literal or JSON makes it, of any realm. */
function isPlain(value: object): boolean {
  const proto: unknown = Object.getPrototypeOf(value)
  return proto === null || Object.getPrototypeOf(proto) === null
}

function kindOfObject(value: object): string {
  const name = /^\[object (.+)\]$/.exec(Object.prototype.toString.call(value))?.[1]
  return name === undefined || name === "Object" ? "an instance of a class" : `a ${name}`
}
