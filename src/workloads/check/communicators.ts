// Who is in which communicator, for all ranks of a program at once: calls that make one are matched in the order in which each rank makes them.
import {
  COMM,
  FIRST_COMM,
  KIND,
  Kind,
  kindOf,
  LIST,
  LOW,
  NEEDS,
  NONE,
  PEER,
  type Program,
  SELF,
  TAG,
  VALUES,
  type Window,
  WORDS,
  WORLD,
} from "../program.ts"

/** `members` are ranks of the world. */
export interface Communicator {
  readonly id: number
  readonly members: Int32Array
}

interface Making {
  readonly kind: number
  readonly comm: number
  readonly made: number
  readonly colour: number
  readonly key: number
  readonly values: Int32Array
}

export interface Resolved {
  readonly world: Communicator
  /** What each call of this rank that makes a communicator made, in the order of the calls; undefined: none, or not known. */
  made(rank: number): readonly (Communicator | undefined)[]
  /** calls whose partners never came (they are in ranks that are missing, or the trace is wrong): rank, the number of its call, and the communicator that it
   *  is on, where that is known */
  readonly open: readonly Open[]
  /** two ranks whose calls on one communicator are of different kinds */
  readonly mixed: readonly { readonly rank: number; readonly other: number }[]
}

export interface Open {
  readonly rank: number
  readonly making: number
  readonly of: Communicator | undefined
}

/** What came to one call on a communicator: those who did, in any order. */
interface Arrived {
  readonly kind: number
  readonly of: Communicator
  readonly came: { readonly rank: number; readonly making: number }[]
}

export function makesCommunicator(kind: number): boolean {
  return kind >= Kind.COMM_DUP && kind <= Kind.COMM_DEFINE
}

export function resolve(program: Program): Resolved {
  const { ranks } = program
  const world: Communicator = { id: 0, members: Int32Array.from({ length: ranks }, (_, r) => r) }
  let next = 1
  const fresh = (members: Int32Array): Communicator => ({ id: next++, members })
  const makings = Array.from({ length: ranks }, (_, r) => makingsOf(program, r))
  if (makings.every((m) => m.length === 0)) return { world, made: () => none, open: [], mixed: [] }
  // a trace may claim a million ranks of which it has three: only those that make communicators have anything of their own
  const makers = makings.flatMap((m, r) => (m.length > 0 ? [r] : []))
  const results = new Map(makers.map((r) => [r, [] as (Communicator | undefined)[]]))
  const own = new Map(makers.map((r) => [r, new Map<number, Communicator>([[WORLD, world]])]))
  /** ordinal of each rank's next call on a communicator, by its id */
  const turns = new Map(makers.map((r) => [r, new Map<number | string, number>()]))
  const shared = new Map<string, Communicator>()
  const splits = new Map<string, Map<number, Making>>()
  const arrivals = new Map<string, Arrived>()
  const mixed: { rank: number; other: number }[] = []
  const ready = [...makers]
  /** rank -> the communicator of its call, where that is known */
  const waiting = new Map<number, Communicator | undefined>()

  const take = (rank: number, m: Making, made: Communicator | undefined): void => {
    results.get(rank)!.push(made)
    if (made !== undefined && m.made !== NONE) own.get(rank)!.set(m.made, made)
  }
  const same = (key: string, members: () => Int32Array): Communicator => {
    const have = shared.get(key)
    if (have !== undefined) return have
    const made = fresh(members())
    shared.set(key, made)
    return made
  }
  for (let rank = ready.pop(); rank !== undefined; rank = ready.pop()) advance(rank)
  const open = [...waiting].map(([rank, of]): Open => ({ rank, making: results.get(rank)!.length, of }))
  return { world, made: (r) => results.get(r) ?? none, open: [...open, ...left()], mixed }

  /** Calls that need no answer of the others, and to which not all came. */
  function left(): Open[] {
    return [...arrivals.values()].flatMap(({ kind, of, came }) =>
      kind === Kind.COMM_SPLIT || came.length === of.members.length ? [] : [{ ...came[0]!, of }],
    )
  }
  function arrive(rank: number, key: string, kind: number, of: Communicator): void {
    const have = arrivals.get(key)
    if (have === undefined) arrivals.set(key, { kind, of, came: [{ rank, making: results.get(rank)!.length }] })
    else {
      if (have.kind !== kind) mixed.push({ rank, other: have.came[0]!.rank })
      have.came.push({ rank, making: results.get(rank)!.length })
    }
  }

  function advance(rank: number): void {
    const list = makings[rank]!
    const done = results.get(rank)!
    while (done.length < list.length) {
      const m = list[done.length]!
      if (m.kind === Kind.COMM_DEFINE) {
        const key = `= ${m.values.join(",")}`
        const turn = turnOf(rank, key)
        take(rank, m, m.made === NONE ? undefined : same(`${turn} ${key}`, () => m.values))
        continue
      }
      const of = m.comm === SELF ? { id: -1, members: Int32Array.of(rank) } : own.get(rank)!.get(m.comm)
      if (of === undefined) {
        waiting.set(rank, undefined)
        return
      }
      const key = `${of.id === -1 ? `self ${rank}` : of.id} ${turnOf(rank, of.id, m.kind === Kind.COMM_SPLIT)}`
      arrive(rank, key, m.kind, of)
      if (m.kind === Kind.COMM_DUP)
        take(
          rank,
          m,
          same(key, () => of.members),
        )
      else if (m.kind === Kind.COMM_CREATE) {
        const made = same(`${key} ${m.values.join(",")}`, () => m.values.map((i) => of.members[i] ?? -1).filter((w) => w >= 0))
        take(rank, m, m.made === NONE ? undefined : made)
      } else if (!split(rank, m, of, key)) return
    }
    waiting.delete(rank)
  }

  /** The turn counts on, except that a split which waits for others is asked for again. */
  function turnOf(rank: number, id: number | string, again = false): number {
    const mine = turns.get(rank)!
    const turn = mine.get(id) ?? 0
    if (!again) mine.set(id, turn + 1)
    return turn
  }

  /** Answers whether the rank may go on. */
  function split(rank: number, m: Making, of: Communicator, key: string): boolean {
    let arrived = splits.get(key)
    if (arrived === undefined) splits.set(key, (arrived = new Map()))
    arrived.set(rank, m)
    if (arrived.size < of.members.length) {
      waiting.set(rank, of)
      return false
    }
    splits.delete(key)
    const colours = new Map<number, number[]>()
    of.members.forEach((w) => {
      const colour = arrived.get(w)!.colour
      if (colour === NONE) return
      const list = colours.get(colour)
      if (list === undefined) colours.set(colour, [w])
      else list.push(w)
    })
    // members are in the order of the old communicator, and the sort keeps it among equal keys
    const made = new Map(
      [...colours].map(([c, list]) => [c, fresh(Int32Array.from(list.sort((a, b) => arrived.get(a)!.key - arrived.get(b)!.key)))]),
    )
    for (const w of of.members) {
      const theirs = arrived.get(w)!
      turnOf(w, of.id)
      take(w, theirs, made.get(theirs.colour))
      waiting.delete(w)
      if (w !== rank) ready.push(w)
    }
    return true
  }
}

