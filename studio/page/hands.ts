// Everything that a person, a link or a tour can do. Each is a function; what goes wrong is said, and nothing else is lost.
import { packageVersion } from "../../src/experiment/version.ts"
import type { RunResult } from "../../src/model/experiment.ts"
import type { Saved } from "../../src/run/pausable.ts"
import type { Finished, FormPart, Planned, ResultsRead, SaidAt } from "../shared/desk.ts"
import { FORM, fragmentOf, type Linked, readFragment, readLinked } from "../shared/link.ts"
import type {
  Ask,
  ChannelAnswer,
  Diagnosed,
  Files,
  HeatKind,
  Opened,
  PacketAnswer,
  PacketName,
  RouterAnswer,
  Told,
} from "../shared/messages.ts"
import { Desk, Engine, Refusal } from "./client.ts"
import * as s from "./state.ts"

let desk: Desk | undefined
const atDesk = (): Desk => {
  if (desk === undefined || desk.dead) desk = new Desk((why) => void (s.trouble.value = why))
  return desk
}

/** Tells a failure where a person sees it. */
function fail(e: unknown): void {
  s.trouble.value = e instanceof Error ? e.message : String(e)
}

/** `busy`: what is shown meanwhile. */
async function trying<T>(busy: string, work: () => Promise<T>): Promise<T | undefined> {
  s.busy.value = busy
  try {
    return await work()
  } catch (e) {
    fail(e)
    return undefined
  } finally {
    s.busy.value = ""
  }
}

// ---- experiment

let plannings = 0

/** Another text: planned, complained about, and its form. */
export async function setText(text: string, name = s.fileName.value): Promise<boolean> {
  s.text.value = text
  s.fileName.value = name
  const mine = ++plannings
  try {
    const made = await atDesk().ask<Planned>({ do: "plan", text, name, files: s.files.value })
    if (mine !== plannings) return false
    s.planned.value = made
    s.complaints.value = []
    if (s.run.value >= made.runs.length) s.run.value = 0
    void refreshForm()
    return true
  } catch (e) {
    if (mine !== plannings) return false
    s.complaints.value = e instanceof Refusal ? e.said : [{ path: "", says: String(e), fix: "" } satisfies SaidAt]
    return false
  }
}

async function refreshForm(): Promise<void> {
  const { value: text } = s.text
  try {
    s.form.value = await atDesk().ask<FormPart[]>({ do: "form", text, run: s.run.value, files: s.files.value })
  } catch {
    // what is wrong with the text is said already
  }
}

/** Writes a value of the form into the text. */
export async function write(path: string, value: unknown): Promise<void> {
  await trying("", async () => setText(await atDesk().ask<string>({ do: "write", text: s.text.value, path, value })))
}

export async function check(): Promise<void> {
  s.proofs.value = await trying("proving …", () =>
    atDesk().ask<NonNullable<typeof s.proofs.value>>({ do: "check", text: s.text.value, name: s.fileName.value, files: s.files.value }),
  )
}

export async function choose(run: number): Promise<void> {
  s.run.value = run
  await refreshForm()
  await openA()
}

/** An experiment of the package, or one that was handed over. */
export async function openExperiment(text: string, name: string, files: Files = {}): Promise<void> {
  s.files.value = files
  s.run.value = 0
  s.finished.value = []
  s.proofs.value = undefined
  s.badge.value = undefined
  if (await setText(text, name)) await openA()
}

// ---- engines

function told(name: "A" | "B"): (message: Told) => void {
  return (message) => {
    if (message.kind === "frame") {
      s.pictures.value = { ...s.pictures.value, [name]: { heat: new Uint8Array(message.heat), status: message.status } }
      if (name === "A") s.running.value = message.status.running
    } else if (message.kind === "ended") ended(name, message.result)
  }
}

function ended(name: "A" | "B", result: RunResult): void {
  if (name === "A") s.running.value = false
  s.said.value = `${name} has ended (${result.why}): ${result.explains.split("\n")[0]}`
  const run = s.planned.value?.runs[s.sides.value.find((x) => x.name === name)?.run ?? -1]
  if (name === "A" && run !== undefined) addFinished({ ...run, result })
}

function addFinished(f: Finished): void {
  s.finished.value = [...s.finished.value.filter((x) => x.hash !== f.hash), f]
}

async function openSide(name: "A" | "B", run: number, set: readonly string[], from: number): Promise<s.Side> {
  const plan =
    set.length === 0
      ? s.planned.value
      : await atDesk().ask<Planned>({ do: "plan", text: s.text.value, name: s.fileName.value, files: s.files.value, set })
  const planned = plan?.runs[run]
  if (planned === undefined) throw new Refusal([{ path: "", says: "the experiment has no such run", fix: "" }])
  const engine = new Engine(`engine ${name}`, told(name), (why) => {
    s.trouble.value = why
    s.sides.value = s.sides.value.filter((x) => x.engine !== engine)
    s.running.value = false
  })
  try {
    const opened = await engine.ask<Opened>({ do: "open", spec: planned.spec, files: s.files.value, code: false })
    await engine.ask({ do: "heat", heat: s.heat.value })
    return { name, engine, opened, run, set, from }
  } catch (e) {
    engine.close()
    throw e
  }
}

