// Contract tests of schedulers. First one output is served alone: the scheduler picks only queues that can send, serves
// every queue, gives the declared shares, and keeps its state in columns, separately for each output. Then a switch
// with two classes of traffic runs with it.
import { isScheduler, only } from "../../experiment/outside/kinds.ts"
import type { QosModel, QosScheduler } from "../../model/scheduler.ts"
import { type Bits, sameBits, type Untried } from "./bits.ts"
import type { Subject } from "./checks.ts"
import { Broken, contracts, type Finding, looked } from "./finding.ts"
import { dice, Output, site } from "./one-output.ts"

const QUEUES = 6
/** messages per queue in the test of shares; lengths of 1 to LONGEST units */
const ROUNDS = 600
const LONGEST = 4
const TAKEOVERS = 12
/** tolerance of a share */
const PART = 0.05
/** a backlogged queue is served within this many messages of all queues, times the inverse of its share */
const PATIENCE = 64

export async function checkScheduler({ plugin: any, params, o }: Subject): Promise<Bits> {
  const plugin = only(any, isScheduler)
  const make = () => plugin.make(params, undefined)
  const findings = looked((found) => {
    for (const f of schedulerFindings(make)) found(f.contract, f.says)
  })
  if (findings.length > 0) return { findings }
  const stream = (name: string, cls: number) => ({
    ...{ name, class: cls, pattern: { name: "to-set", set: [3] }, from: [0, 1], load: 0.9, packet: "4flits" },
  })
  const { serves, shares, starves } = make()
  const untried: Untried[] = [
    ...(shares === undefined ? [{ contract: contracts.promised, why: "it declares no shares" }] : []),
    ...(starves === undefined ? [] : [{ contract: contracts.starves, why: starves }]),
  ]
  const classes = [0, 1, 2].filter((c) => serves === undefined || ((serves >> c) & 1) === 1).slice(0, 2)
  if (classes.length === 0) return { findings, unrun: "serves none of the queues 0 to 2" }
  const network = {
    ...{ topology: { name: "mesh", sides: "3", p: 2 }, routing: "mesh.dimension-order" },
    ...{ switch: { name: "infiniband", vcs: classes.at(-1)! + 1 }, endpoint: "service-levels" },
    qos: { ...o.raw, name: plugin.name },
  }
  const seen = await sameBits({ network, traffic: classes.map((c) => stream(`class${c}`, c)) }, o.modules)
  return { ...seen, on: ["one output", "mesh sides=3 p=2"], untried }
}

type Found = (contract: Finding["contract"], says: string) => void

/** Returns the findings at one output. `make` makes the model anew, so state that two of them share is found. */
export function schedulerFindings(make: () => QosModel): Finding[] {
  const findings: Finding[] = []
  const found: Found = (contract, says) => void findings.push({ contract, says })
  const model = make()
  const served = Array.from({ length: QUEUES }, (_, q) => q).filter(
    (q) => model.serves === undefined || ((model.serves >> q) & 1) === 1,
  )
  if (served.length === 0) return findings
  picks(make, served, found)
  if (findings.length > 0) return findings
  backlogged(make, model, served, found)
  rows(make, served, found)
  columns(make, served, found)
  return findings
}

/** It serves every queue that it says it serves, never one that cannot send, and a repeated pick changes nothing. */
function picks(make: () => QosModel, served: readonly number[], found: Found): void {
  const model = make()
  const scheduler = model.build(site(QUEUES))
  const alone = new Output(scheduler, QUEUES, 0, createdOf(model))
  // After each queue every other one is served alone.
  for (const [i, first] of served.entries())
    for (const q of [first, ...served]) {
      alone.arrive(q, 1, i)
      if (alone.pick(alone.sendable(0)) === q) {
        alone.serve(i)
        continue
      }
      found(contracts.sendable, `pick does not return queue ${q}, the only one that can send`)
      return
    }
  const out = new Output(scheduler, QUEUES, 0, createdOf(model))
  const die = dice(5)
  for (let i = 1; i < 400; i++) {
    for (const q of served) if (out.queues[q].length < 2 && die(2) === 0) out.arrive(q, 1 + die(LONGEST), i)
    const blocked = i % 8 === 0 ? -1 : die(1 << QUEUES) & die(1 << QUEUES)
    const sendable = out.sendable(blocked)
    const q = out.pick(sendable)
    if (q !== -1 && !(Number.isInteger(q) && q >= 0 && q < QUEUES && ((sendable >> q) & 1) === 1)) {
      found(contracts.sendable, `pick returns ${q}, but the queues that can send are ${listOf(sendable)}`)
      return
    }
    if (q === -1) {
      const before = bitsOf(scheduler)
      const again = out.pick(sendable)
      if (again !== -1 || bitsOf(scheduler) !== before) {
        found(contracts.sendable, `pick returned -1, and ${again} or another state when it was repeated`)
        return
      }
      if (sendable !== 0 && blocked === 0) {
        found(contracts.serves, `pick returns -1, but the queues ${listOf(sendable)} can send`)
        return
      }
      continue
    }
    scheduler.sent(0, q, out.queues[q].shift()!.size, i)
  }
  // At the end every queue is emptied: none may be left.
  for (let i = 0; i < 400 && out.queues.some((all) => all.length > 0); i++) out.serve(400 + i)
  const left = out.queues.findIndex((all) => all.length > 0)
  if (left >= 0) found(contracts.serves, `queue ${left} is not served while all others are empty`)
}

