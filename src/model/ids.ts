// Ids are ints into tables; the alias is documentation, never a brand that hot code must cast.
export type Router = number
export type Port = number
export type Vc = number
/** A channel is an output port of a router, numbered over all routers: chan = firstChan[router] + port. Input ports use the same numbers. */
export type Chan = number
export type End = number
export type Packet = number
export type Cycle = number
