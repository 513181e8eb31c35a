// Writes the operations of one rank in the representation of program.ts. Trace readers, generators and tests use it. A
// program that is too large for memory is written in windows: with `each` > 0 the writer starts a new window after that
// many operations, and `take` removes the operations written so far.
//
// Invariant: a loop never spans two windows, because JUMP is relative and the reader executes a loop within one window.
// A window with an open loop therefore grows instead of being closed.
import {
  ANY,
  BLOCKS,
  CALL,
  COMM,
  HIGH,
  inMemory,
  JUMP,
  KIND,
  Kind,
  LIST,
  LOW,
  NEEDS,
  NONE,
  PEER,
  type Program,
  type RankSource,
  REQUEST,
  SYNCHRONOUS,
  TAG,
  VALUES,
  type Window,
  WORDS,
  WORLD,
} from "./program.ts"

export interface OpFields {
  /** BLOCKS, SYNCHRONOUS, ONE_OF */
  readonly flags?: number
  readonly peer?: number
  readonly tag?: number
  readonly comm?: number
  /** Bytes, picoseconds or iterations. */
  readonly amount?: number
  readonly request?: number
  readonly needs?: ArrayLike<number>
  readonly values?: ArrayLike<number>
  readonly call?: number
}

const none: readonly number[] = []

export class RankWriter {
  #ops: Int32Array<ArrayBuffer>
  #list = new Int32Array(64)
  #used = 0
  #count = 0
  #first = 0
  readonly #loops: number[] = []
  /** Operations of a window; 0: all operations are in one window, which grows. */
  readonly #each: number
  readonly #windows: Window[] = []

  constructor(each = 0) {
    this.#each = each
    this.#ops = new Int32Array((each > 0 ? each : 64) * WORDS)
  }

  /** Number of operations written so far, including those that `take` has removed. */
  get written(): number {
    return this.#first + this.#count
  }
  /** Number of operations that `take` would return. */
  get waiting(): number {
    return this.#count
  }
  /** Number of open loops. The caller must not cut a window while it is above 0. */
  get open(): number {
    return this.#loops.length
  }

