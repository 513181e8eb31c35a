// The interactive picture of a network: packets, links and marks at the time of the clock, or a map of a large network.
// Zoom with the wheel or two fingers, move by dragging, inspect by clicking. The arrow keys, + and - do the same.
import { effect } from "@preact/signals"
import { h } from "preact"
import { useEffect, useRef } from "preact/hooks"
import type { Frame } from "../shared/messages.ts"
import * as actions from "./actions.ts"
import { clock, isStill, painters, redraw } from "./film/clock.ts"
import type { Camera } from "./network/camera.ts"
import { mapBox, paintGroups, paintMap } from "./network/canvas.ts"
import { treeColours } from "./network/colours.ts"
import { Dots } from "./network/dots.ts"
import { moved as approached, framed } from "./network/focus.ts"
import { type Links, paintLinks } from "./network/links.ts"
import { fading, type Marks, noMarks, paintMarks } from "./network/marks.ts"
import { groupsOf, type HeatMap, isLarge, mapOf, placesOf, type Shape, shapeOf } from "./network/shape.ts"
import { touch } from "./network/touch.ts"
import { fitted, linesOf, pick } from "./network/view.ts"
import { Gl } from "./network/webgl.ts"
import * as s from "./state.ts"
import { stories } from "./stories.ts"

export const isDark = (): boolean => s.theme.value === "dark"
/** Milliseconds between two drawings of the layer of links, which changes slowly. */
const LAYER = 80

/** Returns the highlighted objects in the picture of a side. */
export function marksFor(side: string): Marks {
  const { value } = s.answer
  if (value === undefined || value.side !== side) return storyMarks()
  if (value.kind === "router") return { ...noMarks, router: value.is.router }
  if (value.kind === "endpoint") {
    const { end } = value.is
    return { ...noMarks, ends: [{ end, label: `endpoint ${end}` }] }
  }
  if (value.kind === "channel")
    return { ...noMarks, chosen: value.is.chan, chain: value.is.chain.links.map((l) => l.chan) }
  if (value.kind === "packet") {
    const { stays, chain, from, to } = value.is
    return {
      ...noMarks,
      path: stays.slice(0, -1).flatMap((x) => (x.chan >= 0 ? x.chan : [])),
      chain: chain.links.map((l) => l.chan),
      router: stays.at(-1)?.router ?? -1,
      ends: [
        { end: from, label: `from ${from}` },
        { end: to, label: `to ${to}` },
      ],
      packet: value.is,
    }
  }
  // At a deadlock, every tree hangs on the cycle, and would hide it.
  if (value.is.cycle.length > 0) return { ...noMarks, cycle: value.is.cycle }
  const trees = value.is.trees
    .slice(0, treeColours.length)
    .map((t, i) => ({ colour: treeColours[i], root: t.root, channels: [...t.channels, t.root] }))
  return { ...noMarks, trees }
}

/** The endpoint that a story is about. */
function storyMarks(): Marks {
  const { value: name } = s.story
  const mark = name === undefined ? undefined : stories[name].mark
  return mark === undefined ? noMarks : { ...noMarks, ends: [{ end: mark, label: `endpoint ${mark}` }] }
}

/** The pictures of the sides, for exports. */
export const painted = new Map<string, Shown>()
export interface Shown extends Links {
  readonly marks: Marks
  readonly canvas: HTMLCanvasElement
  readonly shape: Shape
  readonly map: HeatMap | undefined
}
/** Number of drawn frames, for measurements. */
export const drawn = { frames: 0 }

export function Network({ side }: { side: s.Side }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const element = canvas.current
    return element === null ? undefined : show(element, side)
  }, [side])
  const scene = side.opened.scene
  const what = `Network ${side.name}: ${scene.routers} routers, ${scene.ends} endpoints. Packets move along the links. Click a packet, a channel or a router to inspect it; the lists contain the same objects.`
  return h("canvas", { ref: canvas, tabIndex: 0, role: "img", "aria-label": what })
}

