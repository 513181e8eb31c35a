// What a switch declares for the manual and the contracts: the stages of its drawing, and its behaviour. The contracts
// of inspect/contract/behaviour.ts run the switch in small scenarios and check these statements.

export type SwitchParams = Readonly<Record<string, unknown>>

/**
 * A stage of the path of a packet: it stores packets, moves them, or decides; its name, and short notes.
 */
export type DrawnStage = readonly [is: "store" | "move" | "choose", name: string, ...notes: readonly string[]]

/** A set of parameters that changes how a switch arbitrates, and its guarantees with them. */
export interface BehaviourVariant {
  /** parameters besides those of `stand`, for input buffers of this many flits; absent: none */
  with?(flits: number): SwitchParams
  /**
   * minimum throughput in flits per cycle and output: of an output that all inputs request; of a permutation, as a
   * fraction of the offered load; of uniform traffic. Absent: the limits that every switch must meet
   */
  readonly shared?: number
  readonly permutation?: number
  readonly uniform?: number
  /** false: equal demands need not get equal shares; a request may wait without bound */
  readonly fair?: boolean
  readonly bounded?: boolean
  /** the reason why it guarantees less than other switches */
  readonly because?: string
}

export interface Behaviour {
  /** the engine that runs it; absent: flit */
  readonly engine?: "packet"
  /**
   * Returns its parameters for a scenario with packets of 4 flits: input buffers of about `flits` flits for each VC;
   * with `one` it has one VC, otherwise as many as it needs to work well.
   */
  stand(flits: number, one: boolean): SwitchParams
  /** the first variant is tested with the most seeds */
  readonly variants: readonly BehaviourVariant[]
  /** number of separately arbitrated requests of one input for one output (VCs); absent: 1 */
  readonly requests?: number
  /**
   * Returns the number of neighbouring inputs that an arbiter serves as one group, in a router with this many ports.
   * Groups are served round-robin, and so are the inputs of a group. Absent: 1.
   */
  group?(p: SwitchParams, ports: number): number
  /**
   * Returns how many packets wait together for the credits of one VC, with input buffers of this many flits. Absent: 1,
   * the head packet.
   */
  waiting?(flits: number): number
}
