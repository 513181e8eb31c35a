// Fuzz target: price lists.
import { bookText } from "../../../dist/inspect/pricebook-file.js"
import { textOf } from "../small.mjs"
import { changedTexts } from "../texts.mjs"

const seeds = [
  "base: by-length\nrouter: { price: 100, ports: 36 }\n",
  "name: mine\ncables: [{ medium: electrical, upTo: 3m, price: 5 }, { medium: optical, " +
    "price: 50, perMetre: 2 }]\n" +
    "layout: { routers: 16, width: 80cm }\n",
  '{"base":"fitfly-edr"}',
]

function read(bytes) {
  bookText("fuzz.yaml", textOf(bytes))
}

export default changedTexts(seeds, read)
