// Storage traffic from a block trace: each host replays the requests of the trace, and its disks are endpoints.
// block/read.ts reads the file.
import { type Complaint, complain } from "../../core/complaint.ts"
import { choice, maybe, real, schema, text } from "../../core/schema.ts"
import type { End } from "../../model/ids.ts"
import type { PatternPlugin, Site } from "../../model/plugin.ts"
import { readRequests } from "../block/read.ts"
import { type Requests, replayed } from "../block/requests.ts"
import { hostsAndDisks, Storage } from "../block/storage.ts"
import { ends } from "../endpoint-lists.ts"

type Params = {
  file: string
  hosts: readonly End[]
  disks: readonly End[]
  spread: "drawn" | "alike"
  compression: number | undefined
}

function load(file: string, on: Site): Requests | Complaint {
  const { read, bytes = read === undefined ? undefined : (path: string) => new TextEncoder().encode(read(path)) } = on
  if (bytes === undefined)
    return complain("file", "no file can be read here", "run the experiment from the command line")
  try {
    return readRequests(bytes(file), "file")
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return complain("file", `${file} cannot be read: ${why}`, "check the path; it is relative to the experiment")
  }
}

export default {
  kind: "pattern",
  name: "block-trace",
  about:
    "Storage traffic from a block trace (SRT, CSV, MSR, SPC, blkparse or lines of numbers): one message for each " +
    "request, from a host to a disk or back.",
  limits:
    "determines sources, sizes and times, so arrivals, message and from must not be set; " +
    "the trace ends when all its requests are made",
  params: schema({
    file: text({ about: "File of the trace, not compressed" }),
    hosts: ends("Endpoints each of which replays the whole trace"),
    disks: ends("Endpoints that represent the disks of the trace"),
    spread: choice(["drawn", "alike"], {
      about:
        "Each host starts at a different position of the trace, cyclically, with different disks, or all " +
        "hosts do the same at the same time",
      default: "drawn",
    }),
    compression: maybe(
      real({
        about: "Speedup of the replay compared with the recording (default: as traffic.load requires)",
        above: 0,
      }),
    ),
  }),
  check(p, on): Complaint[] {
    const bad = hostsAndDisks(p, on)
    const got = load(p.file, on)
    return "says" in got ? [...bad, got] : bad
  },
  make(p, on) {
    const got = load(p.file, on)
    if ("says" in got) throw new Error(`block-trace was made in spite of: ${got.says}`)
    const { hosts, disks, compression } = p
    return new Storage(
      p,
      replayed(got, { ends: on.topology.graph.ends, hosts, disks, drawn: p.spread === "drawn", compression }, on.rng),
    )
  },
} satisfies PatternPlugin<Params>
