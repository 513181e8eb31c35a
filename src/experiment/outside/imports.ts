// Finds the imports of a module in its text: static imports, `export … from`, `import (…)` and `require(…)`. It is a
// tokeniser, not a parser. It knows comments, strings, templates and regular expressions, so that words inside them are
// not taken for imports. Type-only imports are left out.

/** A word, a sign, or a string with its quotes. */
type Token = string

/** Stands for the address of an `import (…)` that is computed at run time. */
export const computed = "an address that is computed"

const quotes = new Set(['"', "'"])
/** A slash after one of these words starts a regular expression. */
const beforeExpression = new Set(
  "return typeof instanceof in of new delete void throw case do else await yield import export default".split(" "),
)

/** Returns the addresses that a module imports, in the order of its text. */
export function importsIn(text: string): string[] {
  const tokens = tokensOf(text)
  const found: string[] = []
  tokens.forEach((token, i) => {
    if (tokens[i - 1] === ".") return
    const next = tokens[i + 1]
    if ((token === "import" || token === "require") && next === "(") {
      const given = tokens[i + 2]
      const alone = isText(given) && (tokens[i + 3] === ")" || tokens[i + 3] === ",")
      if (alone) found.push(given.slice(1, -1))
      // A method may be called `require`, but a call of `import` is always an import.
      else if (token === "import") found.push(computed)
    } else if (token === "import" && isText(next)) found.push(next.slice(1, -1))
    else if (token === "import" || token === "export") found.push(...fromIn(tokens, i + 1))
  })
  return found
}

/** Returns the address after `from`, if only names and braces precede it. */
function fromIn(tokens: readonly Token[], at: number): string[] {
  const onlyTypes =
    tokens[at] === "type" && tokens[at + 1] !== "," && !(tokens[at + 1] === "from" && isText(tokens[at + 2]))
  for (let i = at; i < tokens.length; i++) {
    const [token, next] = [tokens[i], tokens[i + 1]]
    if (token === "from" && isText(next)) return onlyTypes ? [] : [next.slice(1, -1)]
    if (!(token === "{" || token === "}" || token === "," || token === "*" || isText(token) || isWord(token))) return []
    // `export const a = …`, `export default …`, `import` as the name of a key
    if (i === at && /^(const|let|var|function|class|async|default|interface|enum)$/.test(token)) return []
  }
  return []
}

function isText(token: Token | undefined): token is Token {
  return token !== undefined && quotes.has(token[0])
}

function isWord(token: Token): boolean {
  return /^[\w$\u0080-\uffff]/.test(token)
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  /** for each open template: the number of open braces inside its current `${` */
  const templates: number[] = []
  const next =
    /\s+|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[\w$\u0080-\uffff]+|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?|[\s\S]/y
  const template = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(`|\$\{|$)/y
  const regular = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y
  let at = 0
  const take = (how: RegExp): RegExpExecArray | null => {
    how.lastIndex = at
    const got = how.exec(text)
    if (got !== null) at = how.lastIndex
    return got
  }
  /** reads the rest of a template, up to its end or to the code inside it */
  const rest = (): void => {
    if (take(template)?.[1] === "${") templates.push(0)
    else tokens.push("``")
  }
  while (at < text.length) {
    if (
      text[at] === "/" &&
      text[at + 1] !== "/" &&
      text[at + 1] !== "*" &&
      opensExpression(tokens.at(-1)) &&
      take(regular) !== null
    ) {
      tokens.push("//")
      continue
    }
    const token = take(next)![0]
    if (/^(\s|\/\/|\/\*)/.test(token)) continue
    if (token === "`") rest()
    else if (token === "}" && templates.at(-1) === 0) {
      templates.pop()
      rest()
    } else {
      if (templates.length > 0 && (token === "{" || token === "}"))
        templates[templates.length - 1] += token === "{" ? 1 : -1
      tokens.push(token)
    }
  }
  return tokens
}

/** Returns true if a slash after this token starts a regular expression; otherwise it is a division. */
function opensExpression(before: Token | undefined): boolean {
  if (before === undefined) return true
  if (isWord(before)) return beforeExpression.has(before)
  return !(isText(before) || before === ")" || before === "]" || before === "}" || before === "``" || before === "//")
}
