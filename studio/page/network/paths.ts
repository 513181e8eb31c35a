// Points on the lines of channels. view.ts describes the columns of `lines`.

/** Kinds of lines. */
export const LINE = { none: 0, straight: 1, endpoint: 2, curve: 3, wrap: 4 } as const

/** Writes the point at a share u of the line of a channel into `into`: 0 is the sending end, 1 the receiving end. */
export function pointAt(l: Float32Array, chan: number, u: number, into: Float32Array, at = 0): void {
  const k = chan * 8
  const kind = l[k + 6]
  const v = 1 - u
  if (kind === LINE.curve) {
    into[at] = v * v * l[k] + 2 * u * v * l[k + 4] + u * u * l[k + 2]
    into[at + 1] = v * v * l[k + 1] + 2 * u * v * l[k + 5] + u * u * l[k + 3]
  } else if (kind === LINE.wrap) {
    // The first half leaves at the border, the second half enters at the opposite one.
    const first = u < 0.5
    const part = first ? 2 * u : 2 * v
    into[at] = (first ? l[k] : l[k + 2]) + (first ? part : -part) * l[k + 4]
    into[at + 1] = (first ? l[k + 1] : l[k + 3]) + (first ? part : -part) * l[k + 5]
  } else {
    into[at] = v * l[k] + u * l[k + 2]
    into[at + 1] = v * l[k + 1] + u * l[k + 3]
  }
}

/** Returns the lengths of all lines. */
export function lengthsOf(l: Float32Array): Float32Array {
  const lengths = new Float32Array(l.length / 8)
  const [a, b] = [new Float32Array(2), new Float32Array(2)]
  for (let c = 0; c < lengths.length; c++) {
    const k = c * 8
    if (l[k + 6] === LINE.wrap) lengths[c] = 2 * Math.hypot(l[k + 4], l[k + 5])
    else if (l[k + 6] !== LINE.curve) lengths[c] = Math.hypot(l[k + 2] - l[k], l[k + 3] - l[k + 1])
    else
      for (let i = 0; i < 8; i++) {
        pointAt(l, c, i / 8, a)
        pointAt(l, c, (i + 1) / 8, b)
        lengths[c] += Math.hypot(b[0] - a[0], b[1] - a[1])
      }
  }
  return lengths
}

/** Adds the line of a channel to the current path, in pixels. */
export function addLine(g: Path, l: Float32Array, chan: number, s: number, ox: number, oy: number): void {
  const k = chan * 8
  const [ax, ay, bx, by] = [l[k] * s + ox, l[k + 1] * s + oy, l[k + 2] * s + ox, l[k + 3] * s + oy]
  g.moveTo(ax, ay)
  if (l[k + 6] === LINE.curve) g.quadraticCurveTo(l[k + 4] * s + ox, l[k + 5] * s + oy, bx, by)
  else if (l[k + 6] === LINE.wrap) {
    g.lineTo(ax + l[k + 4] * s, ay + l[k + 5] * s)
    g.moveTo(bx - l[k + 4] * s, by - l[k + 5] * s)
    g.lineTo(bx, by)
  } else g.lineTo(bx, by)
}
type Path = Pick<CanvasRenderingContext2D, "moveTo" | "lineTo" | "quadraticCurveTo">
