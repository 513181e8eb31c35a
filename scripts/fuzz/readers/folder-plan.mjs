// Fuzz target: plan.json of a results folder, with damaged bytes and with forged content that has a correct checksum.

import { checksumMap } from "../../../dist/results/checksum.js"
import { nodeDigest } from "../../../dist/results/disk.js"
import { ask, dir, prepare, withFile } from "../folder.mjs"
import { mutateBytes, mutateData } from "../mutate.mjs"

export default {
  prepare,
  async read(random, { disk, runs, texts }) {
    let made = mutateBytes(random, disk.files.get(`${dir}/plan.json`).data)
    if (random.chance(0.5)) {
      const forged = mutateData(random, { runs: runs.map((r) => r.hash) })
      made = Buffer.from(
        JSON.stringify(typeof forged === "object" && forged !== null ? checksumMap(forged, nodeDigest) : forged) ?? "",
      )
    }
    await ask(random, withFile(disk, "plan.json", made), texts)
  },
}
