// HTML as text with everything escaped unless it is marked as markup.

export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = string | number | Markup | undefined | readonly (string | number | Markup | undefined)[]

/** html`<b>${name}</b>`: values are escaped, markup and lists of markup are not. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.map((s, i) => s + (i < parts.length ? textOf(parts[i]) : "")).join(""))
}

export function raw(text: string): Markup {
  return new Markup(text)
}

function textOf(part: Part): string {
  if (part === undefined) return ""
  if (part instanceof Markup) return part.text
  if (typeof part === "string" || typeof part === "number") return escapeHtml(String(part))
  return part.map(textOf).join("")
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)
}

/** JSON inside a script element: nothing in it can end the element. */
export function jsonIn(value: unknown): Markup {
  return new Markup(JSON.stringify(value).replaceAll("<", "\\u003c"))
}
