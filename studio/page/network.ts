// The interactive picture of the network: zoom with the wheel or two fingers, move by dragging, inspect by clicking.
// The arrow keys, + and - do the same.
import { effect } from "@preact/signals"
import { h } from "preact"
import { useEffect, useRef } from "preact/hooks"
import * as actions from "./actions.ts"
import type { Camera } from "./network/camera.ts"
import { type Marks, mapBox, type Painted, paint, paintGroups, paintMap } from "./network/canvas.ts"
import { treeColours } from "./network/colours.ts"
import { groupsOf, type HeatMap, isLarge, mapOf, placesOf, type Shape, shapeOf } from "./network/shape.ts"
import { fitted, linesOf, pick, zoomed } from "./network/view.ts"
import { Gl } from "./network/webgl.ts"
import * as s from "./state.ts"

export const isDark = (): boolean => matchMedia("(prefers-color-scheme: dark)").matches
const none: Marks = { chosen: -1, chain: [], trees: [], router: -1 }

/** Returns the highlighted objects in the picture of a side. */
export function marksFor(side: string): Marks {
  const { value } = s.answer
  if (value === undefined || value.side !== side) return none
  if (value.kind === "router") return { ...none, router: value.is.router }
  if (value.kind === "channel")
    return { ...none, chosen: value.is.chan, chain: value.is.chain.links.map((l) => l.chan) }
  if (value.kind === "packet") {
    const way = value.is.stays.map((x) => x.chan).filter((c) => c >= 0)
    return { ...none, chosen: value.is.chain.root, chain: way, router: value.is.stays.at(-1)?.router ?? -1 }
  }
  const trees = value.is.trees
    .slice(0, 6)
    .map((t, i) => ({ colour: treeColours[i], root: t.root, channels: [...t.channels, t.root] }))
  return { ...none, chain: value.is.channels, trees }
}

/** The pictures of the sides, for exports. */
export const painted = new Map<string, Shown>()
export interface Shown extends Painted {
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
  const status = s.pictures.value[side.name]?.status
  const scene = side.opened.scene
  const what = `Network ${side.name}: ${scene.routers} routers, ${scene.ends} endpoints, heat by ${s.heat.value}, cycle ${status?.cycle ?? 0}. Click a channel or a router to inspect it; the table on the right contains the numbers.`
  return h(
    "figure",
    { class: "network", id: `network-${side.name}` },
    h("canvas", { ref: canvas, tabIndex: 0, role: "img", "aria-label": what }),
    h(
      "figcaption",
      null,
      s.sides.value.length > 1
        ? `${side.name}${side.set.length > 0 ? `: ${side.set.join("; ")}` : ""}, cycle ${status?.cycle ?? 0}`
        : "",
    ),
  )
}

/** Connects a canvas to a side. Returns a function that disconnects it. */
function show(element: HTMLCanvasElement, side: s.Side): () => void {
  const { scene } = side.opened
  const lines = linesOf(scene)
  const gl =
    !s.lostGl.value && !s.matrix.value && !isLarge(scene) && Gl.wanted() ? Gl.make(element, scene, lines) : undefined
  const g = gl === undefined ? element.getContext("2d") : undefined
  let groups: ReturnType<typeof groupsOf>
  let map: HeatMap | undefined
  /** Cells of the current map; negative if it shows positions. */
  let mapFor = 0
  let camera: Camera | undefined
  let asked = 0
  const ratio = Math.min(2, globalThis.devicePixelRatio || 1)
  const size = () => ({ width: element.clientWidth, height: element.clientHeight })

  function frame(): void {
    asked = 0
    const { width, height } = size()
    if (width === 0 || height === 0) return
    if (element.width !== Math.round(width * ratio) || element.height !== Math.round(height * ratio)) {
      element.width = Math.round(width * ratio)
      element.height = Math.round(height * ratio)
      camera = undefined
    }
    camera ??= fitted(scene, width, height)
    const heat = heatOf(side, scene.chans)
    const shape = gl === undefined ? shapeOf(scene, camera, s.matrix.value) : "routers"
    if (shape === "groups") groups ??= groupsOf(scene)
    // A cell has at least one pixel.
    const cells = Math.floor(mapBox(width, height).side)
    // The explicit map shows the connections between routers, so it does not use positions.
    const placed = scene.kind === "grid" && !s.matrix.value
    if (shape === "map" && mapFor !== (placed ? -cells : cells)) {
      map = placed ? placesOf(scene, cells) : mapOf(scene, cells)
      mapFor = placed ? -cells : cells
    }
    element.dataset["shape"] = shape
    const all: Painted = { scene, lines, heat, camera, dark: isDark(), marks: marksFor(side.name) }
    painted.set(side.name, { ...all, canvas: element, shape, map })
    drawn.frames++
    element.dataset["frames"] = String(drawn.frames)
    if (gl !== undefined) gl.paint(all, ratio)
    else if (g !== null && g !== undefined) {
      g.setTransform(ratio, 0, 0, ratio, 0, 0)
      if (shape === "map") paintMap(g, width, height, all, map!)
      else if (shape === "groups" && groups !== undefined) paintGroups(g, width, height, all, groups)
      else paint(g, width, height, all)
    }
  }
  const ask = () => {
    if (asked === 0) asked = requestAnimationFrame(frame)
  }
  const stop = effect(() => {
    // Read all signals on which the picture depends, so that the effect runs again when one changes.
    void [s.pictures.value, s.answer.value, s.matrix.value, s.difference.value]
    ask()
  })
  const sized = new ResizeObserver(ask)
  sized.observe(element)
  const scheme = matchMedia("(prefers-color-scheme: dark)")
  scheme.addEventListener("change", ask)
  const move = (to: Camera) => {
    camera = to
    ask()
  }
  /** Returns the hottest channel of the cell at a position. */
  const pickCell = (px: number, py: number): number => {
    if (map === undefined) return -1
    const { left, upper, side: length } = mapBox(size().width, size().height)
    const [column, row] = [
      Math.floor(((px - left) / length) * map.cells),
      Math.floor(((py - upper) / length) * map.cells),
    ]
    if (column < 0 || row < 0 || column >= map.cells || row >= map.cells) return -1
    const heat = heatOf(side, scene.chans)
    let best = -1
    for (let c = 0; c < map.cell.length; c++)
      if (map.cell[c] === row * map.cells + column && (best < 0 || heat[c] > heat[best])) best = c
    return best
  }
  const hand = touch(
    element,
    () => camera,
    move,
    (px, py) => {
      if (camera === undefined) return
      if (element.dataset["shape"] === "map") {
        const chan = pickCell(px, py)
        if (chan >= 0) void actions.askChannel(chan, side.name)
        return
      }
      const { chan, router } = pick(scene, lines, camera, px, py)
      if (router >= 0) void actions.askRouter(router, side.name)
      else if (chan >= 0) void actions.askChannel(chan, side.name)
    },
  )
  return () => {
    stop()
    hand()
    sized.disconnect()
    scheme.removeEventListener("change", ask)
    painted.delete(side.name)
    gl?.close()
    if (asked !== 0) cancelAnimationFrame(asked)
  }
}

