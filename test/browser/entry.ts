// What runs on both sides: a specification in, the fingerprint of its last cycle out. No Node built-in may be reachable from here.

import { clockedEngine } from "../../src/compile/clocked/engine.ts"
import { compile } from "../../src/compile/compile.ts"
import type { RunSpec } from "../../src/model/experiment.ts"

export interface Seen {
  readonly fingerprint: string
  /** packets that arrived, flits times routers visited, findings of the audit */
  readonly delivered: number
  readonly flitHops: number
  readonly complaints: number
  readonly sharedMemory: boolean
}

export function fingerprintOf(spec: RunSpec, cycles: number): Seen {
  const compiled = compile(spec, {
    read: (path) => {
      throw new Error(`${path}: these runs read no files`)
    },
  })
  if ("bad" in compiled) throw new Error(compiled.bad.map((c) => `${c.path} ${c.says}`).join("; "))
  const engine = clockedEngine(compiled.ok, { parts: 1, workers: 1, horizon: cycles, series: 256 })
  engine.advance(cycles)
  return {
    fingerprint: engine.fingerprint(),
    delivered: engine.stat("delivered"),
    flitHops: engine.flitHops(),
    complaints: engine.audit().length,
    sharedMemory: typeof SharedArrayBuffer !== "undefined" && engine.memory[0] instanceof SharedArrayBuffer,
  }
}

Object.assign(globalThis, { fingerprintOf })
