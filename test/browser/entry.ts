// What runs on both sides: a specification in, the fingerprint of its last cycle out. No Node built-in may be reachable from here.

import { flitEngine } from "../../src/compile/clocked/flits.ts"
import { transferEngine } from "../../src/compile/clocked/transfers.ts"
import { type Compiled, compile } from "../../src/compile/compile.ts"
import type { RunSpec } from "../../src/model/experiment.ts"

export interface Seen {
  readonly fingerprint: string
  /** packets that arrived, flits times routers visited, findings of the audit */
  readonly delivered: number
  readonly flitHops: number
  readonly complaints: number
  readonly sharedMemory: boolean
}

function compiled(spec: RunSpec): Compiled {
  const made = compile(spec, {
    read: (path) => {
      throw new Error(`${path}: these runs read no files`)
    },
  })
  if ("bad" in made) throw new Error(made.bad.map((c) => `${c.path} ${c.says}`).join("; "))
  return made.ok
}

export function fingerprintOf(spec: RunSpec, cycles: number): Seen {
  const engine = flitEngine(compiled(spec), { horizon: cycles, series: 256 })
  engine.advance(cycles)
  return {
    fingerprint: engine.fingerprint(),
    delivered: engine.stat("delivered"),
    flitHops: engine.flitHops(),
    complaints: engine.audit().length,
    sharedMemory: typeof SharedArrayBuffer !== "undefined" && engine.columns.packet.buffer instanceof SharedArrayBuffer,
  }
}

/** The same of runs whose switches move whole packets, one after the other. */
export function fingerprintsOf(specs: readonly RunSpec[], cycles: number): string[] {
  return specs.map((spec) => {
    const engine = transferEngine(compiled(spec), { horizon: cycles, series: 256 })
    engine.advance(cycles)
    return `${engine.fingerprint()} ${engine.stat("delivered")} ${engine.audit().length}`
  })
}

Object.assign(globalThis, { fingerprintOf, fingerprintsOf })
