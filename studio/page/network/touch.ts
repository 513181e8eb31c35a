// Pointers, wheel and keys of a picture: dragging moves it, the wheel, two fingers, + and - zoom, a click inspects.
import type { Camera } from "./camera.ts"
import { zoomed } from "./view.ts"

/** Adds the handlers to a canvas. Returns a function that removes them. */
export function touch(
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
