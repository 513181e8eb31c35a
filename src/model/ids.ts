// Ids are integers into tables. The aliases are documentation only, so that hot code needs no casts.
export type Router = number
export type Port = number
export type Vc = number
/**
 * A channel is an output port of a router, numbered over all routers: chan = firstChan[router] + port. Input ports have
 * the same numbers.
 */
export type Chan = number
export type End = number
export type Packet = number
export type Cycle = number