  /** Adds one operation and returns its number. */
  op(kind: Kind, f: OpFields = {}): number {
    const row = this.#count * WORDS
    if (row === this.#ops.length) return this.#beyond(() => this.op(kind, f))
    const needs = f.needs ?? none
    const values = f.values ?? none
    const end = this.#used + needs.length + values.length
    if (end > this.#list.length) this.#list = grown(this.#list, end)
    this.#list.set(needs, this.#used)
    this.#list.set(values, this.#used + needs.length)
    const o = this.#ops
    const n = f.amount ?? 0
    o[row + KIND] = kind | (f.flags ?? 0)
    o[row + PEER] = f.peer ?? NONE
    o[row + TAG] = f.tag ?? 0
    o[row + COMM] = f.comm ?? WORLD
    o[row + LOW] = n % 0x1_0000_0000
    o[row + HIGH] = n < 0 ? 0 : Math.floor(n / 0x1_0000_0000)
    o[row + REQUEST] = f.request ?? NONE
    o[row + LIST] = this.#used
    o[row + NEEDS] = needs.length
    o[row + VALUES] = values.length
    o[row + CALL] = f.call ?? NONE
    o[row + JUMP] = 0
    this.#used = end
    this.#count++
    return this.written - 1
  }
  /**
   * The same without an options object, because readers of large traces call it millions of times. `word` is a kind
   * with its flags.
   */
  plain(
    word: number,
    peer: number,
    tag: number,
    comm: number,
    amount: number,
    request: number,
    call: number,
    needs: ArrayLike<number> = none,
  ): number {
    const row = this.#count * WORDS
    if (row === this.#ops.length)
      return this.#beyond(() => this.plain(word, peer, tag, comm, amount, request, call, needs))
    const end = this.#used + needs.length
    if (end > this.#list.length) this.#list = grown(this.#list, end)
    for (let i = 0; i < needs.length; i++) this.#list[this.#used + i] = needs[i]
    const o = this.#ops
    o[row + KIND] = word
    o[row + PEER] = peer
    o[row + TAG] = tag
    o[row + COMM] = comm
    // The remainder of a double is slow, and most amounts fit into 32 bits.
    const small = amount < 0x1_0000_0000
    o[row + LOW] = small ? amount : amount % 0x1_0000_0000
    o[row + HIGH] = small ? 0 : Math.floor(amount / 0x1_0000_0000)
    o[row + REQUEST] = request
    o[row + LIST] = this.#used
    o[row + NEEDS] = needs.length
    o[row + VALUES] = 0
    o[row + CALL] = call
    o[row + JUMP] = 0
    this.#used = end
    this.#count++
    return this.written - 1
  }
  /** The window is full: starts a new window, or doubles the current one. Then repeats the write. */
  #beyond(write: () => number): number {
    if (this.#each === 0 || this.#loops.length > 0) this.#ops = grown(this.#ops, this.#ops.length + WORDS)
    else {
      // The window takes the arrays themselves (no copy), so the writer allocates new ones.
      this.#windows.push({
        first: this.#first,
        count: this.#count,
        ops: this.#ops,
        list: this.#list.subarray(0, this.#used),
      })
      this.#first += this.#count
      this.#count = 0
      this.#used = 0
      this.#ops = new Int32Array(this.#each * WORDS)
      this.#list = new Int32Array(this.#list.length)
    }
    return write()
  }
  compute(picoseconds: number, f: OpFields = {}): number {
    return this.op(Kind.COMPUTE, { flags: BLOCKS, ...f, amount: picoseconds })
  }
  send(peer: number, bytes: number, tag = 0, f: OpFields = {}): number {
    return this.op(Kind.SEND, { flags: BLOCKS, ...f, peer, amount: bytes, tag })
  }
  ssend(peer: number, bytes: number, tag = 0, f: OpFields = {}): number {
    return this.send(peer, bytes, tag, { flags: BLOCKS | SYNCHRONOUS, ...f })
  }
  recv(peer: number, bytes: number, tag = ANY, f: OpFields = {}): number {
    return this.op(Kind.RECV, { flags: BLOCKS, ...f, peer, amount: bytes, tag })
  }
  isend(peer: number, bytes: number, tag: number, request: number, f: OpFields = {}): number {
    return this.send(peer, bytes, tag, { flags: 0, ...f, request })
  }
  irecv(peer: number, bytes: number, tag: number, request: number, f: OpFields = {}): number {
    return this.recv(peer, bytes, tag, { flags: 0, ...f, request })
  }
  wait(needs: ArrayLike<number>, f: OpFields = {}): number {
    return this.op(Kind.WAIT, { flags: BLOCKS, ...f, needs })
  }
  collective(kind: Kind, bytes: number, f: OpFields = {}): number {
    return this.op(kind, { flags: BLOCKS, ...f, amount: bytes })
  }
  /** Writes a loop: the operations that `body` writes are executed `turns` times. */
  loop(turns: number, body: () => void): void {
    this.begin(turns)
    body()
    this.end()
  }
  begin(turns: number): void {
    this.#loops.push(this.op(Kind.LOOP, { amount: turns }))
  }
  end(): void {
    const start = this.#loops.pop()
    if (start === undefined) throw new RangeError("END without LOOP")
    const at = this.op(Kind.END)
    // Both jumps are relative, so a window can be moved without patching.
    this.#ops[(at - this.#first) * WORDS + JUMP] = start + 1 - at
    this.#ops[(start - this.#first) * WORDS + JUMP] = at + 1 - start
  }

  /** Removes the operations written since the last `take` and returns them as a separate window. */
  take(): Window {
    const window = {
      first: this.#first,
      count: this.#count,
      ops: this.#ops.slice(0, this.#count * WORDS),
      list: this.#list.slice(0, this.#used),
    }
    this.#first += this.#count
    this.#count = 0
    this.#used = 0
    return window
  }
  /** Returns all windows as one stream in memory. */
  source(): RankSource {
    const last = this.take()
    const windows = [...this.#windows, last]
    if (windows.length === 1) return inMemory(last.ops, last.count, last.list)
    return { at: (op) => (op < last.first + last.count ? windowAt(windows, op) : undefined) }
  }
}

/** Returns the window that contains operation `op`: binary search over the first operations. */
function windowAt(windows: readonly Window[], op: number): Window {
  let low = 0
  let high = windows.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (windows[middle].first <= op) low = middle
    else high = middle - 1
  }
  return windows[low]
}

function grown(column: Int32Array, least: number): Int32Array<ArrayBuffer> {
  const more = new Int32Array(Math.max(least, column.length * 2))
  more.set(column)
  return more
}

/** Returns a program that a function writes on demand, one rank at a time. */
export function written(
  ranks: number,
  write: (rank: number, to: RankWriter) => void,
  calls: readonly string[] = [],
): Program {
  return {
    ranks,
    calls,
    rank: (r) => {
      const to = new RankWriter()
      write(r, to)
      return to.source()
    },
  }
}
