// State digest of the input-queued router: each VC and each pointer, under keys that do not depend on the partitioning.
// Two runs with different numbers of workers must give the same fingerprint.
import type { Column } from "../../fabric/columns.ts"
import type { Layout } from "../../fabric/layout.ts"
import type { StateDigest } from "../../fabric/switch.ts"
import type { IqSpec } from "./options.ts"
import type { IqState } from "./state.ts"

/** `s` is the next core step. */
export function digestState(
  spec: IqSpec,
  state: IqState,
  d: StateDigest,
  outer: (id: number) => number,
  s: number,
): void {
  const { layout: l, fields: a, buffers, candidates: C, inputSpeedup: IS } = spec
  const { WORDS, ENDS, vaM, soon, saM, columns: own } = state
  const c = (name: string) => own[name]
  // A request for a VC in the next step may be in `soon` or already in `vaM`; both count as the same state.
  const next = (s & 1) === 0 ? 0 : WORDS
  const then = WORDS - next
  for (let id = 0; id < l.NOV; id++) {
    const r = Math.floor(id / l.RS)
    if (l.outerRouter[r] < 0 || (id & ((1 << l.LV) - 1)) >= l.vcs || (id % l.RS) >> l.LV >= l.radix) continue
    const key = outer(id)
    const w = id >> 5
    const bit = (m: number) => (m >>> (id & 31)) & 1
    d.add(key, c("cnt")[id] * 65536 + c("rem")[id], c("out")[id] * 65536 + c("own")[id])
    d.add(key, buffers.credits[id], (c("gptr")[id] << 16) + c("aptr")[id])
    d.add(
      key,
      bit(saM[w]) * 4 + bit(vaM[w] | soon[next + w]) * 2 + bit(soon[then + w]),
      (c("rqPort")[id * C] << 16) ^ c("rqMask")[id * C],
    )
    if (C > 1 && c("cnt")[id] > 0)
      for (let k = 1; k < c("rqCount")[id]; k++) d.add(key, c("rqPort")[id * C + k], c("rqMask")[id * C + k])
    if (c("cnt")[id] === 0) continue
    let at = 1
    if (c("cur")[id] >= 0) d.add(key, at, a.pKey[c("cur")[id]])
    for (let p = c("qh")[id]; p !== 0; p = a.pNext[p - 1]) d.add(key, ++at, a.pKey[p - 1])
  }
  for (let port = 0; port < l.routers * l.PS; port++) {
    const key = outer(port << l.LV)
    if (l.outerRouter[Math.floor(port / l.PS)] < 0) continue
    d.add(key, (c("sg")[port] << 16) + c("sa")[port], (c("freeVc")[port] << 8) + c("rr")[port * IS])
    for (let lane = 1; lane < IS; lane++) d.add(key, lane, c("rr")[port * IS + lane])
  }
  // Packets whose last flit has yet to leave (packet-granular.ts), by the number of steps until then.
  for (let list = 0; list < l.parts * ENDS; list++) {
    const part = Math.floor(list / ENDS)
    const routers = l.firstRouter[part + 1] - l.firstRouter[part]
    const at = (l.firstRouter[part] * ENDS + (list % ENDS) * routers) * l.radix
    for (let i = 0; i < state.endingCount[list]; i++)
      d.add(outer(state.ending[at + i]), 0x70000000, (list - s) & (ENDS - 1))
  }
  for (const [name, column] of Object.entries(own)) if (name.includes(".")) digestRows(l, column, d, salt(name))
}

/** Adds the pointers of a general allocator: one row for each router. */
function digestRows(l: Layout, column: Column, d: StateDigest, salt: number): void {
  const width = Math.floor(column.length / l.routers)
  for (let i = 0; i < width * l.routers; i++) {
    const r = l.outerRouter[Math.floor(i / width)]
    if (r >= 0 && column[i] !== 0) d.add(salt, r * width + (i % width), column[i])
  }
}

function salt(name: string): number {
  let s = 0x60000000
  for (let i = 0; i < name.length; i++) s = Math.imul(s ^ name.charCodeAt(i), 0x01000193)
  return s
}
