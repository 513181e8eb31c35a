// Reads the stream of a rank as a flat list of sends, receives and calculations with their dependencies. Blocking
// operations become dependencies, loops are unrolled, and ranks of communicators become ranks of the world. The GOAL
// writer and the schedules of the LogGOPSim rules use it.
import { Following, makesCommunicator, type Resolved } from "../check/communicators.ts"
import {
  ANY,
  amount,
  BLOCKS,
  COMM,
  JUMP,
  KIND,
  Kind,
  kindOf,
  LIST,
  NEEDS,
  NONE,
  PEER,
  type Program,
  REQUEST,
  TAG,
  WORDS,
} from "../program.ts"

export interface Operation {
  /** SEND, RECV or COMPUTE */
  readonly kind: number
  /** rank of the world, or ANY */
  readonly peer: number
  readonly tag: number
  /** number of the communicator, 0: the world */
  readonly comm: number
  /** bytes or ps */
  readonly amount: number
  /** Operations that it needs, as numbers of the list, each with true if that one must only have started. */
  readonly asks: ReadonlyMap<number, boolean>
}

/** Yields the operations of rank r in the order of the program, at most `most`. */
export function* unrolled(program: Program, resolved: Resolved, r: number, most: number): Generator<Operation> {
  const source = program.rank(r)
  const comms = new Following(resolved, r)
  /** Request -> the operations that it stands for. A wait stands for those that it waits for. */
  const requests = new Map<number, ReadonlyMap<number, boolean>>()
  const loops: { first: number; left: number }[] = []
  // Every later operation requires these: the last blocking operation, or the needs of the last blocking wait.
  let held: ReadonlyMap<number, boolean> = new Map()
  let made = 0
  let op = 0
  for (let w = source.at(0); w !== undefined && made < most; w = source.at(op)) {
    const row = (op - w.first) * WORDS
    const { ops, list } = w
    const kind = kindOf(ops[row + KIND])
    op++
    if (kind === Kind.LOOP) {
      // A loop of 0 iterations is skipped.
      if (amount(ops, row) === 0) op = op - 1 + ops[row + JUMP]
      else loops.push({ first: op, left: amount(ops, row) })
      continue
    }
    const loop = kind === Kind.END ? loops.at(-1) : undefined
    if (loop !== undefined) {
      if (--loop.left > 0) op = loop.first
      else loops.pop()
      continue
    }
    if (makesCommunicator(kind)) comms.make(ops[row + PEER])
    const asks = new Map(held)
    for (let i = 0; i < ops[row + NEEDS]; i++) {
      const need = list[ops[row + LIST] + i]
      // The end of an operation is a stronger condition than its start.
      for (const [of, started] of requests.get(need < 0 ? ~need : need) ?? [])
        asks.set(of, (started || need < 0) && asks.get(of) !== false)
    }
    const request = ops[row + REQUEST]
    const message = (kind === Kind.SEND || kind === Kind.RECV) && ops[row + PEER] !== NONE
    if (!message && kind !== Kind.COMPUTE) {
      // A wait, or an operation without a partner. Other markers delay nothing.
      if ((ops[row + KIND] & BLOCKS) !== 0 && ops[row + NEEDS] > 0) held = asks
      if (request >= 0) requests.set(request, asks)
      continue
    }
    const comm = comms.get(ops[row + COMM])
    const peer = ops[row + PEER]
    yield {
      kind,
      peer: peer < 0 ? ANY : (comm?.members[peer] ?? 0),
      tag: ops[row + TAG],
      comm: comm?.id ?? 0,
      amount: amount(ops, row),
      asks,
    }
    const self = new Map([[made++, false]])
    if (request >= 0) requests.set(request, self)
    if ((ops[row + KIND] & BLOCKS) !== 0) held = self
  }
}
