// Colours and type of figures. Lines: the palette of Okabe and Ito ("Color Universal Design", 2008), safe for
// colour-blind readers, with a marker shape of its own for each line; a lighter set for dark paper. Cells: the ends of
// cividis ("Optimizing colormaps with consideration for color vision deficiency", Nuñez, Anderton, Renslow, 2018),
// which reads the same in grey.

export type Theme = Readonly<Record<string, string>>

export const light: Theme = {
  paper: "#ffffff",
  ink: "#1b1f24",
  muted: "#59636e",
  grid: "#d8dee4",
  c0: "#0072b2",
  c1: "#d55e00",
  c2: "#009e73",
  c3: "#b8578f",
  c4: "#b97f00",
  c5: "#3c93c9",
  c6: "#59636e",
  c7: "#8c2d04",
}
export const dark: Theme = {
  paper: "#14181d",
  ink: "#e8ebee",
  muted: "#9aa5b1",
  grid: "#343c46",
  c0: "#5cb0e6",
  c1: "#f58a4b",
  c2: "#3fc9a0",
  c3: "#e59cc5",
  c4: "#eebb4d",
  c5: "#9ad7f7",
  c6: "#a9b3be",
  c7: "#d98c5f",
}
const COLOURS = 8

/** Custom properties for a style sheet. */
export function properties(theme: Theme): string {
  return Object.entries(theme)
    .map(([name, colour]) => `--${name}: ${colour};`)
    .join(" ")
}

/** The same picture with the colours written out, for tools that know no custom properties. */
export function coloured(svg: string, theme: Theme): string {
  return svg.replace(/var\(--([a-z0-9]+)\)/g, (whole, name: string) => theme[name] ?? whole)
}

export function colourOf(line: number): string {
  return `var(--c${line % COLOURS})`
}

/** After eight lines the colours come again with dashes. */
export function dashOf(line: number): string | undefined {
  return line < COLOURS ? undefined : "5 3"
}

/** Corners of the markers in units of their radius; the first is a circle. */
const corners: readonly (readonly (readonly [number, number])[])[] = [
  [],
  box(0.88),
  [
    [0, -1.15],
    [1.1, 0.8],
    [-1.1, 0.8],
  ],
  [
    [0, -1.25],
    [1.05, 0],
    [0, 1.25],
    [-1.05, 0],
  ],
  [
    [0, 1.15],
    [1.1, -0.8],
    [-1.1, -0.8],
  ],
]
function box(r: number): [number, number][] {
  return [
    [-r, -r],
    [r, -r],
    [r, r],
    [-r, r],
  ]
}

/** A filled cross, unlike the marker of any line: the network made no progress. */
export function crossPath(radius: number): string {
  const [far, near] = [radius, 0.42 * radius]
  const arms = [
    [0, -near],
    [far - near, -far],
    [far, near - far],
    [near, 0],
    [far, far - near],
    [far - near, far],
    [0, near],
    [near - far, far],
    [-far, far - near],
    [-near, 0],
    [-far, near - far],
    [near - far, -far],
  ]
  return `M${arms.map(([x, y]) => `${x!.toFixed(2)},${y!.toFixed(2)}`).join("L")}Z`
}

/** Path of the marker of a line, centred on 0, 0. */
export function markerPath(line: number, radius: number): string {
  const shape = corners[line % corners.length]
  const r = radius.toFixed(2)
  if (shape.length === 0) return `M${r},0A${r},${r} 0 1 1 -${r},0A${r},${r} 0 1 1 ${r},0Z`
  return `M${shape.map(([x, y]) => `${(x * radius).toFixed(2)},${(y * radius).toFixed(2)}`).join("L")}Z`
}

/** Dark blue over grey to yellow for 0..1, linear between measured stops of cividis. */
const stops = [
  "#00224e",
  "#123570",
  "#3b496c",
  "#575d6d",
  "#707173",
  "#8a8678",
  "#a59c74",
  "#c3b369",
  "#e1cc55",
  "#fee838",
]
export function heat(fraction: number): string {
  const at = Math.min(1, Math.max(0, Number.isNaN(fraction) ? 0 : fraction)) * (stops.length - 1)
  const i = Math.min(stops.length - 2, Math.floor(at))
  const mix = (from: number): number => {
    const [a, b] = [stops[i], stops[i + 1]].map((s) => Number.parseInt(s.slice(from, from + 2), 16))
    return Math.round(a! + (b! - a!) * (at - i))
  }
  return `#${[1, 3, 5].map((from) => mix(from).toString(16).padStart(2, "0")).join("")}`
}
