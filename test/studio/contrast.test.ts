// The colours of the studio against its cards, by the formula of WCAG 2.2 (relative luminance and contrast ratio).
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { root } from "../support/build.ts"

const css = readFileSync(join(root, "studio/page/style.css"), "utf8")

/** The tokens of a theme: those of the first block whose selector names it. */
function tokens(theme: string): ReadonlyMap<string, string> {
  const block = new RegExp(`\\[data-theme="${theme}"\\] \\{([^}]*)\\}`).exec(css)?.[1] ?? ""
  return new Map([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, colour]) => [name, colour]))
}

function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const x = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}

test("black on white has the contrast 21", () => expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5))

describe.each(["dark", "light"])("%s", (theme) => {
  const all = tokens(theme)
  test.each(["ink", "soft", "faint", "warn", "dead", "a", "b", "accent"])("%s on a card is readable", (name) => {
    expect(contrast(all.get(name) ?? "", all.get("card") ?? "")).toBeGreaterThanOrEqual(4.5)
  })
  test("white on the colour of a deadlock is readable", () => {
    expect(contrast("#ffffff", all.get("dead-fill") ?? "")).toBeGreaterThanOrEqual(4.5)
  })
})
