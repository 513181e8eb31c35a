// `lacewing bench --against BUILD`: runs two builds alternately, pair by pair, and reports the ratio of their speeds
// with its interval. Two sources of noise exist between two runs of one program: the other load of the machine, and the
// decisions of V8's compiler. The alternation within a pair cancels the first, the number of pairs averages the second.
import { type Build, thisBuild } from "./builds.ts"
import { inTurn } from "./pair.ts"
import { type RatioInterval, ratioInterval } from "./ratio.ts"
import type { Measured, Subject } from "./subjects.ts"

export interface AgainstRow extends RatioInterval {
  readonly name: string
  /** CPU seconds of one run, ours and the other build's: the middle one of all pairs */
  readonly cpuSeconds: number
  readonly otherSeconds: number
  /** work of one run; other numbers are another model */
  readonly work: number
  readonly otherWork: number
  /** work per CPU second here over there, of each pair */
  readonly ratios: readonly number[]
}

export async function benchAgainst(subject: Subject, other: Build, pairs: number): Promise<AgainstRow> {
  const [ours, theirs] = [await subject.args(thisBuild), await subject.args(other)]
  const taken: [Measured, Measured][] = []
  for (let i = 0; i < pairs; i++) {
    const swapped = Math.random() < 0.5
    const [a, b] = await (swapped ? inTurn(theirs, ours) : inTurn(ours, theirs))
    const [here, there] = swapped ? [b, a] : [a, b]
    taken.push([subject.read(here), subject.read(there)])
  }
  const ratios = taken.map(([here, there]) => here.work / here.cpu / (there.work / there.cpu))
  const [first] = taken
  return {
    name: subject.name,
    ...ratioInterval(ratios),
    cpuSeconds: middle(taken.map(([here]) => here.cpu)),
    otherSeconds: middle(taken.map(([, there]) => there.cpu)),
    work: first![0].work,
    otherWork: first![1].work,
    ratios,
  }
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]
}
