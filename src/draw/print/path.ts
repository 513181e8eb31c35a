// Paths of SVG as absolute segments: move, line, cubic curve and close. Arcs become cubic curves.

export type Segment =
  | { readonly kind: "move" | "line"; readonly to: Place }
  | { readonly kind: "curve"; readonly first: Place; readonly second: Place; readonly to: Place }
  | { readonly kind: "close" }
export type Place = readonly [x: number, y: number]
/** x' = a x + c y + e, y' = b x + d y + f */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

export const identity: Matrix = [1, 0, 0, 1, 0, 0]

/** Returns the transformation that applies `inner` first. */
export function times(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer
  const [p, q, r, s, t, u] = inner
  return [a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f]
}

export function placed([a, b, c, d, e, f]: Matrix, [x, y]: Place): Place {
  return [a * x + c * y + e, b * x + d * y + f]
}

/** Returns the matrix of a `transform` attribute with translate, scale and rotate. */
export function matrixOf(text: string | null): Matrix {
  let all = identity
  for (const [, name = "", args = ""] of (text ?? "").matchAll(/(\w+)\(([^)]*)\)/g)) {
    const [x = 0, y, cy = 0] = args.split(/[\s,]+/).map(Number)
    if (name === "translate") all = times(all, [1, 0, 0, 1, x, y ?? 0])
    else if (name === "scale") all = times(all, [x, 0, 0, y ?? x, 0, 0])
    else if (name === "rotate") {
      const [cos, sin] = [Math.cos((x * Math.PI) / 180), Math.sin((x * Math.PI) / 180)]
      const [px, py] = [y ?? 0, cy]
      all = times(all, [cos, sin, -sin, cos, px - cos * px + sin * py, py - sin * px - cos * py])
    }
  }
  return all
}

/** Returns the segments of the attribute `d`. */
export function segmentsOf(d: string): Segment[] {
  const tokens = d.match(/[a-zA-Z]|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/g) ?? []
  const out: Segment[] = []
  let [at, start]: [Place, Place] = [
    [0, 0],
    [0, 0],
  ]
  let command = ""
  let i = 0
  const next = () => Number(tokens[i++] ?? 0)
  while (i < tokens.length) {
    const token = tokens[i] ?? ""
    if (/[a-zA-Z]/.test(token)) {
      command = token
      i++
    }
    const relative = command === command.toLowerCase()
    const place = (): Place => {
      const [x, y] = [next(), next()]
      return relative ? [at[0] + x, at[1] + y] : [x, y]
    }
    switch (command.toUpperCase()) {
      case "M":
        at = place()
        start = at
        out.push({ kind: "move", to: at })
        command = relative ? "l" : "L"
        break
      case "L":
        at = place()
        out.push({ kind: "line", to: at })
        break
      case "H":
        at = [next() + (relative ? at[0] : 0), at[1]]
        out.push({ kind: "line", to: at })
        break
      case "V":
        at = [at[0], next() + (relative ? at[1] : 0)]
        out.push({ kind: "line", to: at })
        break
      case "C": {
        const [first, second, to] = [place(), place(), place()]
        out.push({ kind: "curve", first, second, to })
        at = to
        break
      }
      case "A": {
        const [rx, ry, , large, sweep] = [next(), next(), next(), next() === 1, next() === 1]
        const to = place()
        out.push(...arc(at, [rx, ry], large, sweep, to))
        at = to
        break
      }
      case "Z":
        out.push({ kind: "close" })
        at = start
        break
      default:
        throw new Error(`A figure has the path command "${command}". This is a bug in lacewing; please report it.`)
    }
  }
  return out
}

/** An elliptical arc without rotation, in pieces of at most a quarter turn (SVG 1.1, appendix F.6). */
function arc(from: Place, radii: Place, large: boolean, sweep: boolean, to: Place): Segment[] {
  const [dx, dy] = [(from[0] - to[0]) / 2, (from[1] - to[1]) / 2]
  let [rx, ry] = radii
  if (rx === 0 || ry === 0 || (dx === 0 && dy === 0)) return [{ kind: "line", to }]
  const short = Math.sqrt((dx / rx) ** 2 + (dy / ry) ** 2)
  if (short > 1) [rx, ry] = [rx * short, ry * short]
  const left = Math.max(0, (rx * ry) ** 2 - (rx * dy) ** 2 - (ry * dx) ** 2)
  const root = Math.sqrt(left / ((rx * dy) ** 2 + (ry * dx) ** 2)) * (large === sweep ? -1 : 1)
  const [mx, my] = [(root * rx * dy) / ry, (-root * ry * dx) / rx]
  const [cx, cy] = [mx + (from[0] + to[0]) / 2, my + (from[1] + to[1]) / 2]
  const begin = Math.atan2((dy - my) / ry, (dx - mx) / rx)
  let turn = Math.atan2((-dy - my) / ry, (-dx - mx) / rx) - begin
  if (sweep && turn < 0) turn += 2 * Math.PI
  if (!sweep && turn > 0) turn -= 2 * Math.PI
  const pieces = Math.max(1, Math.ceil(Math.abs(turn) / (Math.PI / 2) - 1e-9))
  const step = turn / pieces
  const bow = (4 / 3) * Math.tan(step / 4)
  return Array.from({ length: pieces }, (_, k): Segment => {
    const [s, e] = [begin + k * step, begin + (k + 1) * step]
    const on = (angle: number, along: number): Place => [
      cx + rx * (Math.cos(angle) - along * Math.sin(angle)),
      cy + ry * (Math.sin(angle) + along * Math.cos(angle)),
    ]
    return { kind: "curve", first: on(s, bow), second: on(e, -bow), to: on(e, 0) }
  })
}
