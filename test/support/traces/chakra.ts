// A small writer of Chakra execution traces.

function varint(n: number): number[] {
  const out: number[] = []
  for (let rest = n; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...out, rest]
    out.push((rest % 128) + 128)
  }
}
const number = (field: number, n: number) => [...varint(field * 8), ...varint(n)]
const bytes = (field: number, list: readonly number[]) => [...varint(field * 8 + 2), ...varint(list.length), ...list]
const text = (field: number, s: string) => bytes(field, [...new TextEncoder().encode(s)])

export interface NodeText {
  readonly id: number
  readonly name?: string
  readonly type: number
  readonly deps?: readonly number[]
  readonly micros?: number
  readonly attributes?: Readonly<Record<string, number | string | boolean>>
}

export function chakraFile(nodes: readonly NodeText[], version = "0.0.4"): Uint8Array {
  const message = (list: readonly number[]) => [...varint(list.length), ...list]
  const attribute = ([name, v]: [string, number | string | boolean]) =>
    bytes(10, [
      ...text(1, name),
      ...(typeof v === "string" ? text(29, v) : typeof v === "boolean" ? number(27, Number(v)) : number(9, v)),
    ])
  const node = (n: NodeText) => [
    ...number(1, n.id),
    ...text(2, n.name ?? `node${n.id}`),
    ...number(3, n.type),
    ...(n.deps === undefined ? [] : bytes(5, n.deps.flatMap(varint))),
    ...number(7, n.micros ?? 0),
    ...Object.entries(n.attributes ?? {}).flatMap(attribute),
  ]
  return Uint8Array.from([...message(text(1, version)), ...nodes.flatMap((n) => message(node(n)))])
}

/** A ring of `ranks`: each sends to the next, receives, then computes. */
export function chakraRing(rank: number, ranks: number): Uint8Array {
  return chakraFile([
    { id: 1, type: 5, attributes: { comm_size: 1024, comm_dst: (rank + 1) % ranks, comm_tag: 3 } },
    { id: 2, type: 6, attributes: { comm_size: 1024, comm_src: (rank + ranks - 1) % ranks, comm_tag: 3 } },
    { id: 3, type: 4, deps: [1, 2], micros: 5 },
    { id: 4, type: 7, deps: [3], attributes: { comm_type: 0, comm_size: 4096 } },
  ])
}
