// Resolves the members of every communicator of a program. The k-th communicator operation of each member on a
// communicator is the same call, so the calls can be matched without simulating the program. A split needs the colours
// and keys of all members, so ranks advance independently and wait only there. The dry run (dry.ts), the traffic matrix
// (traffic.ts) and the analysis (mpi/analysis.ts) use the result.
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

/** A communicator; `members` are ranks of the world. */
export interface Communicator {
  readonly id: number
  readonly members: Int32Array
}

/** One communicator operation of a rank. */
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
  /**
   * Returns the communicator that each communicator operation of this rank created, in order; undefined: none, or
   * unknown.
   */
  made(rank: number): readonly (Communicator | undefined)[]
  /**
   * Calls that not all members make, because a rank is missing or the trace is wrong: the rank, the number of its call,
   * and the communicator of the call if it is known.
   */
  readonly open: readonly Open[]
  /** Two ranks whose calls on the same communicator have different kinds. */
  readonly mixed: readonly { readonly rank: number; readonly other: number }[]
}

export interface Open {
  readonly rank: number
  readonly making: number
  readonly of: Communicator | undefined
}

/** The members that have made one call on a communicator, in any order. */
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
  // A trace may declare a million ranks and contain three, so only ranks that create communicators get state.
  const makers = makings.flatMap((m, r) => (m.length > 0 ? [r] : []))
  const results = new Map(makers.map((r) => [r, [] as (Communicator | undefined)[]]))
  const own = new Map(makers.map((r) => [r, new Map<number, Communicator>([[WORLD, world]])]))
  /** [rank]: communicator -> number of the rank's next call on it. */
  const turns = new Map(makers.map((r) => [r, new Map<number | string, number>()]))
  const shared = new Map<string, Communicator>()
  const splits = new Map<string, Map<number, Making>>()
  const arrivals = new Map<string, Arrived>()
  const mixed: { rank: number; other: number }[] = []
  const ready = [...makers]
  /** Rank -> the communicator of the split in which it waits, if it is known. */
  const waiting = new Map<number, Communicator | undefined>()

  /** Records the communicator that operation `m` of a rank created, under the number that the rank assigns. */
  const take = (rank: number, m: Making, made: Communicator | undefined): void => {
    results.get(rank)!.push(made)
    if (made !== undefined && m.made !== NONE) own.get(rank)!.set(m.made, made)
  }
  /** Returns the communicator with this key, and creates it for the first rank that requests it. */
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

  /** Returns calls that complete without the other members (dup, create), but that not all members made. */
  function left(): Open[] {
    return [...arrivals.values()].flatMap(({ kind, of, came }) =>
      kind === Kind.COMM_SPLIT || came.length === of.members.length ? [] : [{ ...came[0], of }],
    )
  }
  /** Records that a rank has made a call, and compares its kind with that of the first rank. */
  function arrive(rank: number, key: string, kind: number, of: Communicator): void {
    const have = arrivals.get(key)
    if (have === undefined) arrivals.set(key, { kind, of, came: [{ rank, making: results.get(rank)!.length }] })
    else {
      if (have.kind !== kind) mixed.push({ rank, other: have.came[0].rank })
      have.came.push({ rank, making: results.get(rank)!.length })
    }
  }

  /** Resolves the operations of a rank in order, until a split must wait for other members. */
  function advance(rank: number): void {
    const list = makings[rank]
    const done = results.get(rank)!
    while (done.length < list.length) {
      const m = list[done.length]
      if (m.kind === Kind.COMM_DEFINE) {
        // A definition names its members itself. Equal lists are the same communicator; the count separates repeated
        // ones.
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
        const made = same(`${key} ${m.values.join(",")}`, () =>
          m.values.map((i) => of.members[i] ?? -1).filter((w) => w >= 0),
        )
        take(rank, m, m.made === NONE ? undefined : made)
      } else if (!split(rank, m, of, key)) return
    }
    waiting.delete(rank)
  }

  /**
   * Returns the number of the rank's next call on a communicator, and counts it. A split that waits is looked up again,
   * so it is counted only when it is complete.
   */
  function turnOf(rank: number, id: number | string, again = false): number {
    const mine = turns.get(rank)!
    const turn = mine.get(id) ?? 0
    if (!again) mine.set(id, turn + 1)
    return turn
  }

  /** Adds a rank to a split; the last member creates the new communicators. Returns true if the rank can continue. */
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
    // Members are in the order of the old communicator, and the sort is stable, so equal keys keep that order (as MPI
    // demands).
    const made = new Map(
      [...colours].map(([c, list]) => [
        c,
        fresh(Int32Array.from(list.sort((a, b) => arrived.get(a)!.key - arrived.get(b)!.key))),
      ]),
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

/** Returns the communicator operations of a rank. */
function makingsOf(program: Program, rank: number): readonly Making[] {
  const source = program.rank(rank)
  // Ranks that the trace does not contain need no list.
  if (source.at(0) === undefined) return nothing
  const found: Making[] = []
  // Most programs create no communicators, so this loop only scans the kinds.
  for (let op = 0, w = source.at(0); w !== undefined; op = w.first + w.count, w = source.at(op)) {
    const { ops } = w
    const end = w.count * WORDS
    for (let row = (op - w.first) * WORDS; row < end; row += WORDS)
      if (makesCommunicator(kindOf(ops[row + KIND]))) found.push(making(w, row))
  }
  return found
}

function making({ ops, list }: Window, row: number): Making {
  const from = ops[row + LIST] + ops[row + NEEDS]
  const values = list.slice(from, from + ops[row + VALUES])
  return {
    kind: kindOf(ops[row + KIND]),
    comm: ops[row + COMM],
    made: ops[row + PEER],
    colour: ops[row + TAG],
    key: ops[row + LOW],
    values,
  }
}

/** The communicators of a rank at the current operation. The caller advances it with `make` in program order. */
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
  /** The rank executes its next communicator operation: returns the new communicator and stores it under its number. */
  make(number: number): Communicator | undefined {
    const made = this.#made[this.#at++]
    if (number >= FIRST_COMM && made !== undefined) this.#own.set(number, made)
    return made
  }
}
