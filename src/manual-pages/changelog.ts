// The change log of the manual: the fragments of changes/ that wait for the next release, newest first, and then
// CHANGELOG.md. The first sentence of a fragment is the one for users; the rest follows it. scripts/manual.mjs and
// scripts/changelog.mjs call it.

export interface Fragment {
  readonly file: string
  readonly text: string
}

/** Returns the page. `released` is the text of CHANGELOG.md, without the fragments. */
export function changelog(fragments: readonly Fragment[], released: string): string {
  const parts = [...fragments]
    .filter((f) => /^\d{4}-.+\.md$/.test(f.file))
    .sort((a, b) => (a.file < b.file ? 1 : -1))
    .map(({ file, text }) => `### ${titleOf(file)}\n\n${text.trim().replace(/^(#+) /gm, "###$1 ")}\n`)
  if (parts.length === 0) return released
  const [head, ...releases] = released.split(/^(?=## )/m)
  return [head, `## Since the last entry\n\n${parts.join("\n")}\n`, ...releases].join("")
}

/** Returns a title: `0046-congestion-arena.md` -> `46. Congestion arena` */
function titleOf(file: string): string {
  const [, number, words] = /^(\d{4})-(.+)\.md$/.exec(file)!
  const text = words.replaceAll("-", " ")
  return `${Number(number)}. ${text[0].toUpperCase()}${text.slice(1)}`
}
