// Completes the raw tree of one run with all defaults and checks it against the schemas. The result is the
// specification that is hashed and stored. plan.ts calls it for each point of a sweep.
import { type Checked, type Complaint, complain, nearest } from "../core/complaint.ts"
import { kindOf, plainScale, type Scale } from "../core/units.ts"
import {
  type EngineSpec,
  type JobSpec,
  type MeasureSpec,
  type Named,
  namesOfCopies,
  type RunSpec,
  type TrafficSpec,
} from "../model/experiment.ts"
import { isMap, scaleOf } from "./fields.ts"
import type { Keys } from "./keys.ts"
import { tooHeavyForFlits } from "./loads.ts"
import type { Tree } from "./settings.ts"

export type Completed = Omit<RunSpec, "seed">

/** Caches completed parts by their raw text, because most parts are equal in all runs of a sweep. */
export class Seen {
  private readonly parts = new Map<string, Checked<object>>()
  /** the last part for each key; found by identity, without serialising it */
  private readonly last = new Map<
    string,
    { readonly raw: unknown; readonly scale: Scale; readonly made: Checked<object> }
  >()
  of<T extends object>(key: string, raw: unknown, scale: Scale, make: () => Checked<T>): Checked<T> {
    const last = this.last.get(key)
    if (last !== undefined && last.raw === raw && last.scale.cycle === scale.cycle && last.scale.flit === scale.flit)
      return last.made as Checked<T>
    const made = this.written(key, raw, scale, make)
    this.last.set(key, { raw, scale, made })
    return made
  }
  private written<T extends object>(key: string, raw: unknown, scale: Scale, make: () => Checked<T>): Checked<T> {
    const written = JSON.stringify(raw) ?? ""
    // JSON cannot distinguish NaN from null, so such parts are not cached.
    if (written.includes("null")) return make()
    const name = `${key} ${scale.cycle} ${scale.flit} ${written}`
    const before = this.parts.get(name)
    if (before !== undefined) return before as Checked<T>
    const made = make()
    if ("ok" in made && this.parts.size < most) this.parts.set(name, made)
    return made
  }
}

const most = 1000

/** Returns the complete specification without seed, or all complaints. */
export function complete(given: Tree, keys: Keys, seen = new Seen()): Checked<Completed> {
  const tree = keys.ruled(given)
  const scale = scaleOf(tree["network"], plainScale)
  const bad: Complaint[] = []
  const keep = <T>(got: Checked<T>): T | undefined => {
    if ("ok" in got) return got.ok
    bad.push(...got.bad)
    return undefined
  }
  const network = keep(
    seen.of("network", tree["network"], scale, () => keys.network.parse(tree["network"], "network", scale)),
  )
  const engine = keep(seen.of("engine", tree["engine"], scale, () => engineOf(tree["engine"], keys, scale)))
  const measure = keep(seen.of("measure", tree["measure"], scale, () => measureOf(tree["measure"], keys, scale)))
  const jobs = listJobs(tree["jobs"], keys, scale, bad)
  // An experiment with jobs needs no background traffic, even if its jobs are invalid.
  const traffic = jobsNamed(tree) > 0 && isAbsent(tree["traffic"]) ? [] : streams(tree["traffic"], keys, scale, bad)
  const probes = listProbes(tree["probes"], keys, scale, bad)
  bad.push(...followed(measure?.follow, measure?.drain, engine?.name, traffic))
  if (engine?.name === "flit") bad.push(...tooHeavyForFlits(traffic, measure))
  if (jobs.length > 0 && traffic.some((t) => t.name === "jobs"))
    bad.push(
      complain(
        "traffic",
        'a stream is named "jobs", which is the name of the messages of jobs',
        "give it another name",
      ),
    )
  if (
    measure?.until !== undefined &&
    jobs.length === jobsNamed(tree) &&
    jobs.every((j) => j.workload.name === "background")
  )
    bad.push(
      complain(
        "measure.until",
        jobs.length === 0 ? "there are no jobs" : "no job ends, because all are background workloads",
        "add jobs, or leave it out",
      ),
    )
  if (network === undefined || engine === undefined || measure === undefined || bad.length > 0) return { bad }
  return { ok: { network, engine, traffic, ...(jobs.length > 0 ? { jobs } : {}), measure, probes } }
}