/** Connects a canvas to a side. Returns a function that disconnects it. */
function show(element: HTMLCanvasElement, side: s.Side): () => void {
  const { scene } = side.opened
  const lines = linesOf(scene)
  const gl =
    !s.lostGl.value && !s.matrix.value && !isLarge(scene) && Gl.wanted(scene)
      ? Gl.make(element, scene, lines)
      : undefined
  const g = gl === undefined ? element.getContext("2d") : null
  const dots = isLarge(scene) ? undefined : new Dots(scene, lines)
  const layer = document.createElement("canvas")
  let layered: { frame: Frame | undefined; at: number; key: string } = { frame: undefined, at: 0, key: "" }
  let groups: ReturnType<typeof groupsOf>
  let map: HeatMap | undefined
  /** Cells of the current map; negative if it shows positions. */
  let mapFor = 0
  let camera: Camera | undefined
  let moved = false
  /** The camera moves to what was inspected, and later back to where it was. */
  const focus = { answer: undefined as s.Answer | undefined, to: undefined as Camera | undefined, at: 0 }
  let before: Camera | undefined
  const ratio = Math.min(2, globalThis.devicePixelRatio || 1)
  const size = () => ({ width: element.clientWidth, height: element.clientHeight })

  function paint(): void {
    const { width, height } = size()
    if (width === 0 || height === 0) return
    if (element.width !== Math.round(width * ratio) || element.height !== Math.round(height * ratio)) {
      element.width = Math.round(width * ratio)
      element.height = Math.round(height * ratio)
      if (!moved) camera = undefined
    }
    camera ??= fitted(scene, width, height)
    const marks = marksFor(side.name)
    if (gl === undefined && dots !== undefined && !s.matrix.value) camera = focused(camera, marks, width, height)
    const { reel } = side
    const at = reel.at(clock.t)
    const frame = reel.frames[at]
    if (frame === undefined) return
    const shape = gl === undefined ? shapeOf(scene, camera, s.matrix.value) : "routers"
    if (shape === "groups") groups ??= groupsOf(scene)
    // A cell has at least one pixel.
    const cells = Math.floor(mapBox(width, height).side)
    // The explicit map shows the connections between routers, so it does not use positions.
    const placed = scene.kind === "grid" && !s.matrix.value
    if (shape === "map" && mapFor !== (placed ? -cells : cells)) {
      map = placed ? placesOf(scene, cells) : mapOf(scene, Math.min(cells, mostRows(scene)))
      mapFor = placed ? -cells : cells
    }
    element.dataset["shape"] = shape
    const { blocked, outside } = frame
    const links: Links = { scene, lines, heat: heatOf(side, frame), blocked, outside, camera, dark: isDark() }
    painted.set(side.name, { ...links, marks, canvas: element, shape, map })
    drawn.frames++
    element.dataset["frames"] = String(drawn.frames)
    if (gl !== undefined) gl.paint(links, marks, ratio)
    else if (g !== null) {
      g.setTransform(ratio, 0, 0, ratio, 0, 0)
      if (shape === "map") paintMap(g, width, height, links, map!)
      else if (shape === "groups" && groups !== undefined) paintGroups(g, width, height, links, groups)
      else stage(g, width, height, links, marks, frame, reel.frames[at + 1] ?? frame)
    }
  }

  /** Returns the camera between the whole network and what was inspected. */
  function focused(from: Camera, marks: Marks, width: number, height: number): Camera {
    const now = performance.now()
    const { value } = s.answer
    if (focus.answer !== value) {
      focus.answer = value
      focus.at = now
      if (value?.side === side.name && (value.kind === "packet" || value.kind === "channel")) {
        before ??= from
        focus.to = framed(scene, lines, marks, fitted(scene, width, height), width, height)
      } else {
        focus.to = before
        before = undefined
      }
    }
    if (focus.to === undefined) return from
    const to = isStill() ? focus.to : approached(from, focus.to, Math.max(8, now - focus.at))
    focus.at = now
    if (to === focus.to) focus.to = undefined
    else redraw()
    return to
  }

  /** Draws the links from their layer, the packets between two frames, and the marks. */
  function stage(
    g: CanvasRenderingContext2D,
    width: number,
    height: number,
    links: Links,
    marks: Marks,
    frame: Frame,
    next: Frame,
  ): void {
    const { camera, dark } = links
    const key = `${width} ${height} ${camera.scale} ${camera.x} ${camera.y} ${dark} ${s.difference.value}`
    const now = performance.now()
    if (layered.key !== key || (layered.frame !== frame && now - layered.at > LAYER) || !s.running.value) {
      layer.width = element.width
      layer.height = element.height
      const under = layer.getContext("2d")!
      under.setTransform(ratio, 0, 0, ratio, 0, 0)
      paintLinks(under, width, height, links)
      layered = { frame, at: now, key }
    }
    g.clearRect(0, 0, width, height)
    // Everything except the marks fades: it is drawn below a veil with the colour of the card.
    g.drawImage(layer, 0, 0, width, height)
    if (frame.packets !== undefined && dots !== undefined) {
      const [from, to] = [frame.status.cycle, next.status.cycle]
      const share = to > from ? Math.min(1, Math.max(0, (clock.t - from) / (to - from))) : 0
      dots.paint(
        g,
        { now: frame.packets, next: next.packets ?? frame.packets, share, cycle: clock.t },
        { camera, dark, colouring: s.colouring.value, still: isStill(), ratio },
      )
    }
    const fade = fading(marks)
    if (fade < 1) {
      g.globalCompositeOperation = "destination-in"
      g.globalAlpha = fade
      g.fillRect(0, 0, width, height)
      g.globalCompositeOperation = "source-over"
      g.globalAlpha = 1
    }
    const packets = marks.packet === undefined ? undefined : frame.packets
    paintMarks(g, links, marks, packets && dots?.locate(packets, camera, marks.packet!))
  }

  painters.add(paint)
  const stop = effect(() => {
    // Read all signals on which the picture depends, so that the effect runs again when one changes.
    void [s.pictures.value, s.answer.value, s.matrix.value, s.difference.value, s.theme.value, s.colouring.value]
    redraw()
  })
  const sized = new ResizeObserver(redraw)
  sized.observe(element)
  /** Returns the hottest channel of the cell at a position. */
  const pickCell = (px: number, py: number): number => {
    if (map === undefined) return -1
    const { left, upper, side: length } = mapBox(size().width, size().height)
    const column = Math.floor(((px - left) / length) * map.cells)
    const row = Math.floor(((py - upper) / length) * map.cells)
    if (column < 0 || row < 0 || column >= map.cells || row >= map.cells) return -1
    const frame = side.reel.frames[side.reel.at(clock.t)]
    if (frame === undefined) return -1
    const heat = heatOf(side, frame)
    let best = -1
    for (let c = 0; c < map.cell.length; c++)
      if (map.cell[c] === row * map.cells + column && (best < 0 || heat[c] > heat[best])) best = c
    return best
  }
  const click = (px: number, py: number) => {
    if (camera === undefined) return
    if (element.dataset["shape"] === "map") {
      const chan = pickCell(px, py)
      if (chan >= 0) void actions.askChannel(chan, side.name)
      return
    }
    const packets = gl === undefined ? side.reel.frames[side.reel.at(clock.t)]?.packets : undefined
    const p = packets === undefined || dots === undefined ? -1 : dots.pick(packets, camera, px, py)
    if (packets !== undefined && p >= 0) {
      const name = { key: packets.key[p], from: packets.from[p], createdAt: packets.createdAt[p] }
      void actions.askPacketAt(side.reel.frames[side.reel.at(clock.t)].status.cycle, name, side.name)
      return
    }
    const { chan, router, end } = pick(scene, lines, camera, px, py)
    if (end >= 0) void actions.askEndpoint(end, side.name)
    else if (router >= 0) void actions.askRouter(router, side.name)
    else if (chan >= 0) void actions.askChannel(chan, side.name)
  }
  const move = (to: Camera) => {
    camera = to
    moved = true
    focus.to = undefined
    before = undefined
    redraw()
  }
  const hand = touch(element, () => camera, move, click)
  return () => {
    stop()
    hand()
    sized.disconnect()
    painters.delete(paint)
    painted.delete(side.name)
    gl?.close()
  }
}

/** Returns the largest number of rows of a matrix: groups are easier to see than more than 64 routers. */
function mostRows({ routers, group }: s.Side["opened"]["scene"]): number {
  return group !== undefined && routers > 64 ? routers - 1 : routers
}

/** Returns the heat of a side. B shows the difference to A if the user selects it. */
function heatOf(side: s.Side, { heat }: Frame): Uint8Array {
  const other = s.pictures.value["A"]?.heat
  if (side.name !== "B" || !s.difference.value || other?.length !== heat.length) return heat
  return heat.map((v, c) => Math.abs(v - other[c]))
}
