// The behaviour that a switch declares in its record. The contracts of inspect/contract/behaviour.ts run it in small
// scenes and hold it to this.

export type SwitchParams = Readonly<Record<string, unknown>>

/** A set of parameters that changes how a switch arbitrates, and what it promises with it. */
export interface BehaviourVariant {
  /** parameters besides those of `stand`, for input buffers of so many flits; absent: the switch as it stands */
  with?(flits: number): SwitchParams
  /** least throughput, in flits per cycle and output: of an output that all inputs ask for; of a permutation, as a part
   *  of the offered load; of uniform
   *  traffic. Absent: the floors that every switch has */
  readonly shared?: number
  readonly permutation?: number
  readonly uniform?: number
  /** false: equal demands need not get equal shares; a demand may wait without bound */
  readonly fair?: boolean
  readonly bounded?: boolean
  /** the reason, where it promises less than other switches */
  readonly because?: string
}

export interface Behaviour {
  /** the engine that runs it; absent: flit */
  readonly engine?: "packet"
  /** Returns its parameters in a scene with packets of 4 flits: input buffers of about `flits` flits for each VC; with
   *  `one` it has one VC, otherwise as many as
   *  it needs to work well. */
  stand(flits: number, one: boolean): SwitchParams
  /** the first one is looked at with most seeds */
  readonly variants: readonly BehaviourVariant[]
  /** requests of one input for one output that take turns of their own (VCs); absent: 1 */
  readonly requests?: number
  /** Returns how many neighbouring inputs form a group that an arbiter serves as one, in a router with so many ports:
   *  groups take turns, and so do the inputs of
   *  a group. Absent: every input is one. */
  group?(p: SwitchParams, ports: number): number
  /** Returns how many packets wait for the credits of one VC together, with input buffers of so many flits. Absent: 1,
   *  the one at the front. */
  waiting?(flits: number): number
}
