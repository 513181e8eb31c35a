// The colour scale of heat. It has sixteen steps that also differ in lightness, for colour-blind readers and for
// prints.
export const STEPS = 16

const light = [
  "#c9ced6",
  "#b9c6d8",
  "#a5bfdc",
  "#8db6de",
  "#72acdd",
  "#56a0d6",
  "#3d92c8",
  "#2f83b3",
  "#46789a",
  "#776f7c",
  "#a0645e",
  "#bf5745",
  "#d24830",
  "#cf3722",
  "#b32418",
  "#86130f",
]
const dark = [
  "#2b3340",
  "#2b3d52",
  "#2a4a68",
  "#27597f",
  "#226a96",
  "#207cab",
  "#2b8fbb",
  "#46a1c4",
  "#6cb2c3",
  "#97c0b4",
  "#bfc898",
  "#dfca74",
  "#f2c04f",
  "#fbab3c",
  "#ff8f3a",
  "#ff6b4a",
]

export function palette(isDark: boolean): readonly string[] {
  return isDark ? dark : light
}

/** Returns the step of a byte. Step 0 is idle, so that any load is visible. */
export const stepOf = (byte: number): number => (byte === 0 ? 0 : Math.max(1, byte >> 4))
/** The colours of highlighted objects: a selected channel, a chain, trees by their roots. */
export const chosenColour = (isDark: boolean): string => (isDark ? "#ffffff" : "#111111")
export const treeColours = ["#d81b60", "#1e88e5", "#ffc107", "#00a078", "#8e24aa", "#8d6e63"]
/** Colour of a chain or a deadlock cycle; no tree has this red. */
export const chainColour = (isDark: boolean): string => (isDark ? "#ff5252" : "#b32418")
