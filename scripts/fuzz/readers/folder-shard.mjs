// Fuzz target: the Parquet files of a results folder, damaged, with and without the manifest.
import { ask, dir, prepare, withFile } from "../folder.mjs"
import { mutateBytes } from "../mutate.mjs"

export default {
  prepare,
  async read(random, { disk, texts }) {
    const path = random.pick([...disk.files.keys()].filter((p) => p.endsWith(".parquet"))).slice(dir.length + 1)
    const made = mutateBytes(random, disk.files.get(`${dir}/${path}`).data)
    await ask(random, withFile(disk, path, made, random.chance(0.5) ? ["manifest.json"] : []), texts)
  },
}
