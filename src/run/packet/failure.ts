// Several workers, one of which breaks off: the others notice, break off too, and whoever asked hears what the first one said.
import { shared } from "../../model/graph.ts"

export interface FailureMemory {
  /** NONE, WRITING or WRITTEN; bytes of the text */
  readonly state: Int32Array
  readonly text: Uint8Array
}

const NONE = 0
const WRITING = 1
const WRITTEN = 2
const ROOM = 1 << 14

export function shareFailure(): FailureMemory {
  return { state: shared(Int32Array, 2), text: shared(Uint8Array, ROOM) }
}

export function hasFailed(f: FailureMemory): boolean {
  return Atomics.load(f.state, 0) !== NONE
}

/** Puts the error down, unless another worker was first. */
export function breakOff(f: FailureMemory, error: unknown): void {
  if (Atomics.compareExchange(f.state, 0, NONE, WRITING) !== NONE) return
  const { name, message, stack = "" } = error instanceof Error ? error : new Error(String(error))
  const bytes = new TextEncoder().encode(JSON.stringify({ name, message: message.slice(0, 2000), stack: stack.slice(0, 2000) }))
  f.text.set(bytes.subarray(0, ROOM))
  f.state[1] = Math.min(bytes.length, ROOM)
  Atomics.store(f.state, 0, WRITTEN)
  Atomics.notify(f.state, 0)
}

/** What the first one said; lack of memory stays a RangeError. */
export function firstFailure(f: FailureMemory): Error {
  while (Atomics.load(f.state, 0) === WRITING) Atomics.wait(f.state, 0, WRITING, 10)
  const said: unknown = JSON.parse(new TextDecoder().decode(f.text.slice(0, f.state[1])))
  const word = (key: string) => String(Object.entries(said ?? {}).find(([k]) => k === key)?.[1] ?? "")
  const error = word("name") === "RangeError" ? new RangeError(word("message")) : new Error(word("message"))
  error.stack = word("stack")
  return error
}