/** Returns the column of creation cycles, which throws if a scheduler reads it without `ages: true`. */
function createdOf({ ages }: QosModel): Int32Array {
  const column = new Int32Array(2 * QUEUES)
  if (ages === true) return column
  return new Proxy(column, {
    set: (target, key, value) => Reflect.set(target, key, value),
    get() {
      throw new Broken(contracts.reads, "pick reads the creation cycles; add ages: true to its model")
    },
  })
}

/** All queues always have messages: shares and the longest wait. */
function backlogged(make: () => QosModel, model: QosModel, served: readonly number[], found: Found): void {
  // The shares of a scheduler that draws random numbers settle slowly.
  let draws = false
  const { stream, ...rest } = site(QUEUES)
  const scheduler = make().build({
    ...rest,
    stream(row) {
      draws = true
      return stream(row)
    },
  })
  const out = new Output(scheduler, QUEUES)
  const die = dice(6)
  const units = new Float64Array(QUEUES)
  const waits = new Int32Array(QUEUES)
  const longest = new Int32Array(QUEUES)
  const length = model.shares?.unit === "messages" ? () => 1 : () => 1 + die(LONGEST)
  for (let n = 0; n < 3; n++) for (const q of served) out.arrive(q, length(), 0)
  let now = 0
  for (let i = 0; i < ROUNDS * QUEUES * (draws ? 10 : 1); i++) {
    const before = out.queues.map((all) => all[0]?.size ?? 0)
    const q = out.serve(now)
    if (q < 0) continue
    units[q] += before[q]
    now += before[q]
    waits[q] = 0
    for (const other of served) if (other !== q) longest[other] = Math.max(longest[other], ++waits[other])
    out.arrive(q, length(), now)
  }
  const declared = model.shares?.of(QUEUES) ?? []
  const whole = served.reduce((sum, q) => sum + (declared[q] ?? 1), 0)
  for (const q of served) {
    const share = (declared[q] ?? 1) / whole
    const most = Math.ceil(PATIENCE / share)
    if (model.starves === undefined && longest[q] > most)
      found(contracts.starves, `queue ${q} waits for ${longest[q]} messages of others, expected at most ${most}`)
    const got = units[q] / now
    if (model.shares !== undefined && !(Math.abs(got / share - 1) <= PART))
      found(contracts.promised, `queue ${q} gets ${got.toFixed(3)}, and declares a share of ${share.toFixed(3)}`)
  }
}

/** Sends messages with random arrivals and blocked queues. Returns the order of the queues. */
function turns(out: Output, served: readonly number[], seed: number, from: number, count: number): number[] {
  const die = dice(seed)
  return Array.from({ length: count }, (_, i) => {
    for (let m = die(3); m > 0; m--) out.arrive(served[die(served.length)], 1 + die(LONGEST), from + i)
    return out.serve(from + i, die(1 << QUEUES) & die(1 << QUEUES))
  })
}

/** Two outputs of one scheduler do not influence each other. */
function rows(make: () => QosModel, served: readonly number[], found: Found): void {
  const alone = new Output(make().build(site(QUEUES)), QUEUES)
  const among = make().build(site(QUEUES, { rows: 3 }))
  const [one, other] = [new Output(among, QUEUES, 1), new Output(among, QUEUES, 2)]
  for (let i = 0; i < 10; i++) {
    turns(other, served, 70 + i, i, 20)
    const [a, b] = [turns(alone, served, i, 20 * i, 20), turns(one, served, i, 20 * i, 20)]
    if (a.join() !== b.join()) {
      found(contracts.rows, "an output serves its queues in another order when another output is busy")
      return
    }
  }
}

/** Other schedulers take over from the columns at several moments, while messages wait in all queues. */
function columns(make: () => QosModel, served: readonly number[], found: Found): void {
  for (let moment = 0; moment < TAKEOVERS; moment++) {
    const first = make().build(site(QUEUES))
    const out = new Output(first, QUEUES)
    for (const q of served) for (let n = 0; n < 4; n++) out.arrive(q, 1 + ((q + n) % LONGEST))
    turns(out, served, moment, 0, 20 + moment)
    const second = make().build(site(QUEUES))
    for (const [key, column] of Object.entries(first.columns)) second.columns[key].set(column)
    const copy = new Output(second, QUEUES)
    for (const [q, all] of out.queues.entries()) copy.queues[q].push(...all)
    if (turns(copy, served, 90, 100, 40).join() === turns(out, served, 90, 100, 40).join()) continue
    found(contracts.columns, "a scheduler that takes over the columns serves the queues in another order")
    return
  }
}

function bitsOf(of: QosScheduler): string {
  return JSON.stringify(Object.values(of.columns).map((c) => [...c]))
}

function listOf(bits: number): string {
  const queues = Array.from({ length: QUEUES }, (_, q) => q).filter((q) => (bits >> q) & 1)
  return queues.length === 0 ? "none" : queues.join(", ")
}
