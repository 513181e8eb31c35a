// Mutates texts that users write: changes a few places, by bytes and by words that are meaningful to a reader.
import { mutateBytes } from "./mutate.mjs"

const words = [
  ...[
    "null",
    "[]",
    "{}",
    "-1",
    "1e999",
    "NaN",
    "0",
    '""',
    "&a",
    "*a",
    "__proto__",
    "constructor",
    "toString",
    ".",
    "=",
    "\u001b[31m",
    "\ud83d\ude00",
  ],
  ...[
    "true",
    "99999999999",
    "1e-300",
    "'",
    ": ",
    "- ",
    "<!--",
    "-->",
    "!!js/function",
    "? ",
    "|",
    ">",
    "%",
    "length",
    "name",
    "file",
    "--",
    "\n",
  ],
  ...[
    "any.shortest",
    "mesh",
    "slimfly",
    "graph",
    "crossbar",
    "tiled",
    "queue-pairs",
    "packet",
    "rails",
    "chunk",
    "x".repeat(500),
    "9".repeat(40),
  ],
]
const numbers = [0, -1, 1e9, 0.5, 1e-9, 2 ** 31, 2 ** 53, 7]

function changed(random, text) {
  const at = random.int(text.length + 1)
  const end = Math.min(text.length, at + random.int(8))
  const kind = random.int(5)
  if (kind === 0) return text.slice(0, at) + random.pick(words) + text.slice(end)
  if (kind === 1) return text.slice(0, at) + text.slice(at, end).repeat(random.int(50)) + text.slice(end)
  if (kind === 2) return text.replace(/\d+(\.\d+)?/g, (x) => (random.chance(0.75) ? x : String(random.pick(numbers))))
  if (kind === 3) return text.replace(/\b[a-z][a-z-]+\b/g, (x) => (random.chance(0.88) ? x : random.pick(words)))
  return text.slice(0, at) + random.pick([..."01-ex,{}[]\n "]) + text.slice(at)
}

/** `read` is a function of bytes. It must not throw and must not take too long. */
export function changedTexts(seeds, read) {
  return {
    prepare: () => seeds,
    async read(random, texts) {
      let text = random.pick(texts)
      if (random.chance(0.2)) return read(mutateBytes(random, Buffer.from(text)))
      for (let n = 1 + random.int(5); n > 0; n--) text = changed(random, text)
      await read(new Uint8Array(Buffer.from(text)))
    },
  }
}
