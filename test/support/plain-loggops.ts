// LogGOPSim's rules on plain objects, as a twin of src/engines/ideal/loggopsim.ts: one sorted list of events, maps for
// resources, and nothing shared with the engine. Times are ns. `goalText` writes a schedule as a GOAL file.
export interface PlainOp {
  readonly kind: "send" | "recv" | "calc"
  /** bytes or ns */
  readonly size: number
  readonly peer?: number
  readonly tag?: number
  readonly cpu?: number
  readonly nic?: number
}
/** [operation that waits, operation that it needs, "requires" or "irequires"], in the order of the lines */
export type PlainLine = readonly [by: number, of: number, how: "requires" | "irequires"]
export interface PlainRank {
  readonly ops: readonly PlainOp[]
  readonly lines: readonly PlainLine[]
}
export interface PlainNet {
  readonly L: number
  readonly o: number
  readonly g: number
  readonly G: number
  readonly O: number
  readonly S: number
}
interface Item {
  t: number
  readonly number: number
  readonly rank: number
  readonly op: number
  /** the data have arrived at `rank` from this rank; undefined: an operation of `rank` */
  readonly from?: number
}

/** Returns the ns at which the last processor of each rank is free. */
export function plainEnds(ranks: readonly PlainRank[], net: PlainNet): number[] {
  const { L, o, g, G, O, S } = net
  const busy = new Map<string, number>()
  const at = (what: string) => busy.get(what) ?? 0
  const queue: Item[] = []
  let numbers = 0
  const waits = ranks.map(({ ops, lines }) => ops.map((_, i) => lines.filter(([by]) => by === i).length))
  const posted: number[][] = ranks.map(() => [])
  const unexpected: { from: number; op: number }[][] = ranks.map(() => [])
  const opOf = (rank: number, op: number) => ranks[rank]!.ops[op]!
  const cpuOf = (rank: number, { cpu = 0 }: PlainOp) => `${rank} cpu ${cpu}`
  const outOf = (rank: number, { nic = 0 }: PlainOp) => `${rank} out ${nic}`
  const inOf = (rank: number, { nic = 0 }: PlainOp) => `${rank} in ${nic}`

  function enqueue(free: readonly (readonly [rank: number, op: number])[]): void {
    for (const rank of [...new Set(free.map(([r]) => r))].sort((a, b) => a - b))
      for (const kind of ["send", "recv", "calc"] as const)
        for (const [r, i] of free) {
          const op = opOf(r, i)
          if (r !== rank || op.kind !== kind) continue
          const when = kind === "send" ? Math.max(at(cpuOf(r, op)), at(outOf(r, op))) : at(cpuOf(r, op))
          queue.push({ t: when, number: numbers++, rank: r, op: i })
        }
  }
  /** Operations that the start, or the end, of an operation frees. */
  function freed(rank: number, op: number, by: "requires" | "irequires"): (readonly [number, number])[] {
    return ranks[rank]!.lines.filter(([, of, how]) => of === op && how === by).flatMap(([waiting]) => {
      waits[rank]![waiting]!--
      return waits[rank]![waiting] === 0 ? [[rank, waiting] as const] : []
    })
  }
  const fits = (recv: PlainOp, from: number, send: PlainOp) =>
    (recv.peer === -1 || recv.peer === from) && (recv.tag === -1 || recv.tag === send.tag)
  function rendezvous(from: number, i: number, units: PlainOp, t: number): (readonly [number, number])[] {
    if (opOf(from, i).size <= S) return []
    busy.set(cpuOf(from, units), Math.max(at(cpuOf(from, units)), t))
    busy.set(outOf(from, units), Math.max(at(outOf(from, units)), t))
    return freed(from, i, "requires")
  }

  enqueue(ranks.flatMap(({ ops }, r) => ops.flatMap((_, i) => (waits[r]![i] === 0 ? [[r, i] as const] : []))))
  while (queue.length > 0) {
    queue.sort((a, b) => a.t - b.t || a.number - b.number)
    const item = queue.shift()!
    const { t, rank, op: i, from } = item
    const op = opOf(from ?? rank, i)
    const needs =
      from !== undefined
        ? [cpuOf(rank, op), inOf(rank, op)]
        : op.kind === "send"
          ? [cpuOf(rank, op), outOf(rank, op)]
          : op.kind === "calc"
            ? [cpuOf(rank, op)]
            : []
    const when = Math.max(...needs.map(at), Number.NEGATIVE_INFINITY)
    if (when > t) {
      item.t = when
      queue.push(item)
    } else if (from !== undefined) {
      busy.set(cpuOf(rank, op), t + o + (op.size - 1) * Math.max(O, G))
      busy.set(inOf(rank, op), t + g + (op.size - 1) * G)
      const match = posted[rank]!.findIndex((r) => fits(opOf(rank, r), from, op))
      if (match < 0) unexpected[rank]!.push({ from, op: i })
      else {
        const [recv] = posted[rank]!.splice(match, 1)
        enqueue([...freed(rank, recv!, "requires"), ...rendezvous(from, i, op, t)])
      }
    } else if (op.kind === "calc") {
      busy.set(cpuOf(rank, op), t + op.size)
      enqueue([...freed(rank, i, "irequires"), ...freed(rank, i, "requires")])
    } else if (op.kind === "send") {
      busy.set(cpuOf(rank, op), t + o + (op.size - 1) * O)
      busy.set(outOf(rank, op), t + g + (op.size - 1) * G)
      queue.push({ t: t + o + L, number: numbers++, rank: op.peer!, op: i, from: rank })
      enqueue([...freed(rank, i, "irequires"), ...(op.size <= S ? freed(rank, i, "requires") : [])])
    } else {
      const free = freed(rank, i, "irequires")
      const match = unexpected[rank]!.findIndex((m) => fits(op, m.from, opOf(m.from, m.op)))
      if (match < 0) posted[rank]!.push(i)
      else {
        const [m] = unexpected[rank]!.splice(match, 1)
        free.push(...freed(rank, i, "requires"), ...rendezvous(m!.from, m!.op, op, t))
      }
      enqueue(free)
    }
  }
  return ranks.map((_, r) => Math.max(0, ...[...busy].filter(([k]) => k.startsWith(`${r} cpu`)).map(([, v]) => v)))
}

/** Returns the schedule as a GOAL file. */
export function goalText(ranks: readonly PlainRank[]): string {
  const unit = (name: string, n: number | undefined) => (n === undefined ? "" : ` ${name} ${n}`)
  const text = ({ kind, size, peer, tag, cpu, nic }: PlainOp) =>
    kind === "calc"
      ? `calc ${size}${unit("cpu", cpu)}`
      : `${kind} ${size}b ${kind === "send" ? "to" : "from"} ${peer} tag ${tag}${unit("cpu", cpu)}${unit("nic", nic)}`
  return [
    `num_ranks ${ranks.length}`,
    ...ranks.flatMap(({ ops, lines }, r) => [
      `rank ${r} {`,
      ...ops.map((op, i) => `l${i}: ${text(op)}`),
      ...lines.map(([by, of, how]) => `l${by} ${how} l${of}`),
      "}",
    ]),
    "",
  ].join("\n")
}
