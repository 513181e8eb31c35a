// What is to be seen of congestion trees: timers, values, the table of CAM lines.
import type { Table } from "../../../model/experiment.ts"
import type { Frame } from "../frame.ts"
import { type Lines, MAPPED, type NoteColumns, SENT_STOP } from "./columns.ts"

/** Lines whose timer runs, and messages that wait for a link. */
export function armed({ talk }: Frame, { lineDue }: Lines): number {
  return waitingNotes(talk!) + running(lineDue)
}

/** Timers that run, of a column of cycles in which they are due. */
export function running(due: Int32Array): number {
  let n = 0
  for (let i = 0; i < due.length; i++) if (due[i] !== 0) n++
  return n
}

export function waitingNotes({ notes }: NoteColumns): number {
  let n = 0
  for (let i = 0; i < notes.length; i += 2) if (notes[i] !== 0) n++
  return n
}

export function sum(column: ArrayLike<number>): number {
  let all = 0
  for (let i = 0; i < column.length; i++) all += column[i]!
  return all
}

export function lineValues({ ports, talk }: Frame, s: Lines, cycles: number): Record<string, number> {
  let inputs = 0
  let on = 0
  let most = 0
  for (let q = 0; q < ports.count; q++) {
    inputs += ports.wired[q]!
    on += s.camCycles[q]! + (s.lines[q] !== 0 ? cycles - s.camSince[q]! : 0)
    most = Math.max(most, s.most[q]!)
  }
  return {
    "isolation.lines": sum(s.lines) / inputs,
    "isolation.lines.max": most,
    "isolation.born": sum(s.born),
    "isolation.aside": sum(s.aside),
    "isolation.messages": sum(talk!.noteCount),
    "isolation.flits": sum(talk!.noteFlits),
    "isolation.cam.use": cycles === 0 ? 0 : on / (inputs * cycles),
  }
}

/** All lines in use: where, of the input or the output, hops, list, state, who feeds them (of outputs: whose copy they are), output and the line of it that they
 * are linked to. */
export function lineTable({ site, ports }: Frame, s: Lines): Table {
  const { layout: l } = site
  const n = { router: [] as number[], port: [] as number[], line: [] as number[], hops: [] as number[], packets: [] as number[] }
  const w = { side: [] as string[], list: [] as string[], state: [] as string[], from: [] as string[], to: [] as string[] }
  const behind = (channel: number): string => (channel < 0 ? "" : `router ${l.outerRouter[ports.router[channel >> l.LV]!]}`)
  const feeds = (q: number): string => {
    const channel = l.up[q]!
    return channel >= l.NOV ? `endpoint ${l.outerEnd[(channel - l.NOV) >> l.LV]}` : behind(channel)
  }
  const see = (p: number, i: number, words: Int32Array) => {
    const list: number[] = []
    for (let d = 0; d < s.N; d++) if (((words[(p * s.L + i) * s.W + (d >> 5)]! >>> d) & 1) !== 0) list.push(d)
    n.router.push(l.outerRouter[ports.router[p]!]!)
    n.port.push(ports.local[p]!)
    n.line.push(i)
    w.list.push(list.join(" "))
  }
  for (let p = 0; p < ports.count; p++)
    for (let i = 0; i < s.L; i++) {
      const line = p * s.L + i
      if (s.lineOn[line] !== 0) {
        see(p, i, s.lineList)
        const state = s.lineState[line]!
        w.side.push("input")
        w.from.push(feeds(p))
        n.hops.push(s.lineHops[line]!)
        n.packets.push(s.linePackets[line]!)
        w.state.push((state & SENT_STOP) !== 0 ? "stopping" : (state & MAPPED) !== 0 ? "mapped" : "alone")
        w.to.push(`${s.lineOut[line]}${s.lineNext[line] === 0 ? "" : `.${s.lineNext[line]! - 1}`}`)
      }
      if (s.outOn[line] === 0) continue
      see(p, i, s.outList)
      w.side.push("output")
      w.from.push(behind(l.down[p]!))
      n.hops.push(s.outHops[line]!)
      n.packets.push(0)
      w.state.push(s.outStop[line] !== 0 ? "stop" : "go")
      w.to.push("")
    }
  return { ...n, ...w }
}
