// BookSim2's traffic as streams: one for each of its classes, which share all VCs.
import type { Complaint } from "../../../core/complaint.ts"
import type { Named } from "../../../model/experiment.ts"
import { Said, type Tree } from "../provenance.ts"
import { type Config, isAnswered, isOn, listOf, numberOf, ofClass, refuse, textOf } from "./keys.ts"
import { ignoresTypes } from "./network.ts"

const same: Readonly<Record<string, string>> = {
  uniform: "uniform",
  bitcomp: "bit-complement",
  bitrev: "bit-reverse",
  transpose: "transpose",
  shuffle: "shuffle",
}

function sizesOf(c: Config, i: number): { sizes: number[]; weights: number[] } {
  const sizes = listOf(ofClass(c, "packet_size", i)).map(Number)
  const rates = listOf(ofClass(c, "packet_size_rate", i)).map(Number)
  return { sizes, weights: sizes.map((_, j) => rates[Math.min(j, rates.length - 1)]) }
}

/** Flits of the longest packet. */
export function longest(c: Config): number {
  return Math.max(...Array.from({ length: numberOf(c, "classes") }, (_, i) => Math.max(...flitsOf(c, i).flits)))
}

export function streamsOf(c: Config): Tree[] {
  return Array.from({ length: numberOf(c, "classes") }, (_, i) => streamOf(c, i))
}

/** Packets of class i for each node and cycle, and their mean length. */
function rateOf(c: Config, i: number): { packets: number; mean: number } {
  const { flits, weights } = flitsOf(c, i)
  const sum = weights.reduce((a, b) => a + b, 0)
  const mean = flits.length === 1 ? flits[0] : flits.reduce((m, s, j) => m + s * weights[j], 0) / sum
  // with replies BookSim2 divides a rate in flits by the flits of a read and a write, answers included, over two
  const rate = Number(ofClass(c, "injection_rate", i))
  if (!isOn(c, "injection_rate_uses_flits")) return { packets: rate, mean }
  return {
    packets: rate / (isAnswered(c) ? numberOf(c, "read_request_size") + numberOf(c, "read_reply_size") : mean),
    mean,
  }
}

function flitsOf(c: Config, i: number): { flits: number[]; weights: number[] } {
  if (isAnswered(c)) return { flits: [numberOf(c, "read_request_size")], weights: [1] }
  const { sizes, weights } = sizesOf(c, i)
  return { flits: sizes, weights }
}

function streamOf(c: Config, i: number): Tree {
  const rate = () => rateOf(c, i)
  return {
    name: () => (numberOf(c, "classes") === 1 ? "traffic" : `class${i}`),
    pattern: patternOf(c, i),
    arrivals: arrivalsOf(c, i),
    packet: packetOf(c, i),
    message: { name: new Said("fixed", messages), size: new Said("1packets", messages) },
    load: () => rate().packets * rate().mean,
    from: new Said("all", "every node sends"),
    start: new Said("0cycles", "from the first cycle on"),
    stop: new Said("never", "to the last"),
    priority: () => (textOf(c, "priority") === "class" ? Number(ofClass(c, "class_priority", i)) : 0),
    class: new Said(0, "classes of BookSim2 share all VCs"),
    reply: () => (isAnswered(c) ? `${numberOf(c, "read_reply_size")}flits` : "0flits"),
  }
}

const messages = "BookSim2 knows packets only"

function packetOf(c: Config, i: number): Tree {
  const flits = () => flitsOf(c, i).flits
  const one = flits().length === 1
  const name = () => (flits().length === 1 ? "fixed" : "weighted")
  if (one) return { name, size: () => `${flits()[0]}flits` }
  return { name, sizes: () => flits().map((s) => `${s}flits`), weights: () => flitsOf(c, i).weights }
}

/** A named thing of ours as a tree: each parameter is made of the same keys. */
function all(make: () => Named): Tree {
  return Object.fromEntries(Object.keys(make()).map((key) => [key, () => make()[key]]))
}

function patternOf(c: Config, i: number): Tree {
  return all(() => patternNamed(ofClass(c, "traffic", i), c))
}

function patternNamed(traffic: string, c: Config): Named {
  const { name, params } = call(traffic)
  if (same[name] !== undefined) return { name: same[name], self: true }
  if (name === "tornado" || name === "neighbor") {
    const digit = (key: string, at: number) => Number(params[at] ?? textOf(c, key))
    return {
      name: name === "tornado" ? "tornado" : "neighbour",
      digits: [digit("k", 0), digit("n", 1), digit("xr", 2)],
      self: true,
    }
  }
  if (name === "bad_dragon") return { name: "group-adversarial" }
  if (name === "hotspot") {
    const targets = listOf(params[0] ?? "").map(Number)
    const rates = listOf(params[1] ?? "1").map(Number)
    return { name: "hotspot", targets, rates: targets.map((_, i) => rates[Math.min(i, rates.length - 1)]), self: true }
  }
  return { name }
}

function arrivalsOf(c: Config, i: number): Tree {
  return all(() => arrivalsNamed(c, i))
}

