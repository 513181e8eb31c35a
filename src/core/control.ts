// Characters that a terminal obeys instead of showing: escape sequences, other control characters, and marks that turn
// the direction of writing. They have no business in titles, names and values, and must not reach a terminal from
// there.

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\r(?!\n)/g

/** Any control character besides tabs and ends of lines. */
export function hasControls(text: string): boolean {
  controls.lastIndex = 0
  return controls.test(text)
}

/** Every such character as \u001b: it can be seen, and stays the same text inside JSON. */
export function withoutControls(text: string): string {
  return text.replace(controls, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`)
}