const isAbsent = (raw: unknown): boolean => raw === undefined || raw === null

/** Returns the number of jobs in the file, valid or not. */
function jobsNamed({ jobs }: Tree): number {
  return isAbsent(jobs) ? 0 : Array.isArray(jobs) ? jobs.length : 1
}

function measureOf(raw: unknown, keys: Keys, scale: Scale): Checked<MeasureSpec> {
  const got = keys.measure.parse(raw, "measure", scale)
  if ("bad" in got) return got
  const { until, deadlock, follow, ...rest } = got.ok
  // A network that is watched for deadlock is measured for longer, so that belongs to the run hash. The default is
  // omitted.
  const more = { ...(until === undefined ? {} : { until }), ...(follow === undefined ? {} : { follow }) }
  return { ok: { ...rest, ...more, ...(deadlock === "watch" ? { deadlock } : {}) } }
}

/** Only the clocked engines distinguish streams while a run drains. */
function followed(
  follow: readonly string[] | undefined,
  drain: MeasureSpec["drain"] | undefined,
  engine: string | undefined,
  traffic: readonly TrafficSpec[],
): Complaint[] {
  if (follow === undefined) return []
  const names = traffic.map((t) => t.name)
  const unknown = follow.filter((name) => !names.includes(name))
  if (engine !== "flit")
    return [complain("measure.follow", `engine ${engine} waits for the packets of all streams`, "leave it out")]
  if (drain !== "measured")
    return [complain("measure.follow", `drain: ${drain} waits for no single stream`, "leave it out")]
  if (follow.length > 0 && unknown.length === 0) return []
  const says = follow.length === 0 ? "names no stream" : `there is no stream ${unknown.join(", ")}`
  return [complain("measure.follow", says, `known: ${names.join(", ")}`)]
}

/** Removes absent keys, because they must not appear in the specification. */
function withoutAbsent({ file, among, copies, packet, ...job }: JobSpec): JobSpec {
  return {
    ...job,
    ...(file === undefined ? {} : { file }),
    ...(among === undefined ? {} : { among }),
    ...(copies === undefined ? {} : { copies }),
    ...(packet === undefined ? {} : { packet }),
  }
}

function listJobs(raw: unknown, keys: Keys, scale: Scale, bad: Complaint[]): JobSpec[] {
  if (isAbsent(raw)) return []
  const list: readonly unknown[] = Array.isArray(raw) ? raw : [raw]
  const made: JobSpec[] = []
  list.forEach((one, i) => {
    const got = keys.job.parse(one, Array.isArray(raw) ? `jobs.${i}` : "jobs", scale)
    if ("bad" in got) bad.push(...got.bad)
    else made.push(withoutAbsent(got.ok))
  })
  const taken = new Set(made.map((j) => j.name).filter((n) => n !== ""))
  if (taken.size < made.filter((j) => j.name !== "").length)
    bad.push(complain("jobs", "two jobs have the same name", "give each a different name"))
  const jobs = made.map((j) => (j.name !== "" ? j : { ...j, name: freeName(j.workload.name, taken) }))
  const names = jobs.flatMap((j) => [...new Set([j.name, ...namesOfCopies(j)])])
  const twice = names.find((n, i) => names.indexOf(n) < i)
  if (twice !== undefined && taken.size === jobs.length)
    bad.push(complain("jobs", `"${twice}" is a job and a copy of another one`, "give each a different name"))
  return jobs
}

/** Stream numbers have eight bits. */
const mostStreams = 255
/** Limit of a name in its URL-encoded form, because tables and files are named after streams. */
const longestName = 100

