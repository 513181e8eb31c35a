// State digest of the Omni-Path switch: each queue, buffer, pointer and scheduler, under keys that do not depend on the
// partitioning.
import { eachInChain, KEY } from "../../fabric/packets.ts"
import { digestScheduler } from "../../fabric/scheduling.ts"
import type { StateDigest } from "../../fabric/switch.ts"
import { digestChain } from "../parts/digest.ts"
import { IN, OUTPUT } from "../parts/service-level-stages.ts"
import type { OmniPathState } from "./shared-state.ts"
import { UP_LINK } from "./up-link.ts"

/**
 * Adds the state. The remaining time of transfers and links follows from the cycle, which the engine adds, and their
 * ends.
 */
export function digestOmniPath(f: OmniPathState, d: StateDigest, outer: (id: number) => number): void {
  const { site, ports, columns: c, scheduler, output, UP } = f
  const { layout: l, sharedBuffers, load } = site
  const classes = f.use.plan.classes.length
  const chain = digestChain(f, d)
  const row = (key: number, name: string, r: number) => {
    if (!Object.hasOwn(c, name)) return
    const width = c[name].length / l.routers
    for (let i = 0; i < width; i++) d.add(key, i, c[name][r * width + i])
  }
  const of = (o: number, word: number) => f.outputs[(o << f.shift) + word]
  for (let o = 0; o < ports.count; o++) {
    if (l.outerRouter[ports.router[o]] < 0 || ports.wired[o] === 0) continue
    const key = outer(o << l.LV)
    d.add(key, c["turn"][o], f.records[(o << f.shift) + IN.until])
    d.add(key + 1, c["outTurn"][o], of(o, OUTPUT.stalledVcs))
    d.add(key + 2, of(o, OUTPUT.ends), of(o, OUTPUT.until))
    for (let v = 0; v < l.vcs; v++) {
      chain(key + v, f.queueOf(o, 0, v))
      chain(key + v + 0x2a000000, output.firstQueue + (o << l.LV) + v)
      d.add(key + v, sharedBuffers.held[(o << l.LV) + v], load[o])
      d.add(key + v + 0x2b000000, sharedBuffers.held[sharedBuffers.OUT + (o << l.LV) + v])
    }
    if (Object.hasOwn(c, "current"))
      for (let v = 0; v < l.vcs; v++) {
        const cell = (o << l.LV) + v
        const p = c["current"][cell]
        d.add(key + v + 0x2f000000, p === 0 ? 0 : site.columns.packets[p + KEY], p === 0 ? 0 : c["crossed"][cell])
        d.add(key + v + 0x30000000, c["longest"][cell], c["waiting"][cell])
      }
    for (let k = 0; k < classes; k++) d.add(key + 0x2c000000, k, c["vlTurn"][o * classes + k])
    digestScheduler(scheduler, (n, i, bits) => d.add(key + n + 0x2d000000, i, bits), o, ports.count)
  }
  for (let r = 0; r < l.routers; r++) {
    if (l.outerRouter[r] < 0) continue
    const key = outer((r * l.PS) << l.LV) ^ 0x3c000000
    row(key, "inNext", r)
    row(key ^ 1, "outNext", r)
    row(key ^ 2, "upNext", r)
    row(key ^ 3, "centralNext", r)
    row(key ^ 4, "served", r)
    // Those of grain: packet.
    row(key ^ 5, "enterNext", r)
    row(key ^ 7, "passing", r)
    for (let n = 0; n < UP; n++) {
      const u = r * UP + n
      const up = (word: number) => f.upLinks[(u << UP_LINK.shift) + word]
      d.add(key + 64 + n, up(UP_LINK.turn) * 65536 + up(UP_LINK.writes) * 256 + up(UP_LINK.reads), up(UP_LINK.load))
      for (let i = 0; i < f.perUplink; i++) chain(key + (n << 12) + i, f.firstCentral + u * f.perUplink + i)
      chain(key + (n << 12) + 0x2e000000, f.firstComing + u)
      if (Object.hasOwn(c, "current"))
        for (let i = 0; i <= f.perUplink; i++) {
          // The flits of each message that have come and gone.
          const queue = i === f.perUplink ? f.firstComing + u : f.firstCentral + u * f.perUplink + i
          eachInChain(site.columns.packets, f.packetQueues.first(queue), (p, place) =>
            d.add(key + (n << 12) + i + 0x31000000, site.columns.packets[p + site.constants.own], place),
          )
        }
    }
  }
}
