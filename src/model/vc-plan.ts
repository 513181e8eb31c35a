// Network VCs cut into classes: first those of the data, one for each class of traffic, then those that a congestion protocol asks for (control,
// speculative, hot, …). A packet never changes its class on its way, so the class of a packet at a switch is that of the VC on which it came.

/** A class as a protocol asks for it. */
export interface ClassWish {
  readonly name: string
  readonly vcs: number
  /** higher goes first, at every arbiter and at injection; data has 0 unless its stream says otherwise */
  readonly priority: number
  /** its packets go the shortest way: no detours */
  readonly direct: boolean
  /** control packets alone: endpoints need not ask whether data ride on it */
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
  /** how many of them are data's; those of the protocol follow */
  readonly data: number
  /** VCs in all */
  readonly vcs: number
  /** one class: everything is as if there were none */
  readonly plain: boolean
  /** [VC] -> its class, the first VC and the priority of that; its place in `levels` */
  readonly classOf: Uint8Array
  readonly firstOf: Uint8Array
  readonly priorityOf: Int32Array
  readonly levelOf: Uint8Array
  /** VCs (mask) of each priority, from high to low */
  readonly levels: Int32Array
  /** [VC] -> all VCs of its class (mask) where the masks of the routing do not fit: a direct class of another size than data's; else 0.
   *  A switch takes `wholeOf[v] || mask << firstOf[v]` */
  readonly wholeOf: Int32Array
}

/** `priorities`: of each class of data, which has `vcsPerClass` VCs. */
export function planVcs(priorities: readonly number[], vcsPerClass: number, more: readonly ClassWish[] = []): VcPlan {
  const classes: VcClass[] = priorities.map((priority, c) => ({
    name: `class ${c}`,
    first: c * vcsPerClass,
    count: vcsPerClass,
    priority,
    direct: false,
  }))
  for (const { vcs: count, ...wish } of more) {
    const last = classes[classes.length - 1]!
    classes.push({ ...wish, first: last.first + last.count, count })
  }
  const end = classes[classes.length - 1]!
  const vcs = end.first + end.count
  const ranks = [...new Set(classes.map((c) => c.priority))].sort((a, b) => b - a)
  const of = (value: (c: VcClass, i: number) => number): number[] => classes.flatMap((c, i) => new Array<number>(c.count).fill(value(c, i)))
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
    wholeOf: Int32Array.from(of((c, i) => (i >= priorities.length && c.direct && c.count !== vcsPerClass ? maskOf(c) : 0))),
  }
}

/** VCs that are left to the classes of data. */
export function dataVcs(vcs: number, more: readonly ClassWish[] = []): number {
  return more.reduce((left, c) => left - c.vcs, vcs)
}
