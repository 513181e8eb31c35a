// The change log: the fragments of changes/, newest first. A fragment's first sentence is what a user notices; the rest follows it.

export interface Fragment {
  readonly file: string
  readonly text: string
}

export function changelog(fragments: readonly Fragment[], version: string): string {
  const parts = [...fragments]
    .filter((f) => /^\d{4}-.+\.md$/.test(f.file))
    .sort((a, b) => (a.file < b.file ? 1 : -1))
    .map(({ file, text }) => `## ${titleOf(file)}\n\n${text.trim().replace(/^(#+) /gm, "##$1 ")}\n`)
  return `# Changes\n\nSince the first version, newest first; all of it is in ${version}. Each part is one fragment of \`changes/\`.\n\n${parts.join("\n")}`
}

/** `0046-congestion-arena.md` -> `46. Congestion arena` */
function titleOf(file: string): string {
  const [, number, words] = /^(\d{4})-(.+)\.md$/.exec(file)!
  const text = words!.replaceAll("-", " ")
  return `${Number(number)}. ${text[0]!.toUpperCase()}${text.slice(1)}`
}
