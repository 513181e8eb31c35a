// Fuzzes link fragments of the studio: each must give a result without an exception.
//   node scripts/fuzz-link.mjs [COUNT] [SEED]       default: 100,000
import { rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { rolldown } from "rolldown"

const root = fileURLToPath(new URL("..", import.meta.url))
const file = join(tmpdir(), `lacewing-link-${process.pid}.mjs`)
const bundle = await rolldown({ cwd: root, input: "./studio/shared/link.ts", platform: "node", logLevel: "silent" })
await bundle.write({ file, format: "esm" })
const { fragmentOf, readFragment } = await import(pathToFileURL(file).href)
rmSync(file)
const count = Number(process.argv[2] ?? 100_000)
let state = Number(process.argv[3] ?? 1) >>> 0
const below = (n) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return Math.floor((state / 2 ** 32) * n)
}
const good = await fragmentOf({
  form: 2,
  version: "0.1.0",
  text: "lacewing: 1\nnetwork: { topology: torus }\n",
  run: 0,
  cycle: 77,
  heat: "queue",
  fingerprint: "00",
  selected: { side: "A", kind: "packet", key: 7, from: 1, createdAt: 3 },
  other: { set: ["a=1"], cycle: 3, fingerprint: "01" },
})
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ %\u0000é"
let accepted = 0
for (let i = 0; i < count; i++) {
  let text =
    below(3) === 0 ? Array.from({ length: below(300) }, () => letters[below(letters.length)]).join("") : good.ok
  for (let k = 0; k < 1 + below(4); k++) {
    const at = below(text.length + 1)
    const how = below(4)
    const letter = letters[below(letters.length)]
    text =
      how === 0
        ? text.slice(0, at)
        : how === 1
          ? text.slice(0, at) + letter + text.slice(at + 1)
          : how === 2
            ? text.slice(0, at) + letter + text.slice(at)
            : text.slice(at) + text.slice(0, at)
  }
  const read = await readFragment(text)
  if ("ok" in read) accepted++
  else if (typeof read.bad !== "string" || read.bad === "") throw new Error(`no word about ${JSON.stringify(text)}`)
}
console.log(`${count} fragments, ${accepted} accepted, no exception`)
