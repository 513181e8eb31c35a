// The commands of the command bar: everything that the page can do, in words. A query may also name a cycle, a router
// or an endpoint.
import { heatKinds } from "../shared/messages.ts"
import { storyNames } from "../shared/stories.ts"
import * as actions from "./actions.ts"
import { heatNames } from "./heat-names.ts"
import { networkSvg, shown } from "./out/network.ts"
import { canRecord } from "./out/recording.ts"
import { isSingleFile } from "./site.ts"
import * as s from "./state.ts"
import { stories } from "./stories.ts"
import { speedName, speeds } from "./transport.ts"

export interface Command {
  readonly group: "Ask" | "Change" | "Go to" | "View" | "Share" | "Open"
  readonly name: string
  /** The key that does the same, or a note. */
  readonly note?: string
  readonly does: () => unknown
  /** True: shown only if the query matches. */
  readonly rare?: boolean
}

/** Loads that the command bar proposes. */
const LOADS = [0.1, 0.2, 0.3, 0.5, 0.8]

export function commands(query: string): Command[] {
  const named = [...numbers(query), ...(s.sides.value.length === 0 ? [] : [...asks(), ...changes(), ...times()])]
  const all = [...named, ...views(), ...shares(), ...opens()]
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return all.filter((c) => c.rare !== true)
  const matches = ({ group, name, note = "" }: Command) => {
    const text = `${group} ${name} ${note}`.toLowerCase()
    return words.every((w) => text.includes(w))
  }
  return all.filter((c) => matches(c) || numbers(query).some((n) => n.name === c.name))
}

/** A number is a cycle; "router 5", "endpoint 7" and "channel 3" are objects of side A. */
function numbers(query: string): Command[] {
  const { scene } = s.sides.value[0]?.opened ?? {}
  const found = /^\s*(cycle|router|endpoint|channel)?\s*(\d[\d,]*)\s*$/i.exec(query)
  if (scene === undefined || found === null) return []
  const number = Number(found[2].replaceAll(",", ""))
  const kind = (found[1] ?? "cycle").toLowerCase()
  const text = `${kind} ${number.toLocaleString("en")}`
  if (kind === "cycle") return [{ group: "Go to", name: `Go to ${text}`, does: () => actions.seek(number) }]
  if (kind === "router")
    return number < scene.routers
      ? [{ group: "Ask", name: `Inspect ${text}`, does: () => actions.askRouter(number) }]
      : []
  if (kind === "channel")
    return number < scene.chans
      ? [{ group: "Ask", name: `Inspect ${text}`, does: () => actions.askChannel(number) }]
      : []
  return number < scene.ends ? [{ group: "Ask", name: `Inspect ${text}`, does: () => actions.askEndpoint(number) }] : []
}

function asks(): Command[] {
  const each = s.sides.value.flatMap(({ name }): Command[] => {
    const who = s.sides.value.length > 1 ? ` in ${name}` : ""
    return [
      {
        group: "Ask",
        name: `Why do packets wait${who}?`,
        note: name === "A" ? "?" : "",
        does: () => actions.askWhy(name),
      },
      { group: "Ask", name: `Why is the oldest packet${who} so old?`, does: () => actions.askOldest(name) },
      { group: "Ask", name: `What waits for the busiest link${who}?`, does: () => actions.askBusiest(name) },
    ]
  })
  const two: Command = {
    group: "Ask",
    name: "Where do A and B begin to differ?",
    does: () => {
      s.sheet.value = true
      s.tab.value = "run"
      return actions.firstDifference()
    },
  }
  return s.sides.value.length > 1 ? [...each, two] : each
}

function changes(): Command[] {
  const field = (path: string) => s.form.value.flatMap((p) => p.fields).find((f) => f.path === path)
  const load = field("traffic.0.load")
  const routing = field("network.routing.name")
  const now = routing?.value
  const loads = load === undefined || load.swept ? [] : LOADS.filter((l) => l !== load.value)
  const routings = (routing?.choices ?? []).filter((name) => name !== now)
  return [
    ...loads.map(
      (l): Command => ({
        group: "Change",
        name: `Set the load to ${l}`,
        note: s.sides.value.length > 1 ? "both sides, from cycle 0" : "from cycle 0",
        does: () => actions.setLoad(l),
      }),
    ),
    ...routings.map(
      (name): Command => ({
        group: "Change",
        name: `Compare with ${name}`,
        note: "side B",
        rare: !/\.(ugal-l|valiant|adaptive)$/.test(name),
        does: () => actions.branch([`network.routing=${name}`]),
      }),
    ),
    ...(s.sides.value.length > 1 ? [{ group: "Change", name: "Close side B", does: actions.closeB } as const] : []),
  ]
}

