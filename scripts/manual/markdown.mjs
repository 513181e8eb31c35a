// Converts Markdown to HTML: headings with anchors, links to pages of the manual, code words that have a page, tables
// that scroll.
import MarkdownIt from "markdown-it"

const anchorOf = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, "")
    .trim()
    .replace(/\s+/g, "-")

export function markdown(text, { link, code, kept }) {
  const md = new MarkdownIt({ html: false, linkify: false, typographer: false })
  const { rules } = md.renderer
  const plain = md.utils.escapeHtml
  const used = new Map()
  let inLink = 0
  const dropped = []
  rules.heading_open = (tokens, i) => {
    const name = anchorOf(tokens[i + 1].children.map((t) => t.content).join(""))
    const times = used.get(name) ?? 0
    used.set(name, times + 1)
    return `<${tokens[i].tag} id="${plain(times === 0 ? name : `${name}-${times}`)}">`
  }
  rules.link_open = (tokens, i) => {
    const to = link(tokens[i].attrGet("href"))
    dropped.push(to === undefined)
    inLink++
    return to === undefined ? "" : `<a href="${plain(to)}">`
  }
  rules.link_close = () => {
    inLink--
    return dropped.pop() ? "" : "</a>"
  }
  rules.image = (tokens, i) => {
    const to = link(tokens[i].attrGet("src"))
    return to === undefined ? plain(tokens[i].content) : `<img src="${plain(to)}" alt="${plain(tokens[i].content)}">`
  }
  rules.code_inline = (tokens, i) => {
    const content = tokens[i].content
    const to = inLink > 0 ? undefined : code(content)
    const shown = `<code>${plain(content)}</code>`
    return to === undefined ? shown : `<a href="${plain(to)}">${shown}</a>`
  }
  rules.fence = (tokens, i) => {
    const language = tokens[i].info.trim()
    const block = `<pre tabindex="0"><code>${plain(tokens[i].content)}</code></pre>\n`
    if (language !== "sh") return block
    const outputs = tokens[i].content
      .split("\n")
      .map((line) => line.replace(/\s+#.*$/, "").trim())
      .map((command) => [command, kept(command)])
      .filter(([, text]) => text !== undefined)
    return (
      block +
      outputs
        .map(
          ([command, text]) =>
            `<details class="kept"><summary>What <code>${plain(command)}</code> ` +
            `printed</summary><pre tabindex="0"><code>${plain(text)}</code></pre></details>\n`,
        )
        .join("")
    )
  }
  // A table head without words is omitted.
  const cell = (inline, tag) => (inline.content === "" ? "td" : tag)
  rules.th_open = (tokens, i, _options, _env, self) => `<${cell(tokens[i + 1], "th")}${self.renderAttrs(tokens[i])}>`
  rules.th_close = (tokens, i) => `</${cell(tokens[i - 1], "th")}>`
  let tables = 0
  rules.table_open = () => `<div class="table" tabindex="0" role="region" aria-label="Table ${++tables}"><table>\n`
  rules.table_close = () => "</table></div>\n"
  return md.render(text)
}