export async function openA(): Promise<void> {
  await trying("building the network …", async () => {
    if (s.planned.value === undefined) return
    const side = await openSide("A", s.run.value, [], 0)
    for (const old of s.sides.value) old.engine.close()
    s.answer.value = undefined
    s.top.value = { channels: [], packets: [] }
    s.sides.value = [side]
    s.running.value = false
    s.said.value = `${side.opened.scene.routers} routers, ${side.opened.scene.ends} endpoints`
  })
}

const a = (): s.Side | undefined => s.sides.value.find((x) => x.name === "A")
const all = <T>(message: Ask): Promise<T[]> => Promise.all(s.sides.value.map((x) => x.engine.ask<T>(message)))

export async function play(): Promise<void> {
  if (a() === undefined) await openA()
  s.running.value = true
  await trying("", () => all({ do: "run", speed: s.speed.value }))
}

export async function pause(): Promise<void> {
  s.running.value = false
  await trying("", async () => {
    await all({ do: "pause" })
    await align()
    await look()
  })
}

/** Two sides stand at one cycle whenever they stand. */
async function align(): Promise<void> {
  if (s.sides.value.length < 2) return
  const cycle = Math.max(...s.sides.value.map((x) => s.pictures.value[x.name]?.status.cycle ?? 0))
  await all({ do: "seek", cycle })
}

export async function seek(cycle: number): Promise<void> {
  s.running.value = false
  await trying("", async () => {
    await all({ do: "seek", cycle })
    await look()
  })
}

export const now = (): number => s.pictures.value["A"]?.status.cycle ?? 0
export const step = (by: number): Promise<void> => seek(Math.max(0, now() + by))

export async function setSpeed(speed: number): Promise<void> {
  s.speed.value = speed
  if (s.running.value) await play()
}

export async function setHeat(kind: HeatKind): Promise<void> {
  s.heat.value = kind
  await trying("", () => all({ do: "heat", heat: kind }))
}

/** The numbers behind the colours. */
export async function look(): Promise<void> {
  const side = a()
  if (side === undefined) return
  s.top.value = await side.engine.ask<typeof s.top.value>({ do: "top", count: 12 })
}

// ---- ask

const sideOf = (name: string): s.Side | undefined => s.sides.value.find((x) => x.name === name)

/** Answers are about a state that stands. */
async function asking<T>(name: string, message: Ask): Promise<T | undefined> {
  if (s.running.value) await pause()
  const side = sideOf(name)
  return side === undefined ? undefined : trying("looking …", () => side.engine.ask<T>(message))
}

export async function askChannel(chan: number, side = "A"): Promise<void> {
  const is = await asking<ChannelAnswer>(side, { do: "channel", chan })
  if (is !== undefined) s.answer.value = { kind: "channel", side, is }
}
export async function askRouter(router: number, side = "A"): Promise<void> {
  const is = await asking<RouterAnswer>(side, { do: "router", router })
  if (is !== undefined) s.answer.value = { kind: "router", side, is }
}
export async function askPacket(name: PacketName, side = "A"): Promise<void> {
  const { key, from, born } = name
  const is = await asking<PacketAnswer>(side, { do: "packet", name: { key, from, born } })
  if (is !== undefined) s.answer.value = { kind: "packet", side, is }
  else s.said.value = "this packet is behind others now, or has arrived"
}
export async function askWhy(side = "A"): Promise<void> {
  const is = await asking<Diagnosed>(side, { do: "diagnose" })
  if (is !== undefined) s.answer.value = { kind: "diagnosis", side, is }
}

/** Ten cycles on, and the same packet again. */
export async function follow(by = 10): Promise<void> {
  const { value } = s.answer
  if (value?.kind !== "packet") return
  await seek(value.is.now + by)
  await askPacket(value.is, value.side)
}

// ---- branch, A | B

/** B goes on from A's state with what is changed; where that makes another machine (a failed link, another routing with words of its own), it runs from its start. */
export async function branch(set: readonly string[]): Promise<void> {
  await trying("building B …", async () => {
    await all({ do: "pause" })
    s.running.value = false
    const cycle = now()
    const side = await openSide("B", s.run.value, set, cycle)
    for (const old of s.sides.value) if (old.name === "B") old.engine.close()
    s.sides.value = [...s.sides.value.filter((x) => x.name === "A"), side]
    const state = await a()!.engine.ask<Saved>({ do: "state" })
    try {
      await side.engine.ask({ do: "adopt", saved: state })
      s.said.value = `B goes on from A's state in cycle ${cycle}`
    } catch {
      await side.engine.ask({ do: "seek", cycle })
      s.said.value = `B is another machine than A, so it ran from its start to cycle ${cycle}`
    }
  })
}

