// Which runs are long.

/**
 * A run of more flit-hops than this gets a fresh isolate. Code that has served other runs took 1.4 to 1.8 times as long
 * (measured), which is more than the start of a worker. The limit is work, not seconds, because other load on the
 * machine makes every run slow.
 */
export const longFlitHops = 5e5
