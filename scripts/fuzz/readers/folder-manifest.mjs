// Fuzz target: manifest.json of a results folder, with damaged bytes and with forged content that has a correct
// checksum.

import { checksumMap } from "../../../dist/results/checksum.js"
import { nodeDigest } from "../../../dist/results/disk.js"
import { ask, dir, prepare, withFile } from "../folder.mjs"
import { mutateBytes, mutateData } from "../mutate.mjs"

export default {
  prepare,
  async read(random, { disk, texts }) {
    const { data } = disk.files.get(`${dir}/manifest.json`)
    let made = mutateBytes(random, data)
    if (random.chance(0.6)) {
      const { sha256: _, ...map } = JSON.parse(Buffer.from(data).toString())
      const forged = mutateData(random, random.chance(0.2) ? { ...map, format: 1 } : map)
      made = Buffer.from(
        JSON.stringify(typeof forged === "object" && forged !== null ? checksumMap(forged, nodeDigest) : forged) ?? "",
      )
    }
    await ask(random, withFile(disk, "manifest.json", made), texts)
  },
}