/** Completes the engine: a name, or a map with a name. */
function engineOf(raw: unknown, keys: Keys, scale: Scale): Checked<EngineSpec> {
  const given = raw === undefined || raw === null ? { name: "flit" } : typeof raw === "string" ? { name: raw } : raw
  const names = Object.keys(keys.engines)
  if (!isMap(given) || typeof given["name"] !== "string")
    return {
      bad: [
        complain("engine", `expected the name of an engine, found ${kindOf(raw)}`, `choose one of ${names.join(", ")}`),
      ],
    }
  const { name, ...params } = given
  const engine = Object.hasOwn(keys.engines, String(name)) ? keys.engines[String(name)] : undefined
  if (engine === undefined) {
    const near = nearest(String(name), names)
    return {
      bad: [
        complain(
          "engine.name",
          `there is no engine "${String(name)}"`,
          near !== undefined ? `did you mean "${near}"?` : `choose one of ${names.join(", ")}`,
        ),
      ],
    }
  }
  const foreign = foreignKeys(params, String(name), keys)
  if (foreign.length > 0) return { bad: foreign }
  const got = engine.parse(params, "engine", scale)
  return "bad" in got ? got : { ok: { name: String(name), ...(isMap(got.ok) ? got.ok : {}) } }
}

/** Returns a complaint for each key that only another engine has. */
function foreignKeys(params: object, name: string, keys: Keys): Complaint[] {
  const own = keys.engines[name].fields
  return Object.keys(params).flatMap((key) => {
    const other = Object.keys(keys.engines).find((n) => Object.hasOwn(keys.engines[n].fields, key))
    if (other === undefined || Object.hasOwn(own, key)) return []
    const why = other === "ideal" ? ", because only that engine replaces the network by the LogGOPS model" : ""
    const says = `The ${name} engine does not have this key. It belongs to the ${other} engine${why}.`
    return [complain(`engine.${key}`, says, `leave it out, or set engine.name: ${other}`)]
  })
}

/** Completes the traffic streams, checks their names, and gives a name to each stream without one. */
function streams(raw: unknown, keys: Keys, scale: Scale, bad: Complaint[]): TrafficSpec[] {
  if (!Array.isArray(raw) || raw.length === 0) {
    const says =
      raw === undefined || raw === null
        ? "is missing"
        : Array.isArray(raw)
          ? "is an empty list"
          : `expected a map or a list, found ${kindOf(raw)}`
    bad.push(complain("traffic", says, "write traffic: { pattern: uniform, load: 0.1, packet: 1flit }"))
    return []
  }
  if (raw.length > mostStreams) {
    bad.push(complain("traffic", `has ${raw.length} streams`, `keep it at ${mostStreams} or fewer`))
    return []
  }
  const made: TrafficSpec[] = []
  raw.forEach((stream: unknown, i) => {
    const got = keys.stream.parse(stream, `traffic.${i}`, scale)
    if ("bad" in got) bad.push(...got.bad)
    else made.push(got.ok)
  })
  made.forEach(({ name }, i) => {
    if (encodeURIComponent(name).length > longestName)
      bad.push(
        complain(
          `traffic.${i}.name`,
          "is too long for the names of tables and files",
          `use at most ${longestName} letters`,
        ),
      )
  })
  const taken = new Set(made.map((s) => s.name).filter((n) => n !== ""))
  if (taken.size < made.filter((s) => s.name !== "").length)
    bad.push(complain("traffic", "two streams have the same name", "give each a different name"))
  return made.map((s) => (s.name !== "" ? s : { ...s, name: freeName(s.pattern.name, taken) }))
}

/** Returns the pattern's name, with a number if it is taken. */
function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted
  for (let n = 2; taken.has(name); n++) name = `${wanted}-${n}`
  taken.add(name)
  return name
}

function listProbes(raw: unknown, keys: Keys, scale: Scale, bad: Complaint[]): Named[] {
  if (raw === undefined || raw === null) return []
  const list: readonly unknown[] = Array.isArray(raw) ? raw : [raw]
  return list.flatMap((one, i) => {
    const got = keys.probe.parse(one, Array.isArray(raw) ? `probes.${i}` : "probes", scale)
    if ("ok" in got) return [got.ok]
    bad.push(...got.bad)
    return []
  })
}
