// The values of runs with tiled switches: utilisation of the stages, errors and retransmissions, and the stash.
import { family, type PluginValues } from "../../model/values.ts"
import { markingValues } from "../parts/marking.ts"

const reliable = "the network can lose packets"
const stash = "the switch has a stash"

export const values = {
  abandoned: {
    about: "packets of the whole run that were lost after all retries",
    unit: "count",
    when: reliable,
  },
  ...family(
    "flows",
    "in the whole run",
    {
      refused: "rejected packets: damaged, too far ahead, or without buffer space to wait for earlier ones",
      duplicates: "duplicate packets, which had already arrived",
    },
    { unit: "count", when: reliable },
  ),
  ...family(
    "switch",
    "fraction of core steps in which a resource moved a flit",
    {
      "row.utilisation": "row buses",
      "column.utilisation": "column channels",
      "mux.utilisation": "output multiplexers",
    },
    { unit: "fraction" },
  ),
  ...markingValues,
  ...family(
    "errors",
    "packets in the whole run",
    { lost: "lost", damaged: "arrived damaged" },
    { unit: "count", when: "errors above 0" },
  ),
  "errors.relaunched": {
    about: "number of link-level retransmissions after an error",
    unit: "count",
    when: "linkErrors above 0",
  },
  ...family(
    "stash",
    "fraction of core steps in which a resource moved a flit",
    {
      "storage.utilisation": "storage paths of ports with a pool",
      "retrieval.utilisation": "retrieval paths of ports with a pool",
    },
    { unit: "fraction", when: stash },
  ),
  "stash.column.share": {
    about: "fraction of the flits on column channels that went to a stash",
    unit: "fraction",
    when: stash,
  },
  "stash.pool.flits": {
    about: "size of all stash pools of a router, mean over the routers",
    unit: "flits",
    when: stash,
  },
  "stash.pool.utilisation": {
    about: "fraction of all stash pools that was occupied at the end of the run",
    unit: "fraction",
    when: stash,
  },
  "stash.pool.peak": {
    about: "largest number of flits that the stash pools of one router ever contained",
    unit: "flits",
    when: stash,
  },
  ...family(
    "stash",
    "in the whole run",
    {
      absorbed: "packets stashed because of congestion",
      copied: "copies of packets stored until their acknowledgement",
      deleted: "copies deleted after an acknowledgement",
      repeated: "packets retransmitted from their copy",
      stalled: "packets that waited for free space in a pool",
      messages: "messages on the side band",
      unknown: "acknowledgements without a copy",
      abandoned: "packets lost after all retries",
      timeouts: "copies without an acknowledgement within the timeout",
    },
    { unit: "count", when: stash },
  ),
} satisfies PluginValues
