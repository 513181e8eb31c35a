// A mapping from the keys of another program to an experiment of lacewing that records where each value came from. It
// is a tree whose leaves are evaluated one by one, over a configuration that remembers which keys were read. `validate`
// uses the values, the importers the values with their keys.

/** A value that no key of the other program decides, or that its keys do not decide alone. */
export class Said {
  readonly of: unknown
  readonly why: string
  constructor(of: unknown, why: string) {
    this.of = of
    this.why = why
  }
}

export type Leaf = (() => unknown) | Said
export type Tree = Leaf | readonly Tree[] | { readonly [key: string]: Tree }

/** A value of a tree with the keys that it was made from, in the order in which they were read. */
export interface Told {
  readonly path: readonly (string | number)[]
  readonly value: unknown
  readonly keys: readonly string[]
  readonly why: string | undefined
}

/** The same configuration; `requested` collects the keys that are read. */
export function noted<T extends Readonly<Record<string, unknown>>>(config: T, asked: Set<string>): T {
  return new Proxy(config, {
    get(target, key, receiver) {
      if (typeof key === "string") asked.add(key)
      return Reflect.get(target, key, receiver) as unknown
    },
  })
}

export function valuesOf(tree: Tree): unknown {
  if (typeof tree === "function") return tree()
  if (tree instanceof Said) return typeof tree.of === "function" ? (tree.of as () => unknown)() : tree.of
  if (Array.isArray(tree)) return tree.map(valuesOf)
  return Object.fromEntries(Object.entries(tree).map(([key, part]) => [key, valuesOf(part)]))
}

/** Every leaf in order; `requested` is the set that the tree's configuration notes its reads in. */
export function leavesOf(tree: Tree, asked: Set<string>, path: readonly (string | number)[] = []): Told[] {
  if (typeof tree === "function" || tree instanceof Said) {
    asked.clear()
    const value = valuesOf(tree)
    return [{ path, value, keys: [...asked], why: tree instanceof Said ? tree.why : undefined }]
  }
  const parts = Array.isArray(tree) ? [...tree.entries()] : Object.entries(tree)
  return parts.flatMap(([key, part]) => leavesOf(part as Tree, asked, [...path, key]))
}