export function closeB(): void {
  for (const old of s.sides.value) if (old.name === "B") old.engine.close()
  s.sides.value = s.sides.value.filter((x) => x.name === "A")
  const { B: _, ...rest } = s.pictures.value
  s.pictures.value = rest
  s.first.value = undefined
}

export async function fingerprints(): Promise<readonly { cycle: number; fingerprint: string }[]> {
  return all<{ cycle: number; fingerprint: string }>({ do: "fingerprint" })
}

/** The first cycle at which A and B differ, found by halving: both can be set to any cycle. */
export async function firstDifference(): Promise<void> {
  await trying("looking for the first difference …", async () => {
    const cycle = now()
    const differ = async (at: number) => {
      await all({ do: "seek", cycle: at })
      const [x, y] = await fingerprints()
      return x?.fingerprint !== y?.fingerprint
    }
    if (!(await differ(cycle))) {
      s.first.value = `A and B do not differ up to cycle ${cycle}`
      return
    }
    let [low, high] = [-1, cycle]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (await differ(middle)) high = middle
      else low = middle
    }
    await all({ do: "seek", cycle: high })
    const [x, y] = await Promise.all(s.sides.value.map((side) => side.engine.ask<typeof s.top.value>({ do: "top", count: 400 })))
    const names = new Set(y?.packets.map((p) => `${p.key} ${p.from} ${p.born}`))
    const odd = x?.packets.find((p) => !names.has(`${p.key} ${p.from} ${p.born}`)) ?? undefined
    const packet =
      odd === undefined
        ? ""
        : `; the first packet with another fate: from ${odd.from} to ${odd.to}, created in cycle ${Math.floor(odd.born)}`
    s.first.value = `A and B differ from cycle ${high} on${packet}`
  })
}

// ---- sweep

/** All runs of the plan, one after the other, in an engine of its own: the curve fills in point by point. */
export async function sweep(): Promise<void> {
  const plan = s.planned.value
  if (plan === undefined || s.complaints.value.length > 0 || s.sweeping.value) return
  s.sweeping.value = true
  let done: (result: RunResult) => void = () => undefined
  const fresh = () =>
    new Engine(
      "engine of the sweep",
      (m) => void (m.kind === "ended" && done(m.result)),
      (why) => {
        s.trouble.value = why
        s.sweeping.value = false
      },
    )
  try {
    for (const run of plan.runs) {
      if (!s.sweeping.value || s.planned.value !== plan) break
      if (s.finished.value.some((f) => f.hash === run.hash)) continue
      // a fresh isolate: a second machine in one is slower
      const engine = fresh()
      const result = new Promise<RunResult>((resolve) => void (done = resolve))
      await engine.ask({ do: "open", spec: run.spec, files: s.files.value, code: false })
      await engine.ask({ do: "run", speed: Number.POSITIVE_INFINITY })
      addFinished({ ...run, result: await result })
      engine.close()
    }
  } catch (e) {
    fail(e)
  } finally {
    s.sweeping.value = false
  }
}

export async function drawFigures(): Promise<void> {
  s.figures.value =
    (await trying("drawing …", () => atDesk().ask<readonly string[]>({ do: "figures", finished: s.finished.value, dark: false }))) ?? []
}

// ---- link

export async function linkHere(): Promise<string | undefined> {
  return trying("", async () => {
    const side = a()
    if (side === undefined) throw new Refusal([{ path: "", says: "nothing is open", fix: "" }])
    await all({ do: "pause" })
    s.running.value = false
    const { cycle, fingerprint } = await side.engine.ask<{ cycle: number; fingerprint: string }>({ do: "fingerprint" })
    const b = sideOf("B")
    const linked: Linked = {
      ...{ form: FORM, version: packageVersion, text: s.text.value, run: side.run, cycle, heat: s.heat.value, fingerprint },
      ...(Object.keys(s.files.value).length === 0 ? {} : { files: textsOf(s.files.value) }),
      ...(b === undefined ? {} : { other: { set: b.set, cycle: b.from } }),
    }
    const made = await fragmentOf(linked)
    if ("bad" in made) {
      save("studio-link.json", JSON.stringify(linked), "application/json")
      throw new Refusal([{ path: "", says: made.bad, fix: "" }])
    }
    const url = new URL(location.href)
    url.hash = made.ok
    history.replaceState(null, "", url)
    return url.href
  })
}

