// Contract tests of the arbiter of a composed switch, at crossbars without a network. An arbiter grants only requests,
// each input and each output once, grants a request without competitor, and arbitrates every router by itself.
import { Draws, draw, streamOf } from "../../core/rng.ts"
import type { Arbiter, ArbiterSite, MakeTestedArbiter, PacketReads } from "../../switches/combined/arbiter-reads.ts"
import { Broken, contracts, type Finding } from "./finding.ts"

const ROUTERS = 3
const ROUNDS = 400

type Found = (contract: Finding["contract"], says: string) => void
/** [input] -> its requests: level and outputs */
type Requests = readonly (readonly { readonly level: number; readonly outputs: readonly number[] }[])[]
interface Pair {
  readonly level: number
  readonly input: number
  readonly output: number
}

/** `ports`: outputs of a router; `levels`: priority levels of the traffic. */
export function arbiterFindings(tested: MakeTestedArbiter, ports: number, levels: number, found: Found): void {
  const size = { routers: ROUTERS, inputs: ports + 1, outputs: ports, levels }
  const chance = new Draws(ports + 64 * levels)
  const make = () => tested(siteOf(size), packets, refuse)
  const one = make()
  for (let i = 0; i <= ports; i++)
    for (let o = 0; o < ports; o++) {
      const got = granted(one, i % ROUTERS, single(size, i, o))
      if (got.length === 1 && got[0].input === i && got[0].output === o && got[0].level === 0) continue
      found(contracts.single, `input ${i} alone requests output ${o} of ${ports}, and gets ${textOf(got)}`)
      return
    }
  const [alone, among] = [make(), make()]
  for (let n = 0; n < ROUNDS; n++) {
    const requests = drawn(size, chance)
    const got = granted(alone, 1, requests)
    const wrong = wrongIn(got, requests)
    if (wrong !== undefined) {
      found(contracts.grants, wrong)
      return
    }
    granted(among, n % 2 === 0 ? 0 : 2, drawn(size, chance))
    if (textOf(granted(among, 1, requests)) === textOf(got)) continue
    found(contracts.routers, "a router grants other requests when the other routers are busy")
    return
  }
}

type Size = Pick<ArbiterSite, "routers" | "inputs" | "outputs" | "levels">

/** Returns a site whose columns belong to this arbiter only. */
function siteOf(size: Size): Parameters<MakeTestedArbiter>[0] {
  return { ...size, column: (n) => new Int32Array(n * ROUTERS), stream: (router) => streamOf(1, router) }
}

/** Packets of any age and queues of any length: numbers that differ between requests. */
const packets: PacketReads = {
  created: (_, level, i, o) => draw(level, 64 * i + o) & 0xffff,
  queued: (_, level, i, o) => draw(level, 4096 + 64 * i + o) & 0xff,
  held: (_, o) => draw(7, o) & 0xff,
}

function refuse(says: string): never {
  throw new Broken(contracts.reads, `the arbiter ${says}`)
}

function single({ inputs }: Size, input: number, output: number): Requests {
  return Array.from({ length: inputs }, (_, i) => (i === input ? [{ level: 0, outputs: [output] }] : []))
}

function drawn({ inputs, outputs, levels }: Size, chance: Draws): Requests {
  return Array.from({ length: inputs }, () =>
    Array.from({ length: levels }, (_, level) => ({
      level,
      outputs: Array.from({ length: outputs }, (_, o) => o).filter(() => chance.below(4) === 0),
    })).filter(({ outputs: wanted }) => wanted.length > 0),
  )
}

function granted(arbiter: Arbiter, router: number, requests: Requests): Pair[] {
  for (const [input, own] of requests.entries())
    for (const { level, outputs } of own) {
      let [low, high] = [0, 0]
      for (const o of outputs)
        if (o < 32) low |= 1 << o
        else high |= 1 << o
      arbiter.request(level, input, low, high)
    }
  const n = arbiter.match(router)
  return Array.from({ length: n }, (_, k) => {
    const pair = arbiter.pairs[k]
    return { level: pair >> 16, input: (pair >> 8) & 255, output: pair & 255 }
  })
}

function wrongIn(pairs: readonly Pair[], requests: Requests): string | undefined {
  for (const [k, { level, input, output }] of pairs.entries()) {
    const asked = requests[input]?.some((r) => r.level === level && r.outputs.includes(output)) === true
    if (!asked) return `output ${output} is granted to input ${input}, which does not request it on level ${level}`
    const other = pairs.find((p, i) => i < k && (p.input === input || p.output === output))
    if (other !== undefined)
      return other.input === input
        ? `input ${input} is granted two outputs, ${other.output} and ${output}`
        : `output ${output} is granted to two inputs, ${other.input} and ${input}`
  }
  return undefined
}

function textOf(pairs: readonly Pair[]): string {
  return pairs.length === 0 ? "nothing" : pairs.map((p) => `${p.input}-${p.output} (${p.level})`).join(", ")
}
