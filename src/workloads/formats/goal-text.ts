// Writes a program as a GOAL schedule. Blocking operations become dependencies, loops are unrolled, and ranks of
// communicators become ranks of the world.
import { type Checked, complain } from "../../core/complaint.ts"
import type { Resolved } from "../check/communicators.ts"
import {
  ANY,
  COMM,
  isCollective,
  KIND,
  Kind,
  kindNames,
  kindOf,
  LINE_WORDS,
  type Program,
  TAG,
  WORDS,
  WORLD,
} from "../program.ts"
import { rankSchedule, type ScheduledOp } from "../schedule/rank-schedule.ts"
import { unrolled } from "../schedule/unrolled.ts"

/** Maximum number of operations, because loops are unrolled. */
const mostLines = 50_000_000

/**
 * Returns a generator of lines. Operations that GOAL cannot express (collectives, a wildcard tag on one communicator
 * among several) are complaints, and then nothing is written.
 */
export function goalOf(program: Program, resolved: Resolved, path: string): Checked<() => Generator<string>> {
  let anyTag: string | undefined
  let others = false
  for (let r = 0; r < program.ranks; r++) {
    const source = program.rank(r)
    let op = 0
    for (let w = source.at(0); w !== undefined; w = source.at(op))
      for (; op < w.first + w.count; op++) {
        const row = (op - w.first) * WORDS
        const kind = kindOf(w.ops[row + KIND])
        const name = kindNames[kind] ?? String(kind)
        const where = `${path}, rank ${r}, operation ${op}`
        if (isCollective(kind))
          return {
            bad: [
              complain(
                where,
                `${name} cannot be expressed in GOAL, which has only messages`,
                "convert to the compact format (--to lacewing)",
              ),
            ],
          }
        if (kind !== Kind.SEND && kind !== Kind.RECV) continue
        if (w.ops[row + TAG] === ANY) anyTag ??= where
        others ||= w.ops[row + COMM] !== WORLD
      }
  }
  // GOAL has no communicators, so tags represent them.
  if (anyTag !== undefined && others)
    return {
      bad: [
        complain(
          anyTag,
          "a receive with any tag cannot be expressed in GOAL if messages use several communicators",
          "convert to the compact format (--to lacewing)",
        ),
      ],
    }
  return { ok: () => lines(program, resolved) }
}

/** Yields the schedule. The lines of a program that was read from GOAL have the order of its file. */
function* lines(program: Program, resolved: Resolved): Generator<string> {
  yield `num_ranks ${program.ranks}`
  /** New tags for messages on communicators other than the world. */
  const tags = new Map<string, number>()
  let left = mostLines
  for (let r = 0; r < program.ranks; r++) {
    yield ""
    yield `rank ${r} {`
    const graph = program.graph?.(r)
    if (graph !== undefined) {
      const { ops, lines: asks } = rankSchedule(program, resolved, r, left)
      for (const [i, op] of ops.entries()) yield `l${i + 1}: ${operation(op, op.tag)}`
      for (let l = 0; l < asks.length; l += LINE_WORDS) yield ask(asks[l], asks[l + 1], asks[l + 2] === 1)
      left -= ops.length
    } else {
      let i = 0
      for (const op of unrolled(program, resolved, r, left)) {
        const tag = op.comm === 0 ? op.tag : tagOf(tags, `${op.comm} ${op.tag}`)
        yield `l${i + 1}: ${operation({ ...op, cpu: 0, nic: 0 }, tag)}`
        for (const [of, started] of op.asks) yield ask(i, of, started)
        i++
      }
      left -= i
    }
    yield "}"
  }
}

function ask(by: number, of: number, started: boolean): string {
  return `l${by + 1} ${started ? "irequires" : "requires"} l${of + 1}`
}

function operation({ kind, peer, amount: size, cpu, nic }: ScheduledOp, tag: number): string {
  const units = `${cpu === 0 ? "" : ` cpu ${cpu}`}${nic === 0 ? "" : ` nic ${nic}`}`
  if (kind === Kind.COMPUTE) return `calc ${Math.round(size / 1000)}${units}`
  const send = kind === Kind.SEND
  return `${send ? "send" : "recv"} ${size}b ${send ? "to" : "from"} ${peer} tag ${tag}${units}`
}

/** Returns the tag of a message on another communicator. New tags start at 2^30, above those that programs use. */
function tagOf(tags: Map<string, number>, key: string): number {
  const have = tags.get(key)
  if (have !== undefined) return have
  const made = 2 ** 30 + tags.size
  tags.set(key, made)
  return made
}
