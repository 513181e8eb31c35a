// Price books: price and power of routers and cables, and the floor layout. The books of the Fit Fly
// paper are built in ("Fit Fly: a case study on interconnect innovation through parallel simulation", N. McGlohon et
// al., 2019, Table 4: list prices of one shop, one price for all cables, no power). A file (YAML or JSON) may change
// any entry. `base` names the book that it starts from; lists (cables) are replaced as a whole.
import { type Checked, complain, nearest } from "../../core/complaint.ts"
import { choice, list, maybe, measure, nested, real, schema, text } from "../../core/schema.ts"

export interface Cable {
  readonly medium: "electrical" | "optical"
  /** metres; the first cable of the book that is long enough is used */
  readonly upTo: number | undefined
  readonly price: number
  readonly perMetre: number
  /** at both ends together; undefined: not known */
  readonly watts: number | undefined
}

export interface Layout {
  /** routers in one cabinet */
  readonly routers: number
  /** metres from one cabinet to the next in a row, and from row to row */
  readonly width: number
  readonly depth: number
  /** metres of a cable inside a cabinet, and extra length of a cable between cabinets */
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
    /** maximum number of ports of such a router */
    readonly ports: number | undefined
  }
  readonly cables: readonly Cable[]
  readonly layout: Layout
}

const machineRoom: Layout = { routers: 16, width: 0.8, depth: 2.4, inside: 2, overhead: 3 }

function flat(name: string, about: string, router: number, cable: number): PriceBook {
  return {
    name,
    about,
    currency: "USD",
    router: { price: router, perPort: 0, watts: undefined, ports: 36 },
    cables: [{ medium: "electrical", upTo: undefined, price: cable, perMetre: 0, watts: undefined }],
    layout: machineRoom,
  }
}

export const books: readonly PriceBook[] = [
  flat(
    "fitfly-edr",
    "the Fit Fly paper's InfiniBand EDR (100 Gb/s): one price for every cable, power unknown",
    25_633,
    134,
  ),
  flat(
    "fitfly-fdr",
    "the Fit Fly paper's InfiniBand FDR (56 Gb/s): one price for every cable, power unknown",
    19_803,
    86,
  ),
  {
    name: "by-length",
    about:
      "round numbers of the right order for 100 Gb/s, not a quotation: copper up to 3 m, active " +
      "optical cables above, power included",
    currency: "USD",
    router: { price: 12_000, perPort: 350, watts: 150, ports: undefined },
    cables: [
      { medium: "electrical", upTo: 3, price: 60, perMetre: 20, watts: 0.2 },
      { medium: "optical", upTo: undefined, price: 300, perMetre: 5, watts: 7 },
    ],
    layout: machineRoom,
  },
]

const fields = schema({
  base: maybe(text({ about: "Name of the price list that this one starts from", needed: false })),
  name: maybe(text({ about: "Name of the price list", needed: false })),
  about: maybe(text({ about: "Source of the prices", needed: false })),
  currency: maybe(text({ about: "Currency of all prices", needed: false })),
  router: maybe(
    nested(
      schema({
        price: maybe(real({ about: "Price of a router without its ports", min: 0, needed: false })),
        perPort: maybe(real({ about: "Price of each router port that is used", min: 0, needed: false })),
        watts: maybe(real({ about: "Power of a router", min: 0, needed: false })),
        ports: maybe(real({ about: "Maximum number of ports of a router", min: 1, needed: false })),
      }),
    ),
  ),
  cables: maybe(
    list(
      nested(
        schema({
          medium: choice(["electrical", "optical"], { about: "Medium of the cable: electrical (copper) or optical" }),
          upTo: maybe(
            measure("length", {
              about: "Maximum length of this kind of cable (default: any length)",
              above: 0,
              needed: false,
            }),
          ),
          price: real({ about: "Price of a cable without its length", min: 0 }),
          perMetre: real({ about: "Price of each metre of cable", min: 0, default: 0 }),
          watts: maybe(real({ about: "Power of a cable, both ends together", min: 0, needed: false })),
        }),
      ),
      { about: "Kinds of cables, the shortest first", atLeast: 1, needed: false },
    ),
  ),
  layout: maybe(
    nested(
      schema({
        routers: maybe(real({ about: "Number of routers in a cabinet", min: 1, needed: false })),
        width: maybe(
          measure("length", { about: "Distance from one cabinet to the next in a row", min: 0, needed: false }),
        ),
        depth: maybe(
          measure("length", { about: "Distance from one row of cabinets to the next", min: 0, needed: false }),
        ),
        inside: maybe(measure("length", { about: "Length of a cable inside a cabinet", min: 0, needed: false })),
        overhead: maybe(
          measure("length", {
            about: "Length that a cable between two cabinets needs in addition to the distance along the floor",
            min: 0,
            needed: false,
          }),
        ),
      }),
    ),
  ),
})

/** Returns a built-in book by name. */
export function bookNamed(name: string, path = "book"): Checked<PriceBook> {
  const book = books.find((b) => b.name === name)
  if (book !== undefined) return { ok: book }
  const names = books.map((b) => b.name)
  const near = nearest(name, names)
  const fix =
    near === undefined ? `choose ${names.join(", ")}, or a file that ends in .yaml or .json` : `did you mean "${near}"?`
  return { bad: [complain(path, `there is no price list "${name}"`, fix)] }
}

/** Returns a book from data; missing entries are taken from its base. */
export function bookFrom(raw: unknown, path = "book"): Checked<PriceBook> {
  const got = fields.parse(raw, path)
  if ("bad" in got) return got
  const base = bookNamed(got.ok.base ?? "by-length", `${path}.base`)
  if ("bad" in base) return base
  const { base: _, router, layout, ...rest } = got.ok
  const made = {
    ...over(base.ok, rest),
    router: over(base.ok.router, router ?? {}),
    layout: over(base.ok.layout, layout ?? {}),
  }
  const endless = made.cables.findIndex((c) => c.upTo === undefined)
  if (endless >= 0 && endless < made.cables.length - 1)
    return {
      bad: [
        complain(
          `${path}.cables.${endless}`,
          "has no maximum length, so the cables after it are never used",
          "give it upTo, or move it to the end",
        ),
      ],
    }
  return { ok: made }
}

/** Returns the base with the values that are given; undefined ones are not. */
function over<T extends object>(base: T, given: { readonly [K in keyof T]?: T[K] | undefined }): T {
  const made = { ...base }
  for (const key in given) {
    const value: T[Extract<keyof T, string>] | undefined = given[key]
    if (value !== undefined) made[key] = value
  }
  return made
}
