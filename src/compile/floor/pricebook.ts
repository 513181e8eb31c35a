// What routers and cables cost and draw, and how the machine room is laid out. The books of the Fit Fly paper are built in ("Fit Fly: a case study on
// interconnect innovation through parallel simulation", N. McGlohon et al., 2019, Table 4: list prices of one shop, one price for all cables, no power).
// A file (YAML or JSON) may change any entry: `base` names the book that it starts from; lists (cables) are replaced as a whole.
import { type Checked, complain, nearest } from "../../core/complaint.ts"
import { choice, list, maybe, measure, nested, real, schema, text } from "../../core/schema.ts"

export interface Cable {
  readonly medium: "electrical" | "optical"
  /** metres; a cable is the first of the book that is long enough */
  readonly upTo: number | undefined
  readonly price: number
  readonly perMetre: number
  /** at both ends together; undefined = the book does not say */
  readonly watts: number | undefined
}

export interface Layout {
  /** routers in one cabinet */
  readonly routers: number
  /** metres from one cabinet to the next in a row, and from row to row */
  readonly width: number
  readonly depth: number
  /** metres of a cable inside a cabinet, and what a cable between two needs beyond the way along the floor */
  readonly inside: number
  readonly overhead: number
}

export interface PriceBook {
  readonly name: string
  readonly about: string
  readonly currency: string
  readonly router: {
    readonly price: number
    readonly perPort: number
    readonly watts: number | undefined
    /** most ports that such a router has */
    readonly ports: number | undefined
  }
  readonly cables: readonly Cable[]
  readonly layout: Layout
}

const room: Layout = { routers: 16, width: 0.8, depth: 2.4, inside: 2, overhead: 3 }

function flat(name: string, about: string, router: number, cable: number): PriceBook {
  return {
    name,
    about,
    currency: "USD",
    router: { price: router, perPort: 0, watts: undefined, ports: 36 },
    cables: [{ medium: "electrical", upTo: undefined, price: cable, perMetre: 0, watts: undefined }],
    layout: room,
  }
}

export const books: readonly PriceBook[] = [
  flat("fitfly-edr", "the Fit Fly paper's InfiniBand EDR (100 Gb/s): one price for every cable, power not given", 25_633, 134),
  flat("fitfly-fdr", "the Fit Fly paper's InfiniBand FDR (56 Gb/s): one price for every cable, power not given", 19_803, 86),
  {
    name: "by-length",
    about: "round numbers of the right order for 100 Gb/s, no quotation: copper up to 3 m, active optical cables beyond, power included",
    currency: "USD",
    router: { price: 12_000, perPort: 350, watts: 150, ports: undefined },
    cables: [
      { medium: "electrical", upTo: 3, price: 60, perMetre: 20, watts: 0.2 },
      { medium: "optical", upTo: undefined, price: 300, perMetre: 5, watts: 7 },
    ],
    layout: room,
  },
]

const fields = schema({
  base: maybe(text({ about: "the book that this one starts from", needed: false })),
  name: maybe(text({ about: "name of the book", needed: false })),
  about: maybe(text({ about: "where its prices come from", needed: false })),
  currency: maybe(text({ about: "currency", needed: false })),
  router: maybe(
    nested(
      schema({
        price: maybe(real({ about: "price of a router", min: 0, needed: false })),
        perPort: maybe(real({ about: "and of each of its ports that is used", min: 0, needed: false })),
        watts: maybe(real({ about: "power of a router", min: 0, needed: false })),
        ports: maybe(real({ about: "most ports of a router", min: 1, needed: false })),
      }),
    ),
  ),
  cables: maybe(
    list(
      nested(
        schema({
          medium: choice(["electrical", "optical"], { about: "copper or glass" }),
          upTo: maybe(measure("length", { about: "longest of its kind; any length if left out", above: 0, needed: false })),
          price: real({ about: "price of a cable", min: 0 }),
          perMetre: real({ about: "and of each metre", min: 0, default: 0 }),
          watts: maybe(real({ about: "power at both ends together", min: 0, needed: false })),
        }),
      ),
      { about: "cables, shortest first", atLeast: 1, needed: false },
    ),
  ),
  layout: maybe(
    nested(
      schema({
        routers: maybe(real({ about: "routers in a cabinet", min: 1, needed: false })),
        width: maybe(measure("length", { about: "from a cabinet to the next", min: 0, needed: false })),
        depth: maybe(measure("length", { about: "from a row to the next", min: 0, needed: false })),
        inside: maybe(measure("length", { about: "cable inside a cabinet", min: 0, needed: false })),
        overhead: maybe(measure("length", { about: "cable beyond the way along the floor", min: 0, needed: false })),
      }),
    ),
  ),
})

/** A built-in book by name. */
export function bookNamed(name: string, path = "book"): Checked<PriceBook> {
  const book = books.find((b) => b.name === name)
  if (book !== undefined) return { ok: book }
  const names = books.map((b) => b.name)
  const near = nearest(name, names)
  const fix = near === undefined ? `choose ${names.join(", ")}, or a file that ends in .yaml or .json` : `did you mean "${near}"?`
  return { bad: [complain(path, `there is no price book "${name}"`, fix)] }
}

/** A book from data: what it leaves out is taken from its base. */
export function bookFrom(raw: unknown, path = "book"): Checked<PriceBook> {
  const got = fields.parse(raw, path)
  if ("bad" in got) return got
  const base = bookNamed(got.ok.base ?? "by-length", `${path}.base`)
  if ("bad" in base) return base
  const { base: _, router, layout, ...rest } = got.ok
  const made = {
    ...base.ok,
    ...given(rest),
    router: { ...base.ok.router, ...given(router) },
    layout: { ...base.ok.layout, ...given(layout) },
  }
  const endless = made.cables.findIndex((c) => c.upTo === undefined)
  if (endless >= 0 && endless < made.cables.length - 1)
    return {
      bad: [
        complain(
          `${path}.cables.${endless}`,
          "serves any length, so the cables after it are never used",
          "give it upTo, or move it to the end",
        ),
      ],
    }
  return { ok: made }
}

/** Without the keys whose value is undefined. */
function given<T extends object>(of: T | undefined): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const out: Partial<Record<keyof T, unknown>> = {}
  for (const key of Object.keys(of ?? {}) as (keyof T)[]) if (of![key] !== undefined) out[key] = of![key]
  return out as { [K in keyof T]?: Exclude<T[K], undefined> }
}
