// Fuzz target: lock.json of a results folder. Any content must be respected or taken over, and must never block a
// reader.
import { lock } from "../../../dist/results/lock.js"
import { ask, dir, on, prepare, withFile } from "../folder.mjs"
import { mutateBytes, mutateData } from "../mutate.mjs"

const holder = { pid: 2 ** 30, host: "elsewhere", since: "2026-01-01T00:00:00.000Z", born: "1" }

export default {
  prepare,
  async read(random, { disk, texts }) {
    const data = Buffer.from(JSON.stringify(mutateData(random, holder)) ?? "")
    const made = withFile(disk, "lock.json", random.chance(0.5) ? data : mutateBytes(random, data))
    if (random.chance(0.02)) return ask(random, made, texts)
    await on(made, async () => {
      const got = lock(dir)
      if ("ok" in got) got.ok.release()
      else if (got.bad.length !== 1) throw new Error("a refusal without a reason")
    })
  },
}
