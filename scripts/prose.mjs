// The prose check of `npm run lint`: reads every text that a user or a contributor meets, and reports words with a
// private meaning, sentences above 40 words, pages with long sentences, long lines and wide tables.
//   node scripts/prose.mjs [--counts] [FILE …]
// `--counts` prints the length of each page and its mean sentence instead. The rules are in scripts/prose/rules.mjs,
// exceptions with their reasons in scripts/prose/exceptions.mjs.
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { countsOf, findings, kindOf, texts } from "./prose/check.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const args = process.argv.slice(2)
const named = args.filter((a) => !a.startsWith("--"))
const files = named.length > 0 ? named : texts(root)
if (args.includes("--counts")) {
  for (const file of files) {
    if (kindOf(file) !== "page") continue
    const { words, sentences, mean, longest } = countsOf(readFileSync(`${root}/${file}`, "utf8"))
    console.log(`${file}\t${words} words\t${sentences} sentences\tmean ${mean.toFixed(1)}\tlongest ${longest}`)
  }
} else {
  const found = files.flatMap((file) => findings(file, readFileSync(`${root}/${file}`, "utf8")))
  for (const { file, line, message } of found) console.log(`${file}:${line} ${message}`)
  if (found.length > 0) {
    console.log(`prose: ${found.length} findings in ${files.length} files. CONTRIBUTING.md explains the rules.`)
    process.exit(1)
  }
}
