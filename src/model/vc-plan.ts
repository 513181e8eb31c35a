// The division of network VCs into classes: first those of data, one for each traffic class, then those of a congestion
// protocol (control, speculative, hot, …). A packet never changes its class inside the network, so its class at a
// switch is that of the VC on which it arrived. compile/classes.ts creates the plan; switches and endpoints read it.

/** A class as a protocol requests it. */
export interface ClassRequest {
  readonly name: string
  readonly vcs: number
  /** higher goes first, at every arbiter and at injection; data has 0 unless its stream sets another priority */
  readonly priority: number
  /** its packets use shortest paths only */
  readonly direct: boolean
  /** only control packets; endpoints need not check whether data use it */
  readonly control?: true
}

export interface VcClass {
  readonly name: string
  readonly first: number
  readonly count: number
  readonly priority: number
  readonly direct: boolean
  readonly control?: true
}

export interface VcPlan {
  readonly classes: readonly VcClass[]
  /** number of data classes; those of the protocol follow */
  readonly data: number
  /** total number of VCs */
  readonly vcs: number
  /** there is one class, so class handling can be skipped */
  readonly plain: boolean
  /** [VC] -> its class, first VC and priority of that class; its index in `levels` */
  readonly classOf: Uint8Array
  readonly firstOf: Uint8Array
  readonly priorityOf: Int32Array
  readonly levelOf: Uint8Array
  /** VCs (mask) of each priority, from high to low */
  readonly levels: Int32Array
  /**
   * [VC] -> all VCs of its class (mask) if the masks of the routing function do not apply, because a direct class has
   * another size than data; otherwise 0. A switch uses `wholeOf[v] || mask << firstOf[v]`.
   */
  readonly wholeOf: Int32Array
}

/** `priorities`: of each data class, which has `vcsPerClass` VCs; `more`: classes of the protocol. */
export function planVcs(
  priorities: readonly number[],
  vcsPerClass: number,
  more: readonly ClassRequest[] = [],
): VcPlan {
  const classes: VcClass[] = priorities.map((priority, c) => ({
    name: `class ${c}`,
    first: c * vcsPerClass,
    count: vcsPerClass,
    priority,
    direct: false,
  }))
  for (const { vcs: count, ...wish } of more) {
    const last = classes[classes.length - 1]
    classes.push({ ...wish, first: last.first + last.count, count })
  }
  const end = classes[classes.length - 1]
  const vcs = end.first + end.count
  const ranks = [...new Set(classes.map((c) => c.priority))].sort((a, b) => b - a)
  const of = (value: (c: VcClass, i: number) => number): number[] =>
    classes.flatMap((c, i) => new Array<number>(c.count).fill(value(c, i)))
  const maskOf = (c: VcClass): number => (2 ** c.count - 1) << c.first
  return {
    classes,
    data: priorities.length,
    vcs,
    plain: classes.length === 1,
    classOf: Uint8Array.from(of((_, i) => i)),
    firstOf: Uint8Array.from(of((c) => c.first)),
    priorityOf: Int32Array.from(of((c) => c.priority)),
    levelOf: Uint8Array.from(of((c) => ranks.indexOf(c.priority))),
    levels: Int32Array.from(ranks, (rank) => classes.reduce((m, c) => (c.priority === rank ? m | maskOf(c) : m), 0)),
    wholeOf: Int32Array.from(
      of((c, i) => (i >= priorities.length && c.direct && c.count !== vcsPerClass ? maskOf(c) : 0)),
    ),
  }
}

/**
 * Divides the VCs of a switch. A direct class with fewer VCs than shortest paths need (`direct`) gets as many as a
 * class of data. Its packets then use the VCs as data do, so that the class is as free of deadlock as data. If there
 * are too few VCs, it still gets those that data needs (`needs`), so that complaints name the right numbers.
 */
export function divideVcs(
  more: readonly ClassRequest[],
  { vcs, classes, needs, direct }: { vcs: number; classes: number; needs: number; direct: number },
): { readonly own: readonly ClassRequest[]; readonly perClass: number } {
  const isShort = (c: ClassRequest) => c.direct && c.vcs < direct
  const short = more.filter(isShort).length
  const fixed = more.reduce((sum, c) => sum + (isShort(c) ? 0 : c.vcs), 0)
  const perClass = Math.floor((vcs - fixed) / (classes + short))
  const each = Math.max(needs, perClass)
  return { own: more.map((c) => (isShort(c) ? { ...c, vcs: each } : c)), perClass }
}

/** Returns the number of VCs that are left for data classes. */
export function dataVcs(vcs: number, more: readonly ClassRequest[] = []): number {
  return more.reduce((left, c) => left - c.vcs, vcs)
}