/** Parameters of on_off as they are given: below 0 is the one that follows from the two others and the load. */
function burstsOf(c: Config, i: number): { alpha: number; beta: number; r1: number } {
  const { params } = call(ofClass(c, "injection_process", i))
  const given = (key: string, at: number) => Number(params[at] ?? textOf(c, key))
  return { alpha: given("burst_alpha", 0), beta: given("burst_beta", 1), r1: given("burst_r1", 2) }
}

/** BookSim2 stops unless two of the three are given, each at most 1. */
function refusedBursts(c: Config, i: number): Complaint[] {
  const { alpha, beta, r1 } = burstsOf(c, i)
  const process = ofClass(c, "injection_process", i)
  const given = [alpha, beta, r1].filter((x) => x >= 0)
  const says = `alpha ${alpha}, beta ${beta}, r1 ${r1}: BookSim2 takes two of the three, from 0 to 1 each`
  return given.length === 2 && given.every((x) => x <= 1)
    ? []
    : [refuse("injection_process", process, says, "set the third to -1.0")]
}

function arrivalsNamed(c: Config, i: number): Named {
  const { name } = call(ofClass(c, "injection_process", i))
  if (name !== "on_off") return { name }
  const rate = rateOf(c, i).packets
  let { alpha, beta, r1 } = burstsOf(c, i)
  if (alpha < 0) alpha = (beta * rate) / (r1 - rate)
  else if (beta < 0) beta = (alpha * (r1 - rate)) / rate
  return { name: "on-off", on: `${1 / beta}cycles`, share: alpha / (alpha + beta) }
}

/** name(a) or name({a,b}) */
function call(text: string): { name: string; params: string[] } {
  const at = text.indexOf("(")
  return at < 0
    ? { name: text, params: [] }
    : { name: text.slice(0, at), params: listOf(text.slice(at + 1, text.lastIndexOf(")"))) }
}

const drawn = new Set(["diagonal", "asymmetric"])

export function refusedTraffic(c: Config): Complaint[] {
  const bad: Complaint[] = []
  const classes = numberOf(c, "classes")
  for (let i = 0; i < classes; i++) {
    const traffic = ofClass(c, "traffic", i)
    const { name, params } = call(traffic)
    const digits = name === "tornado" || name === "neighbor"
    if (name === "hotspot" && listOf(params[0] ?? "-1").some((t) => Number(t) < 0))
      bad.push(
        refuse("traffic", traffic, "BookSim2 draws a hot spot that is not named", "name the nodes: hotspot({{3,12}})"),
      )
    else if (name === "bad_dragon" && textOf(c, "topology") !== "dragonflynew")
      bad.push(refuse("traffic", traffic, "only a dragonfly has groups"))
    else if (!(same[name] !== undefined || digits || name === "bad_dragon" || name === "hotspot" || drawn.has(name)))
      bad.push(refuse("traffic", traffic, "there is no counterpart"))
    const process = ofClass(c, "injection_process", i)
    if (!["bernoulli", "on_off"].includes(call(process).name))
      bad.push(refuse("injection_process", process, "there is no counterpart"))
    else if (call(process).name === "on_off") bad.push(...refusedBursts(c, i))
    const rate = rateOf(c, i).packets
    if (!(rate >= 0 && rate <= 1))
      bad.push(
        refuse(
          "injection_rate",
          ofClass(c, "injection_rate", i),
          `${rate} packets per cycle: BookSim2 itself stops above 1`,
          "lower it",
        ),
      )
    if (classes > 1 && sizesOf(c, i).sizes.some((s) => s > 1))
      bad.push(
        refuse(
          "classes",
          textOf(c, "classes"),
          "BookSim2 interleaves flits of different classes at a node",
          "send single flits",
        ),
      )
  }
  const priority = textOf(c, "priority")
  if (!["none", "class", "age"].includes(priority))
    bad.push(refuse("priority", priority, "there are class and age only"))
  return isAnswered(c) ? [...bad, ...refusedReplies(c)] : bad
}

/**
 * Requests use the lower half of the VCs, replies the upper half (where the routing function distinguishes them), reads
 * and writes alike.
 */
function refusedReplies(c: Config): Complaint[] {
  const bad: Complaint[] = []
  const v = numberOf(c, "num_vcs")
  const half = v / 2
  for (const kind of ["request", "reply"]) {
    const [first, last] = kind === "request" ? [0, half - 1] : [half, v - 1]
    for (const what of ignoresTypes(c) ? [] : ["read", "write"])
      for (const [end, vc] of [
        ["begin", first],
        ["end", last],
      ] as const) {
        const key = `${what}_${kind}_${end}_vc`
        if (numberOf(c, key) !== vc)
          bad.push(refuse(key, textOf(c, key), "requests and replies have half of the VCs each", `set it to ${vc}`))
      }
    const key = `write_${kind}_size`
    if (numberOf(c, key) !== numberOf(c, `read_${kind}_size`))
      bad.push(refuse(key, textOf(c, key), "reads and writes must be alike"))
  }
  if (numberOf(c, "classes") > 1) bad.push(refuse("classes", textOf(c, "classes"), "replies are mapped for one class"))
  return bad
}
