// Communicators and groups of one rank of a DUMPI trace. Handles are small numbers that are private to the rank and
// reused after they are freed. A group is a list of ranks of the communicator from which it was created. replay.ts
// calls `follow` for each record.
import { Kind, NONE, SELF, WORLD } from "../../program.ts"
import type { RankWriter } from "../../writer.ts"
import { mostRanks } from "../trace.ts"
import { BadCall } from "./file.ts"

const NULL = 1
const WORLD_HANDLE = 2
const SELF_HANDLE = 3
/** "all": the ranks 0, 1, … of a communicator whose size is unknown, because the program never queried it. */
type Members = readonly number[] | "all"
interface Group {
  readonly of: number
  readonly members: Members
}
interface Grid {
  readonly dims: readonly number[]
}

export class Groups {
  readonly #to: RankWriter
  /** Communicator handle -> its size and the rank in it, if the trace recorded them. */
  readonly #known = new Map<number, { size?: number; rank?: number; grid?: Grid }>([
    [WORLD_HANDLE, {}],
    [SELF_HANDLE, { size: 1, rank: 0 }],
  ])
  readonly #groups = new Map<number, Group>([[2, { of: WORLD_HANDLE, members: [] }]])

  constructor(to: RankWriter) {
    this.#to = to
  }
  get world(): { readonly size?: number; readonly rank?: number } {
    return this.#known.get(WORLD_HANDLE)!
  }
  /** Returns the number of the program for a communicator handle. */
  of(handle: number): number {
    if (handle === WORLD_HANDLE) return WORLD
    if (handle === SELF_HANDLE) return SELF
    if (!this.#known.has(handle))
      throw new BadCall(
        `communicator ${handle} is unknown: expected 2 (world), 3 (self) or one that a call before made`,
        "record the calls that make communicators as well (profiling was off when it was made)",
      )
    return handle - 2
  }
  #open(handle: number, about: { size?: number; rank?: number; grid?: Grid } = {}): void {
    if (handle !== NULL) this.#known.set(handle, about)
  }
  /**
   * Records the size or rank of a communicator. Communicators whose creation was not recorded are ignored: their
   * members stay unknown.
   */
  #learn(handle: number, more: { size?: number; rank?: number }): void {
    const known = this.#known.get(handle)
    if (known !== undefined) this.#known.set(handle, { ...known, ...more })
  }
  #group(handle: number): Group {
    const g = this.#groups.get(handle)
    if (g === undefined)
      throw new BadCall(
        `group ${handle} is unknown: expected one that a call before made`,
        "record the calls that make groups as well",
      )
    return g
  }
  /** Returns the members of a group as a list; fails if the size of its communicator is unknown. */
  #listed(g: Group): readonly number[] {
    if (g.members !== "all") return g.members
    const size = this.#known.get(g.of)?.size
    if (size === undefined)
      throw new BadCall(
        "the size of the communicator behind a group is not in the trace",
        "record MPI_Comm_size as well",
      )
    return Array.from({ length: size }, (_, i) => i)
  }
  /** Writes the operation that creates a communicator, and records its handle. */
  #make(comm: number, members: Members, made: number, rank: number | undefined, fn: number, grid?: Grid): void {
    const peer = made === NULL ? NONE : made - 2
    const from = this.of(comm)
    if (members === "all") this.#to.collective(Kind.COMM_DUP, 0, { comm: from, peer, call: fn })
    else this.#to.collective(Kind.COMM_CREATE, 0, { comm: from, peer, values: members, call: fn })
    const size = members === "all" ? this.#known.get(comm)?.size : members.length
    this.#open(made, {
      ...(size === undefined ? {} : { size }),
      ...(rank === undefined ? {} : { rank }),
      ...(grid === undefined ? {} : { grid }),
    })
  }

  /**
   * Handles calls that create, query or free communicators and groups. Returns true if the call was one of them. `x`
   * are the ints of the record.
   */
  follow(fn: number, x: Int32Array): boolean {
    switch (fn) {
      case 68: // Group_size and Group_rank contain nothing that is needed
      case 69:
        return true
      case 72: // Comm_group
        this.of(x[0])
        this.#groups.set(x[1], { of: x[0], members: "all" })
        return true
      case 73: // union, intersection, difference
      case 74:
      case 75:
        this.#combine(fn, x)
        return true
      case 76: // incl, excl: group, count, n, ranks…, new
      case 77: {
        const g = this.#group(x[0])
        const ranks = x.slice(3, 3 + x[2])
        this.#groups.set(x[3 + x[2]], {
          of: g.of,
          members: fn === 76 ? this.#pick(g, ranks) : this.#without(g, ranks),
        })
        return true
      }
      case 78: // range_incl, range_excl: group, count, n, (3, first, last, stride)…, new
      case 79:
        this.#ranges(fn, x)
        return true
      case 80:
        this.#groups.delete(x[0])
        return true
      case 81: // Comm_size
        if (x[1] > 0 && x[1] <= mostRanks) this.#learn(x[0], { size: x[1] })
        return true
      case 82: // Comm_rank
        if (x[1] >= 0) this.#learn(x[0], { rank: x[1] })
        return true
      case 84: // dup
        this.#make(x[0], "all", x[1], this.#known.get(x[0])?.rank, fn)
        return true
      case 85:
        this.#create(x[0], this.#group(x[1]), x[2], fn)
        return true
      case 86: // split: comm, colour, key, new
        this.#split(x[0], x[1], x[2], x[3], fn)
        return true
      case 87: // free, disconnect
      case 132:
        if (x[0] > SELF_HANDLE && this.#known.has(x[0])) {
          this.#to.collective(Kind.COMM_FREE, 0, { comm: this.of(x[0]), call: fn, flags: 0 })
          this.#known.delete(x[0])
        }
        return true
      case 99: // Cart_create: comm, ndim, n, dims…, m, periods…, reorder, new
        this.#cartesian(x, fn)
        return true
      case 101: {
        // Graph_create: edges, comm, nodes, n, index…, m, edges…, reorder, new
        const edges = 4 + x[3]
        this.#grid(x[1], x[2], x[edges + 1 + x[edges] + 1], fn)
        return true
      }
      case 111: // Cart_sub: ndim, comm, n, remain…, new
        this.#slice(x, fn)
        return true
      case 91:
      case 92:
      case 130:
      case 131:
      case 133:
      case 134:
      case 135:
      case 136:
        throw new BadCall(
          "communicators between two groups, and processes that join later, are not replayed",
          "trace a program that stays within MPI_COMM_WORLD",
        )
    }
    return false
  }

  #ranges(fn: number, x: Int32Array): void {
    const g = this.#group(x[0])
    const n = x[2]
    const ranks: number[] = []
    let at = 3
    for (let i = 0; i < n; i++) {
      const width = x[at]
      if (width === 3) range(ranks, x[at + 1], x[at + 2], x[at + 3])
      at += 1 + width
    }
    this.#groups.set(x[at], { of: g.of, members: fn === 78 ? this.#pick(g, ranks) : this.#without(g, ranks) })
  }

  #cartesian(x: Int32Array, fn: number): void {
    const dims = [...x.subarray(3, 3 + x[2])]
    const made = x[3 + x[2] + 1 + x[3 + x[2]] + 1]
    this.#grid(
      x[0],
      dims.reduce((a, b) => a * b, 1),
      made,
      fn,
      { dims },
    )
  }

  #slice(x: Int32Array, fn: number): void {
    const known = this.#known.get(x[1])
    if (known?.grid === undefined || known.rank === undefined)
      throw new BadCall(
        "MPI_Cart_sub of a communicator whose shape, or this rank's place in it, is not in the trace",
        "record MPI_Cart_create and MPI_Comm_rank as well",
      )
    const [colour, key] = slice(known.grid.dims, known.rank, x.subarray(3, 3 + x[2]))
    this.#split(x[1], colour, key, x[3 + x[2]], fn)
  }

  #split(comm: number, colour: number, key: number, made: number, fn: number): void {
    // A negative colour is MPI_UNDEFINED, whose value differs between MPI libraries.
    const none = colour < 0 || made === NULL
    this.#to.collective(Kind.COMM_SPLIT, key, {
      comm: this.of(comm),
      peer: none ? NONE : made - 2,
      tag: none ? NONE : colour,
      call: fn,
    })
    if (!none) this.#open(made)
  }
  #create(comm: number, group: Group, made: number, fn: number) {
    if (group.of === comm) return this.#make(comm, group.members, made, undefined, fn)
    if (group.of !== WORLD_HANDLE)
      throw new BadCall(
        "MPI_Comm_create with a group of another communicator than the one it is called on",
        "make the group of the communicator itself",
      )
    this.of(comm)
    if (made === NULL) return
    const members = this.#listed(group)
    this.#to.op(Kind.COMM_DEFINE, { peer: made - 2, values: members, call: fn })
    this.#open(made, { size: members.length })
  }
  /** Creates a communicator of the first `count` ranks of another one, in the same order. */
  #grid(comm: number, count: number, made: number, fn: number, grid?: Grid): void {
    if (!(count >= 0 && count <= mostRanks))
      throw new BadCall(`a shape of ${count} ranks, expected at most ${mostRanks}`, "the file is damaged: get it again")
    const rank = this.#known.get(comm)?.rank
    this.#make(
      comm,
      this.#known.get(comm)?.size === count ? "all" : Array.from({ length: count }, (_, i) => i),
      made,
      rank,
      fn,
      grid,
    )
  }
  #pick(g: Group, ranks: ArrayLike<number>): readonly number[] {
    if (g.members === "all") return Array.from(ranks)
    return Array.from(ranks, (r) => {
      const member = g.members[r] as number | undefined
      if (member === undefined)
        throw new BadCall(`rank ${r} of a group of ${g.members.length}`, "the file is damaged: get it again")
      return member
    })
  }
  #without(g: Group, ranks: ArrayLike<number>): readonly number[] {
    const gone = new Set(Array.from(ranks))
    return this.#listed(g).filter((_, i) => !gone.has(i))
  }
  #combine(fn: number, x: Int32Array): void {
    const a = this.#group(x[0])
    const b = this.#group(x[1])
    if (a.of !== b.of)
      throw new BadCall("two groups of different communicators are combined", "make both of the same communicator")
    const [one, two] = [this.#listed(a), new Set(this.#listed(b))]
    const both =
      fn === 73 ? [...one, ...[...two].filter((r) => !one.includes(r))] : one.filter((r) => two.has(r) === (fn === 74))
    this.#groups.set(x[2], { of: a.of, members: both })
  }
}

function range(to: number[], first: number, last: number, stride: number): void {
  if (stride === 0 || Math.abs((last - first) / stride) > mostRanks)
    throw new BadCall(
      `ranks ${first} to ${last} in steps of ${stride}, expected at most ${mostRanks}`,
      "the file is damaged: get it again",
    )
  for (let r = first; stride > 0 ? r <= last : r >= last; r += stride) to.push(r)
}

/**
 * Returns the slice of a grid in which a rank is if only the dimensions `remain` are kept (colour), and its place there
 * (key). The last dimension varies fastest.
 */
function slice(dims: readonly number[], rank: number, remain: ArrayLike<number>): [colour: number, key: number] {
  let rest = rank
  const at = dims.map(() => 0)
  for (let d = dims.length - 1; d >= 0; d--) {
    at[d] = rest % dims[d]
    rest = Math.floor(rest / dims[d])
  }
  let [colour, key] = [0, 0]
  for (let d = 0; d < dims.length; d++) {
    if (remain[d] === 0) colour = colour * dims[d] + at[d]
    else key = key * dims[d] + at[d]
  }
  return [colour, key]
}
