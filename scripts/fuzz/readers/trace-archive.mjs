// Fuzz target: gzip and tar around traces, and the compact format of lacewing.
import { gzipSync } from "node:zlib"
import { dumpiRing } from "../../../dist/reproduce/peers/bench/dumpi-ring.js"
import { compactOf } from "../../../dist/workloads/formats/compact.js"
import { readTrace } from "../../../dist/workloads/formats/read.js"
import { mutateBytes } from "../mutate.mjs"
import { lookInto } from "../traces.mjs"

function entry(name, data) {
  const head = Buffer.alloc(512)
  head.write(name)
  head.write(`${data.length.toString(8).padStart(11, "0")}\0`, 124)
  head.write("0", 156)
  head.write("ustar\0", 257)
  head.fill(32, 148, 156)
  head.write(
    `${head
      .reduce((a, b) => a + b, 0)
      .toString(8)
      .padStart(6, "0")}\0 `,
    148,
  )
  return Buffer.concat([head, data, Buffer.alloc((512 - (data.length % 512)) % 512)])
}

export default {
  async prepare() {
    const files = [0, 1].map((r) => [`t-000${r}.bin`, dumpiRing(r, 2, 2)])
    const sources = async function* () {
      for (const [name, bytes] of files)
        yield {
          name,
          chunks: (async function* () {
            yield bytes
          })(),
        }
    }
    const { trace } = await readTrace("t", sources)
    const tar = Buffer.concat([...files.map(([n, b]) => entry(n, b)), Buffer.alloc(1024)])
    return { "t.tar": tar, "t.tar.gz": gzipSync(tar), "t.trace": Buffer.concat([...compactOf(trace.program)]) }
  },
  async read(random, seeds) {
    const name = random.pick(Object.keys(seeds))
    await lookInto(random, { [name]: mutateBytes(random, seeds[name]) })
  },
}
