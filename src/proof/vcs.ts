// How many VCs are enough: the routing is made again with more or fewer, and proved each time; what it declares is only where to start.
// A routing that asks for a VC that is not there gets the last one that is, so that too few VCs show as the cycle that they close and not
// merely as a missing number. Least = the fewest of the counts tried, going down one by one from one that is free. Going up ends when a VC
// more is not used by any packet: then VCs are not what is wanting.
import { type Proof, prove } from "./prove.ts"
import type { Subject } from "./subject.ts"

/** VCs above the declared number that are tried before giving up. */
const MORE = 6

export interface LeastVcs {
  /** undefined: none of the counts tried is free */
  readonly least: number | undefined
  /** the proof with one VC fewer, which fails; undefined when there is no fewer */
  readonly below: Proof | undefined
  /** counts tried, and whether each is free */
  readonly tried: readonly { readonly vcs: number; readonly free: boolean }[]
}

/** `make` answers the routing with so many VCs; `known` is the proof with `vcs` of them, if there is one already. */
export function leastVcs(make: (vcs: number) => Subject, vcs: number, known?: Proof): LeastVcs {
  const tried: { vcs: number; free: boolean }[] = []
  const attempt = (n: number): Proof => {
    const proof = n === vcs && known !== undefined ? known : prove({ ...make(n), fold: true }, { hasty: true })
    tried.push({ vcs: n, free: holds(proof) })
    return proof
  }
  let proof = attempt(vcs)
  if (!holds(proof)) {
    let more = vcs
    let below = proof
    while (more < vcs + MORE && (more === vcs || uses(proof, more - 1))) {
      proof = attempt(++more)
      if (holds(proof)) return { least: more, below, tried }
      below = proof
    }
    return { least: undefined, below: undefined, tried }
  }
  for (let n = vcs; n > 1; n--) {
    const fewer = attempt(n - 1)
    if (!holds(fewer)) return { least: n, below: fewer, tried }
  }
  return { least: 1, below: undefined, tried }
}

/** Does some packet go from this VC to another, or to it? */
function uses({ deps }: Proof, vc: number): boolean {
  for (let i = 0; i < deps.edges; i++) if (deps.vcOf(deps.from.data[i]!) === vc || deps.vcOf(deps.to.data[i]!) === vc) return true
  return false
}

/** Free, and every packet arrives. */
export function holds(proof: Proof): boolean {
  return proof.free && proof.faults.length === 0
}
