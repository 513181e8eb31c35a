// Colours of the pictures: one set for dark and one for light. Utilisation is the lightness of one hue, in sixteen
// steps. Warm colours mean trouble: blocked links and old packets. Only a deadlock has the colour `dead`.
export const STEPS = 16

export interface Ink {
  readonly back: string
  readonly line: string
  readonly strong: string
  readonly soft: string
  readonly faint: string
  readonly accent: string
  readonly warn: string
  readonly dead: string
  /** Fill under white text. */
  readonly deadFill: string
  readonly node: string
  readonly nodeLine: string
  readonly sides: Readonly<Record<string, string>>
  readonly heat: readonly string[]
  /** Young to old packets. */
  readonly ages: readonly string[]
  readonly sources: readonly string[]
}

const dark: Ink = {
  ...{ back: "#10151f", line: "#334055", strong: "#eef3fb", soft: "#a9b6c9", faint: "#7f8da3", accent: "#7cc4ff" },
  ...{ warn: "#ff8a4c", dead: "#ff4f7b", deadFill: "#d3265b", node: "#2b3648", nodeLine: "#6c7d97" },
  sides: { A: "#c9b0ff", B: "#4fe0c3" },
  heat: ramp(["#1f2938", "#3f587c", "#8fb2e8", "#e4eeff"], STEPS),
  ages: ramp(["#5cc8ff", "#ffe08a", "#ff7a3d"], 12),
  sources: ["#56b4e9", "#e69f00", "#009e73", "#f0e442", "#cc79a7", "#d55e00", "#9db7ff", "#b8e986", "#e8e8e8"],
}
const light: Ink = {
  ...{ back: "#ffffff", line: "#bcc6d4", strong: "#0f1826", soft: "#46546a", faint: "#5f6c82", accent: "#0b62c4" },
  ...{ warn: "#c24400", dead: "#c4134f", deadFill: "#c4134f", node: "#ffffff", nodeLine: "#5b6b82" },
  sides: { A: "#6a3fd0", B: "#00786a" },
  heat: ramp(["#dfe5ee", "#a9bbd3", "#5d7ba6", "#1f3a63"], STEPS),
  ages: ramp(["#2b8fd9", "#b58100", "#9a2e00"], 12),
  sources: ["#0072b2", "#b87700", "#00755a", "#8a7d00", "#a8447c", "#b84700", "#4453c4", "#4d7a12", "#333333"],
}

export const inkOf = (isDark: boolean): Ink => (isDark ? dark : light)
export const palette = (isDark: boolean): readonly string[] => inkOf(isDark).heat

/** Returns the step of a byte. Step 0 is idle, so that any load is visible. */
export const stepOf = (byte: number): number => (byte === 0 ? 0 : Math.max(1, byte >> 4))
/** Returns the colour step of an age in cycles: 12 logarithmic steps from 25 to 400. */
export const ageStep = (age: number): number =>
  Math.max(0, Math.min(11, Math.round((Math.log2(Math.max(1, age) / 25) / 4) * 11)))
/** The colours of congestion trees, by their roots. */
export const treeColours = ["#8e24aa", "#1e88e5", "#c39a00", "#00a078", "#5c6bc0", "#8d6e63"]

export function rgbOf(hex: string): number[] {
  return [1, 3, 5].map((i) => Number.parseInt(hex.slice(i, i + 2), 16))
}

/** Returns `n` colours between the stops. */
function ramp(stops: readonly string[], n: number): string[] {
  const colours = stops.map(rgbOf)
  return Array.from({ length: n }, (_, i) => {
    const x = (i / (n - 1)) * (colours.length - 1)
    const k = Math.min(colours.length - 2, Math.floor(x))
    const mixed = colours[k].map((v, j) => Math.round(v + (colours[k + 1][j] - v) * (x - k)))
    return `#${mixed.map((v) => v.toString(16).padStart(2, "0")).join("")}`
  })
}