function times(): Command[] {
  return [
    { group: "Go to", name: "Next event", note: ">", does: () => actions.toEvent(1) },
    { group: "Go to", name: "Previous event", note: "<", does: () => actions.toEvent(-1) },
    { group: "Go to", name: "The first cycle", does: () => actions.seek(0) },
    { group: "Go to", name: s.running.value ? "Pause" : "Run", note: "space", does: toggle },
    ...speeds.map(
      (speed): Command => ({
        ...{ group: "Go to", name: `Speed: ${speedName(speed).toLowerCase()}`, rare: true },
        does: () => actions.setSpeed(speed),
      }),
    ),
  ]
}

const toggle = () => (s.running.value ? actions.pause() : actions.play())
const set =
  <T>(signal: { value: T }, value: T) =>
  () =>
    void (signal.value = value)

function views(): Command[] {
  const bySource = s.colouring.value === "source"
  const sheet = (tab: s.Tab) => () => {
    s.sheet.value = true
    s.tab.value = tab
  }
  return [
    {
      ...{ group: "View", name: s.matrix.value ? "Show the network" : "Show the matrix", note: "m" },
      does: set(s.matrix, !s.matrix.value),
    },
    {
      ...{ group: "View", name: `Colour packets by ${bySource ? "age" : "source"}`, note: "c" },
      does: set(s.colouring, bySource ? "age" : "source"),
    },
    ...heatKinds.map(
      (kind): Command => ({
        ...{ group: "View", name: `Links show: ${heatNames[kind].toLowerCase()}`, rare: true },
        does: () => actions.setHeat(kind),
      }),
    ),
    { group: "View", name: "Edit the experiment", note: "e", does: sheet("experiment") },
    { group: "View", name: "Runs and latency curve", does: sheet("run") },
    { group: "View", name: "Results and figures of papers", does: sheet("results") },
    { group: "View", name: "Lists of channels and packets", note: "l", does: set(s.lists, true) },
    {
      ...{ group: "View", name: s.theme.value === "dark" ? "Light colours" : "Dark colours" },
      does: set(s.theme, s.theme.value === "dark" ? "light" : "dark"),
    },
  ]
}

function shares(): Command[] {
  if (s.sides.value.length === 0) return []
  const yaml = s.fileName.value.replace(/(\.\w+)?$/, ".yaml")
  const found: Command[] = [{ group: "Share", name: "Copy a link to this cycle", does: actions.copyLink }]
  if (!isSingleFile())
    found.push({ group: "Share", name: "Save this page with its run", note: "one HTML file", does: actions.savePage })
  if (canRecord()) found.push({ group: "Share", name: "Save a film of ten seconds", does: () => actions.record() })
  found.push(
    {
      ...{ group: "Share", name: "Save the picture", note: "SVG" },
      does: () => {
        const picture = shown()
        if (picture !== undefined) actions.save("network.svg", networkSvg(picture), "image/svg+xml")
      },
    },
    {
      ...{ group: "Share", name: "Save the experiment", note: "YAML" },
      does: () => actions.save(yaml, `# npx lacewing run ${yaml}\n${s.text.value}`, "text/yaml"),
    },
  )
  return found
}

function opens(): Command[] {
  return [
    ...storyNames.map(
      (name): Command => ({
        ...{ group: "Open", name: `Story: ${stories[name].tab}` },
        does: () => actions.openStory(name),
      }),
    ),
    ...Object.entries(s.known.value).map(
      ([name, text]): Command => ({
        ...{ group: "Open", name: `Experiment: ${name}`, rare: true },
        does: () => actions.openExperiment(text, name),
      }),
    ),
  ]
}
