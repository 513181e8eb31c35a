// Reported values of congestion trees: timers, counters, and the table of CAM lines.
import type { Table } from "../../../model/experiment.ts"
import type { SharedState } from "../shared-state.ts"
import { type ControlColumns, type Lines, MAPPED, SENT_STOP } from "./columns.ts"

/** Returns the number of lines with a running timer, plus the messages that wait for a link. */
export function armed({ talk }: SharedState, { lineDue }: Lines): number {
  return waitingControls(talk!) + running(lineDue)
}

/** Returns the number of running timers in a column of due cycles. */
export function running(due: Int32Array): number {
  let n = 0
  for (let i = 0; i < due.length; i++) if (due[i] !== 0) n++
  return n
}

/** Returns the number of ports with messages that wait for their link. */
export function waitingControls({ notes }: ControlColumns): number {
  let n = 0
  for (let i = 0; i < notes.length; i += 2) if (notes[i] !== 0) n++
  return n
}

/** Returns the sum of a column. */
export function sum(column: ArrayLike<number>): number {
  let all = 0
  for (let i = 0; i < column.length; i++) all += column[i]
  return all
}

/** Returns the values of a run: lines in use, allocations, packets set aside, messages, and CAM utilisation. */
export function lineValues({ ports, talk }: SharedState, s: Lines, cycles: number): Record<string, number> {
  let inputs = 0
  let on = 0
  let most = 0
  for (let q = 0; q < ports.count; q++) {
    inputs += ports.wired[q]
    on += s.camCycles[q] + (s.lines[q] !== 0 ? cycles - s.camSince[q] : 0)
    most = Math.max(most, s.most[q])
  }
  return {
    "isolation.lines": sum(s.lines) / inputs,
    "isolation.lines.max": most,
    "isolation.born": sum(s.allocated),
    "isolation.aside": sum(s.aside),
    "isolation.messages": sum(talk!.controlCount),
    "isolation.flits": sum(talk!.controlFlits),
    "isolation.cam.utilisation": cycles === 0 ? 0 : on / (inputs * cycles),
  }
}

/**
 * Returns all lines in use: location, side, hops, list and state. `from` is the upstream sender (for outputs the
 * downstream router whose line is copied), `to` the output and the linked line.
 */
export function lineTable({ site, ports }: SharedState, s: Lines): Table {
  const { layout: l } = site
  const n = {
    router: [] as number[],
    port: [] as number[],
    line: [] as number[],
    hops: [] as number[],
    packets: [] as number[],
  }
  const w = {
    side: [] as string[],
    list: [] as string[],
    state: [] as string[],
    from: [] as string[],
    to: [] as string[],
  }
  const behind = (channel: number): string =>
    channel < 0 ? "" : `router ${l.outerRouter[ports.router[channel >> l.LV]]}`
  const feeds = (q: number): string => {
    const channel = l.up[q]
    return channel >= l.NOV ? `endpoint ${l.outerEnd[(channel - l.NOV) >> l.LV]}` : behind(channel)
  }
  const see = (p: number, i: number, words: Int32Array) => {
    const list: number[] = []
    for (let d = 0; d < s.N; d++) if (((words[(p * s.L + i) * s.W + (d >> 5)] >>> d) & 1) !== 0) list.push(d)
    n.router.push(l.outerRouter[ports.router[p]])
    n.port.push(ports.local[p])
    n.line.push(i)
    w.list.push(list.join(" "))
  }
  for (let p = 0; p < ports.count; p++)
    for (let i = 0; i < s.L; i++) {
      const line = p * s.L + i
      if (s.lineOn[line] !== 0) {
        see(p, i, s.lineList)
        const state = s.lineState[line]
        w.side.push("input")
        w.from.push(feeds(p))
        n.hops.push(s.lineHops[line])
        n.packets.push(s.linePackets[line])
        w.state.push((state & SENT_STOP) !== 0 ? "stopping" : (state & MAPPED) !== 0 ? "mapped" : "alone")
        w.to.push(`${s.lineOut[line]}${s.lineNext[line] === 0 ? "" : `.${s.lineNext[line] - 1}`}`)
      }
      if (s.outOn[line] === 0) continue
      see(p, i, s.outList)
      w.side.push("output")
      w.from.push(behind(l.down[p]))
      n.hops.push(s.outHops[line])
      n.packets.push(0)
      w.state.push(s.outStop[line] !== 0 ? "stop" : "go")
      w.to.push("")
    }
  return { ...n, ...w }
}
