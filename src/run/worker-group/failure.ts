// Propagates the first failure of a worker to all threads of a run, over shared memory. Every worker has a separate
// place for the text of its error. It writes the text first and then claims the word `first` with one atomic operation.
// A thread that sees the word therefore always finds a complete text. No thread ever waits: a worker that is terminated
// while it writes leaves no trace. test/twins/failure-model.test.ts checks the protocol.
import { shared } from "../../model/graph.ts"

export interface FailureMemory {
  /** 0, or 1 + the worker that failed first */
  readonly first: Int32Array
  /** [worker] -> number of bytes of its text */
  readonly lengths: Int32Array
  readonly texts: Uint8Array
}

/** bytes of the text of one worker */
const CAPACITY = 1 << 14
/** characters of a message or a stack; each character takes at most 6 bytes, if JSON escapes it */
const LONGEST = 1200

export function shareFailure(workers: number): FailureMemory {
  return {
    first: shared(Int32Array, 1),
    lengths: shared(Int32Array, workers),
    texts: shared(Uint8Array, workers * CAPACITY),
  }
}

export function hasFailed(f: FailureMemory): boolean {
  return Atomics.load(f.first, 0) !== 0
}

/** Records the error of worker `me`. The first worker that does so is the one that `firstFailure` reports. */
export function breakOff(f: FailureMemory, me: number, error: unknown): void {
  if (hasFailed(f)) return
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
  const short = (text: unknown, most: number) => String(text ?? "").slice(0, most)
  const text = JSON.stringify({
    name: short(name, 100),
    message: short(message, LONGEST),
    stack: short(stack, LONGEST),
  })
  const bytes = new TextEncoder().encode(text)
  f.texts.set(bytes, me * CAPACITY)
  f.lengths[me] = bytes.length
  Atomics.compareExchange(f.first, 0, 0, me + 1)
}

/** Returns the error of the worker that failed first. An allocation failure stays a RangeError. */
export function firstFailure(f: FailureMemory): Error {
  const me = Atomics.load(f.first, 0) - 1
  const said: unknown = JSON.parse(
    new TextDecoder().decode(f.texts.slice(me * CAPACITY, me * CAPACITY + f.lengths[me])),
  )
  const word = (key: string) => String(Object.entries(said ?? {}).find(([k]) => k === key)?.[1] ?? "")
  const error = word("name") === "RangeError" ? new RangeError(word("message")) : new Error(word("message"))
  error.stack = word("stack")
  return error
}
