// The worker threads of this machine, for runs with several workers. simulate.ts passes them to open.ts.
import { gather } from "./clocked/worker-group.ts"
import { cores } from "./cores.ts"
import type { Threads } from "./options.ts"
import { PacketWorkerGroup } from "./packet/worker-group.ts"

/** From source there is no compiled entry point for the threads of a packet run: then all workers share this thread. */
const fromSources = !import.meta.url.endsWith(".js")

export const threads: Threads = { cores, clocked: gather, ...(fromSources ? {} : { packet: PacketWorkerGroup.gather }) }
