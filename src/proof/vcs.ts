// Finds the smallest number of VCs with which a routing is free of deadlock. The routing is made again with more or
// fewer VCs and proved each time; the number that it declares is only the starting point.
//
// A routing that requests a VC that does not exist gets the last one that does. Too few VCs thus show as the cycle that
// they close, and not merely as a missing number. The result is the smallest of the counts tried, going down one by one
// from a count that is free. Going up ends when no packet uses an additional VC, because more VCs then cannot help.
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

/** Returns the smallest number of VCs. `make` returns the routing with a given number of VCs; `known` is the proof with
 *  `vcs` of them, if there is one already. */
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

/** Returns whether some packet holds this VC or requests it. */
function uses({ deps }: Proof, vc: number): boolean {
  for (let i = 0; i < deps.edges; i++)
    if (deps.vcOf(deps.from.data[i]) === vc || deps.vcOf(deps.to.data[i]) === vc) return true
  return false
}

/** Returns whether the routing is free of deadlock and every packet arrives. */
export function holds(proof: Proof): boolean {
  return proof.free && proof.faults.length === 0
}