const nothing: readonly Making[] = []
const none: readonly (Communicator | undefined)[] = []

function makingsOf(program: Program, rank: number): readonly Making[] {
  const source = program.rank(rank)
  // a trace may claim a million ranks of which it has three
  if (source.at(0) === undefined) return nothing
  const found: Making[] = []
  // most programs make none: they are only looked through
  for (let op = 0, w = source.at(0); w !== undefined; op = w.first + w.count, w = source.at(op)) {
    const { ops } = w
    const end = w.count * WORDS
    for (let row = (op - w.first) * WORDS; row < end; row += WORDS)
      if (makesCommunicator(kindOf(ops[row + KIND]!))) found.push(making(w, row))
  }
  return found
}

function making({ ops, list }: Window, row: number): Making {
  const from = ops[row + LIST]! + ops[row + NEEDS]!
  const values = list.slice(from, from + ops[row + VALUES]!)
  return {
    kind: kindOf(ops[row + KIND]!),
    comm: ops[row + COMM]!,
    made: ops[row + PEER]!,
    colour: ops[row + TAG]!,
    key: ops[row + LOW]!,
    values,
  }
}

/** Which communicators a rank has at a moment, followed through its operations. */
export class Following {
  readonly #own = new Map<number, Communicator>()
  readonly #made: readonly (Communicator | undefined)[]
  #at = 0
  constructor(resolved: Resolved, rank: number) {
    this.#made = resolved.made(rank)
    this.#own.set(WORLD, resolved.world)
    this.#own.set(SELF, { id: -1 - rank, members: Int32Array.of(rank) })
  }
  get(number: number): Communicator | undefined {
    return this.#own.get(number)
  }
  /** The rank makes one: what it is, and under which number it goes from here on. */
  make(number: number): Communicator | undefined {
    const made = this.#made[this.#at++]
    if (number >= FIRST_COMM && made !== undefined) this.#own.set(number, made)
    return made
  }
}
