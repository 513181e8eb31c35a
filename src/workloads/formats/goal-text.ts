// A program as a GOAL schedule: blocking operations become requirements, loops are written out, ranks of communicators become ranks of the world.
import { type Checked, complain } from "../../core/complaint.ts"
import { Following, makesCommunicator, type Resolved } from "../check/communicators.ts"
import {
  ANY,
  amount,
  BLOCKS,
  COMM,
  isCollective,
  JUMP,
  KIND,
  Kind,
  kindNames,
  kindOf,
  LIST,
  NEEDS,
  PEER,
  type Program,
  REQUEST,
  TAG,
  WORDS,
  WORLD,
} from "../program.ts"

/** Operations that are written at most: loops are unrolled. */
const mostLines = 50_000_000

/** Line by line. What GOAL has no word for (collectives, any tag of one communicator among several) is a complaint, and then nothing is written. */
export function goalOf(program: Program, resolved: Resolved, path: string): Checked<() => Generator<string>> {
  let anyTag: string | undefined
  let others = false
  for (let r = 0; r < program.ranks; r++) {
    const source = program.rank(r)
    let op = 0
    for (let w = source.at(0); w !== undefined; w = source.at(op))
      for (; op < w.first + w.count; op++) {
        const row = (op - w.first) * WORDS
        const kind = kindOf(w.ops[row + KIND]!)
        const name = kindNames[kind] ?? String(kind)
        const where = `${path}, rank ${r}, operation ${op}`
        if (isCollective(kind))
          return {
            bad: [
              complain(where, `${name} has no word in GOAL, which knows messages alone`, "convert to lacewing's own form (--to lacewing)"),
            ],
          }
        if (kind !== Kind.SEND && kind !== Kind.RECV) continue
        if (w.ops[row + TAG] === ANY) anyTag ??= where
        others ||= w.ops[row + COMM] !== WORLD
      }
  }
  // GOAL has no communicators: they become tags
  if (anyTag !== undefined && others)
    return {
      bad: [
        complain(
          anyTag,
          "a receive with any tag has no word in GOAL where messages have several communicators",
          "convert to lacewing's own form (--to lacewing)",
        ),
      ],
    }
  return { ok: () => lines(program, resolved) }
}

function* lines(program: Program, resolved: Resolved): Generator<string> {
  yield `num_ranks ${program.ranks}`
  /** tags of other communicators than the world's, which GOAL does not know apart */
  const tags = new Map<string, number>()
  let written = 0
  for (let r = 0; r < program.ranks; r++) {
    yield ""
    yield `rank ${r} {`
    const source = program.rank(r)
    const comms = new Following(resolved, r)
    const requests = new Map<number, string>()
    const loops: { first: number; left: number }[] = []
    let held: readonly string[] = []
    let label = 0
    let op = 0
    for (let w = source.at(0); w !== undefined && written < mostLines; w = source.at(op)) {
      const row = (op - w.first) * WORDS
      const { ops, list } = w
      const kind = kindOf(ops[row + KIND]!)
      op++
      if (kind === Kind.LOOP) {
        if (amount(ops, row) === 0) op = op - 1 + ops[row + JUMP]!
        else loops.push({ first: op, left: amount(ops, row) })
        continue
      }
      if (kind === Kind.END) {
        const loop = loops.at(-1)!
        if (--loop.left > 0) op = loop.first
        else loops.pop()
        continue
      }
      if (makesCommunicator(kind)) comms.make(ops[row + PEER]!)
      const asks = new Map<string, string>(held.map((h) => [h, "requires"]))
      for (let i = 0; i < ops[row + NEEDS]!; i++) {
        const need = list[ops[row + LIST]! + i]!
        const of = requests.get(need < 0 ? ~need : need)
        if (of !== undefined) asks.set(of, need < 0 && asks.get(of) !== "requires" ? "irequires" : "requires")
      }
      if (kind !== Kind.SEND && kind !== Kind.RECV && kind !== Kind.COMPUTE) {
        // a wait holds back what follows; what only marks a place is no operation
        if ((ops[row + KIND]! & BLOCKS) !== 0 && ops[row + NEEDS]! > 0) held = [...asks.keys()]
        continue
      }
      const name = `l${++label}`
      written++
      if (kind === Kind.COMPUTE) yield `${name}: calc ${Math.round(amount(ops, row) / 1000)}`
      else {
        const comm = comms.get(ops[row + COMM]!)
        const peer = ops[row + PEER] === ANY ? ANY : (comm?.members[ops[row + PEER]!] ?? 0)
        const tag = comm === undefined || comm.id === 0 ? ops[row + TAG]! : tagOf(tags, `${comm.id} ${ops[row + TAG]}`)
        yield `${name}: ${kind === Kind.SEND ? "send" : "recv"} ${amount(ops, row)}b ${kind === Kind.SEND ? "to" : "from"} ${peer} tag ${tag}`
      }
      for (const [of, how] of asks) yield `${name} ${how} ${of}`
      if (ops[row + REQUEST]! >= 0) requests.set(ops[row + REQUEST]!, name)
      if ((ops[row + KIND]! & BLOCKS) !== 0) held = [name]
    }
    yield "}"
  }
}

function tagOf(tags: Map<string, number>, key: string): number {
  const have = tags.get(key)
  if (have !== undefined) return have
  const made = 2 ** 30 + tags.size
  tags.set(key, made)
  return made
}
