// The memory of one packet simulation: the order and size of all columns. All state lives in one Int32Array
// (memory.ts). A chunk in flight is a record that serves as its own event. A record consists of several columns with
// the same stride, so that an offset such as `cold` leads from one to the next:
//   `0`       Hot words: time, key, link, state and routing scratch. Every event reads them.
//   `cold`    Words that only endpoints and reports read: source, size, creation time.
//   `waited`  Time that the chunk was stalled for credits. It is valid only if STATE has the bit WAITED.
//   `own`     Words of ranks of parallel programs. The column exists only if there are ranks.
import { bitsFor } from "../../core/bitset.ts"
import { COLD_WORDS, SCRATCH } from "../../model/events.ts"
import { OWN_WORDS } from "../../model/workload.ts"
import { layLists } from "./credit-lists.ts"
import { layRings } from "./credits.ts"
import type { MachineSpec, Parts } from "./machine-types.ts"
import { Memory } from "./memory.ts"

/** maximum number of extra records of an optimistic worker, for events that may be undone */
export const MOST_KEPT = 1 << 16

/** Computes the offsets of all columns without allocating memory, so that `machineWords` can estimate the size. */
export function layMachine(spec: MachineSpec, parts: Parts, optimistic: boolean) {
  const { graph } = spec
  const vcBits = bitsFor(spec.vcs)
  const entrySlots = graph.chans << vcBits
  const entries = graph.ends * graph.rails
  const slots = entrySlots + entries
  const scratch = Math.max(1, spec.scratch)
  const stride = Math.max(spec.ranks === undefined ? COLD_WORDS : OWN_WORDS, 1 << bitsFor(SCRATCH + scratch))
  const memory = new Memory()
  // Records for undoable events are added to those for chunks in flight. A shortage of records then limits optimism and
  // does not stop the run.
  const pool = spec.records + (optimistic ? Math.min(spec.records, MOST_KEPT) : 0)
  const column = (pool + 1) * stride
  memory.reserve(column)
  const cold = memory.reserve(column)
  // A separate column because few chunks stall: untouched pages cost nothing.
  const waited = memory.reserve(column)
  const own = spec.ranks === undefined ? 0 : memory.reserve(column)
  const records = memory.size
  const capacity = spec.capacity(slots, vcBits)
  const most = capacity.reduce((a, b) => Math.max(a, b), 0)
  const rings = optimistic ? undefined : layRings(memory, slots, vcBits, spec.merged ? most : 2 * most)
  const lists = optimistic ? layLists(memory, slots, most) : undefined
  const switchPart = parts.switch(memory, vcBits)
  const terminalPart = parts.terminals(memory)
  const rankPart = spec.ranks?.lay(memory)
  const opened = spec.ranks === undefined ? 0 : memory.reserve(graph.ends)
  return {
    column,
    own,
    rankPart,
    opened,
    vcBits,
    entrySlots,
    entries,
    scratch,
    stride,
    memory,
    cold,
    waited,
    records,
    capacity,
    most,
    rings,
    lists,
    switchPart,
    terminalPart,
  }
}

/**
 * Returns the words of a machine's memory, and how many of them are chunk records. Only the records that are used touch
 * memory, so this part grows with the number of chunks in flight.
 */
export function machineWords(spec: MachineSpec, parts: Parts): { readonly words: number; readonly records: number } {
  const { memory, records } = layMachine(spec, parts, false)
  return { words: memory.size, records }
}
