// The threads of this machine, for runs that are shared between workers.
import { gather } from "./clocked/team.ts"
import { cores } from "./cores.ts"
import type { Threads } from "./options.ts"
import { PacketTeam } from "./packet/team.ts"

/** Seen from its sources there are no threads to start for a packet run: then all workers run in this one. */
const fromSources = !import.meta.url.endsWith(".js")

export const threads: Threads = { cores, clocked: gather, ...(fromSources ? {} : { packet: PacketTeam.gather }) }