/** Returns the heat of a side. B shows the difference to A if the user selects it. */
function heatOf(side: s.Side, chans: number): Uint8Array {
  const own = s.pictures.value[side.name]?.heat ?? new Uint8Array(chans)
  const other = s.pictures.value["A"]?.heat
  if (side.name !== "B" || !s.difference.value || other?.length !== own.length) return own
  return own.map((v, c) => Math.abs(v - other[c]))
}

/** Handles pointers, wheel and keys of a canvas. Returns a function that removes the handlers. */
function touch(
  element: HTMLCanvasElement,
  camera: () => Camera | undefined,
  move: (to: Camera) => void,
  click: (x: number, y: number) => void,
): () => void {
  const down = new Map<number, { x: number; y: number }>()
  let moved = 0
  let apart = 0
  const at = (e: PointerEvent | WheelEvent) => {
    const box = element.getBoundingClientRect()
    return { x: e.clientX - box.left, y: e.clientY - box.top }
  }
  const on = new AbortController()
  const { signal } = on
  element.addEventListener(
    "pointerdown",
    (e) => {
      element.setPointerCapture(e.pointerId)
      down.set(e.pointerId, at(e))
      moved = 0
      apart = 0
    },
    { signal },
  )
  element.addEventListener(
    "pointermove",
    (e) => {
      const was = down.get(e.pointerId)
      const c = camera()
      if (was === undefined || c === undefined) return
      const is = at(e)
      down.set(e.pointerId, is)
      moved += Math.abs(is.x - was.x) + Math.abs(is.y - was.y)
      if (down.size === 2) {
        const [p, q] = [...down.values()] as [typeof is, typeof is]
        const now = Math.hypot(p.x - q.x, p.y - q.y)
        if (apart > 0) move(zoomed(c, now / apart, (p.x + q.x) / 2, (p.y + q.y) / 2))
        apart = now
      } else move({ ...c, x: c.x + is.x - was.x, y: c.y + is.y - was.y })
    },
    { signal },
  )
  element.addEventListener(
    "pointerup",
    (e) => {
      const was = down.get(e.pointerId)
      down.delete(e.pointerId)
      if (was !== undefined && moved < 5) click(was.x, was.y)
    },
    { signal },
  )
  element.addEventListener("pointercancel", (e) => void down.delete(e.pointerId), { signal })
  element.addEventListener(
    "wheel",
    (e) => {
      const c = camera()
      if (c === undefined) return
      e.preventDefault()
      const { x, y } = at(e)
      move(zoomed(c, 1.0015 ** -e.deltaY, x, y))
    },
    { signal, passive: false },
  )
  element.addEventListener(
    "keydown",
    (e) => {
      const c = camera()
      if (c === undefined) return
      const [w, q] = [element.clientWidth / 2, element.clientHeight / 2]
      const to: Record<string, () => Camera> = {
        ArrowLeft: () => ({ ...c, x: c.x + 40 }),
        ArrowRight: () => ({ ...c, x: c.x - 40 }),
        ArrowUp: () => ({ ...c, y: c.y + 40 }),
        ArrowDown: () => ({ ...c, y: c.y - 40 }),
        "+": () => zoomed(c, 1.25, w, q),
        "-": () => zoomed(c, 0.8, w, q),
      }
      const made = to[e.key]
      if (made === undefined) return
      e.preventDefault()
      move(made())
    },
    { signal },
  )
  return () => on.abort()
}
