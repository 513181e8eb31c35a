// What runs on both sides: a specification in, the fingerprint of its last cycle out. No Node built-in may be reachable
// from here.

import { clockedEngine } from "../../src/compile/clocked/engine.ts"
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
  const engine = clockedEngine(compiled(spec), { parts: 1, workers: 1, horizon: cycles, series: 256 })
  engine.advance(cycles)
  return {
    fingerprint: engine.fingerprint(),
    delivered: engine.stat("delivered"),
    flitHops: engine.flitHops(),
    complaints: engine.audit().length,
    sharedMemory: typeof SharedArrayBuffer !== "undefined" && engine.memory[0] instanceof SharedArrayBuffer,
  }
}

/** Several runs, one after the other. */
export function fingerprintsOf(specs: readonly RunSpec[], cycles: number): string[] {
  return specs.map((spec) => {
    const { fingerprint, delivered, complaints } = fingerprintOf(spec, cycles)
    return `${fingerprint} ${delivered} ${complaints}`
  })
}

Object.assign(globalThis, { fingerprintOf, fingerprintsOf })