/** Only the files that the experiment speaks of. */
function textsOf(files: Files): Record<string, string> {
  const named = Object.entries(files).filter(([path]) => s.text.value.includes(path))
  return Object.fromEntries(named.map(([path, c]) => [path, typeof c === "string" ? c : new TextDecoder().decode(c)]))
}

/** Opens what a link says; true if it was one. */
export async function openLink(fragment: string): Promise<boolean> {
  const read = await readFragment(fragment)
  if ("bad" in read) {
    s.trouble.value = `This link cannot be opened: ${read.bad}.`
    return false
  }
  await openLinked(read.ok)
  return true
}

export async function openLinked(linked: Linked): Promise<void> {
  s.run.value = linked.run
  s.heat.value = linked.heat
  s.badge.value = undefined
  s.files.value = linked.files ?? {}
  if (!(await setText(linked.text, "linked.yaml"))) {
    s.trouble.value = "The experiment of this link is not accepted: its complaints are beside its text."
    return
  }
  await openA()
  const side = a()
  if (side === undefined) return
  await seek(linked.cycle)
  const { cycle, fingerprint } = await side.engine.ask<{ cycle: number; fingerprint: string }>({ do: "fingerprint" })
  const agrees = fingerprint === linked.fingerprint && cycle === linked.cycle
  const version = linked.version === packageVersion ? "" : ` (made by ${linked.version}, this is ${packageVersion})`
  s.badge.value = {
    agrees,
    says: agrees ? `the same bits as where the link was made, cycle ${cycle}` : `other bits than where the link was made${version}`,
  }
  if (linked.other !== undefined) await branch(linked.other.set)
}

// ---- results

export async function openResults(given: Readonly<Record<string, Uint8Array>>): Promise<void> {
  s.results.value = await trying("reading …", () => atDesk().ask<ResultsRead>({ do: "results", files: given }))
  if (s.results.value !== undefined) s.tab.value = "results"
}

/** Figures of papers, each in its quick form. */
export async function openPapers(): Promise<void> {
  s.papers.value = await trying("loading …", async () => (await fetch("papers.json")).json())
}

/** The run of a stored point, live: its specification as an experiment of one run. */
export async function openRow(row: ResultsRead["rows"][number]): Promise<void> {
  await openExperiment(JSON.stringify(experimentOf(row.spec), null, 2), "from-results.json")
  s.tab.value = "run"
}

function experimentOf({ network, engine, traffic, jobs, measure, probes, seed }: ResultsRead["rows"][number]["spec"]): object {
  return { lacewing: 1, network, engine, traffic, ...(jobs === undefined ? {} : { jobs }), measure, probes, seeds: [seed] }
}

// ---- out

export function save(name: string, content: BlobPart, type: string): void {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([content], { type }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

// ---- what is handed over

/** A file: an experiment, a link that was too long for an address, or a part of a results folder. Anything else is said to be none of ours. */
export async function openGiven(name: string, bytes: Uint8Array): Promise<void> {
  if (bytes.length > 4 * 2 ** 20) {
    s.trouble.value = `${name} has ${bytes.length} bytes: too many for an experiment. Results are opened as a folder.`
    return
  }
  const text = new TextDecoder("utf-8").decode(bytes)
  if (text.includes("\0") || text.includes("�")) {
    s.trouble.value = `${name} is no text: the studio opens experiments (YAML, JSON), links it has saved, and results folders.`
    return
  }
  if (text.trimStart().startsWith('{"') && text.includes('"fingerprint"') && text.includes('"form"')) {
    const read = readLinked(text)
    if ("ok" in read) return openLinked(read.ok)
    s.trouble.value = `${name}: ${read.bad}.`
    return
  }
  await openExperiment(text, name)
}

interface Served {
  readonly experiment?: string
  readonly files?: readonly string[]
  readonly results?: readonly string[]
}

/** What `lacewing studio FILE` was given; false on a static site. */
export async function openServed(): Promise<boolean> {
  const meta = document.querySelector('meta[name="served"]')
  if (meta === null) return false
  const bytesOf = async (path: string) =>
    new Uint8Array(await (await fetch(`given/${path.split("/").map(encodeURIComponent).join("/")}`)).arrayBuffer())
  try {
    const served: Served = await (await fetch("given.json")).json()
    if (served.results !== undefined) {
      const all = await Promise.all(served.results.map(async (p) => [`results/${p}`, await bytesOf(p)] as const))
      await openResults(Object.fromEntries(all))
      return true
    }
    if (served.experiment === undefined) return false
    const beside = await Promise.all((served.files ?? []).map(async (p) => [p, await bytesOf(p)] as const))
    await openExperiment(new TextDecoder().decode(await bytesOf(served.experiment)), served.experiment, Object.fromEntries(beside))
    return true
  } catch (e) {
    fail(e)
    return false
  }
}
