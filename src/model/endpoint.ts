/** Injection queues between the queues of messages and the link, as the scheme of the switch has them. */
export interface InjectionWish {
  /** a line with more packets than its Stop closes the queues of messages to its destinations; yes unless given */
  readonly gate?: boolean
  /** congested flows are looked for in them, too; no unless given */
  readonly detect?: boolean
}

/** How endpoints queue and inject. */
export interface EndpointModel {
  /** VC of the next packet: one drawn anew for each attempt instead of the next with room */
  readonly injectRandom: boolean
  /** each stream turns over the VCs on its own, its replies with it; after a packet of another class only the first VC of the class is tried */
  readonly injectByStream?: boolean
  /** VCs of replies: those of the class behind that of the requests (default), or those of the requests */
  readonly replyClass?: "next" | "same"
  /** a queue for each destination, served in turn packet by packet, instead of one queue in order of creation */
  readonly perDestination: boolean
  /** flits of the acknowledgement of each packet; 0 = none */
  readonly ack: number
  /** messages that the queues of one endpoint hold; later ones are created late (their time of birth stays) */
  readonly backlog: number
  /** messages that are sent at a time; one more whenever congestion control holds all of these back */
  readonly active: number
  /** packets of one source that wait at their destination for earlier ones; what does not fit is refused. 0 = any order will do */
  readonly reorder: number
  /** classes share the channel by the scheduler of the links (network.qos), not in order of creation */
  readonly scheduled?: boolean
  /** cycles between the arrival of a request and the earliest departure of its reply */
  readonly turnaround: number
  readonly injection?: InjectionWish
  /** streams whose sources create nothing while their endpoint holds so many messages; when they go on, it is from then on */
  readonly cap?: { readonly messages: number; readonly streams: readonly string[] }
}
