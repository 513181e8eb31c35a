// Detects which program a file belongs to, before an importer complains about every line of a file that was never meant
// for it.

/** The detected format of a text: the program that reads it, and the next step for the user. */
export interface Look {
  readonly tool: "booksim2" | "codes" | "lacewing" | undefined
  readonly says: string
  readonly fix: string
}

const elsewhere = "there is no importer for it: write the experiment by hand, starting from `lacewing init`"

const signs: readonly (readonly [RegExp, Look["tool"], string])[] = [
  [/^\s*(LPGROUPS|PARAMS)\b[\s\S]*\{/m, "codes", "a configuration of CODES"],
  [/^\s*lacewing\s*:/m, "lacewing", "an experiment of lacewing"],
  [/^\s*(import\s+sst|from\s+sst)\b/m, undefined, "a Python script of SST"],
  [/^\s*Configuration\s*\{/m, undefined, "a configuration of CAMINOS"],
  [/^\s*\{[\s\S]*"(simulator|network)"\s*:/, undefined, "a JSON configuration, as SuperSim has them"],
  [/^\s*<(\?xml|graphml|adag)/, undefined, "an XML document"],
  [/^\s*\*?\*?\.?[\w.*]+\s*=\s*[^;\n]*$[\s\S]*^\[General\]|^\s*\[General\]/m, undefined, "a configuration of OMNeT++"],
]

export function lookOf(text: string): Look {
  if (text.includes("\0"))
    return { tool: undefined, says: "a binary file", fix: "give the text that the program reads" }
  if (text.trim() === "") return { tool: undefined, says: "an empty file", fix: "give the file that the program reads" }
  const sign = signs.find(([pattern]) => pattern.test(text))
  if (sign !== undefined) {
    const [, tool, says] = sign
    return {
      tool,
      says,
      fix:
        tool === "lacewing"
          ? "run it: lacewing run FILE"
          : tool === undefined
            ? elsewhere
            : `lacewing import ${tool} FILE`,
    }
  }
  // key = value; and nothing else
  const statements = text
    .replaceAll(/\/\/.*$/gm, "")
    .split(";")
    .map((s) => s.trim())
    .filter((s) => s !== "")
  const fitting = statements.filter((s) => /^\w+\s*=\s*\S/.test(s)).length
  if (text.includes(";") && 2 * fitting > statements.length)
    return { tool: "booksim2", says: "a configuration of BookSim2", fix: "lacewing import booksim2 FILE" }
  return {
    tool: undefined,
    says: "no configuration of BookSim2 nor of CODES",
    fix: "BookSim2's has lines such as topology = mesh; and CODES' blocks such as PARAMS { … }",
  }
}
