// Fuzz target: a run in the journal of a results folder, with damaged bytes and with a forged run that has a correct
// checksum. The forged run passes through the tables and a comparison.

import { checksumText } from "../../../dist/results/checksum.js"
import { sheetsOf } from "../../../dist/results/columns.js"
import { compare, usual } from "../../../dist/results/compare/compare.js"
import { nodeDigest } from "../../../dist/results/disk.js"
import { csvOf } from "../../../dist/results/export.js"
import { recordOf, recordText } from "../../../dist/results/json.js"
import { summarise } from "../../../dist/results/summary.js"
import { ask, dir, prepare, withFile } from "../folder.mjs"
import { mutateBytes, mutateData } from "../mutate.mjs"

export default {
  prepare,
  async read(random, { disk, runs, texts }) {
    const path = [...disk.files.keys()].find((p) => p.startsWith(`${dir}/journal/`)).slice(dir.length + 1)
    if (random.chance(0.4))
      return ask(random, withFile(disk, path, mutateBytes(random, disk.files.get(`${dir}/${path}`).data)), texts)
    const mutated = mutateData(random, runs[2])
    // the writer of records receives an object; a file may hold null
    const forged = mutated === null ? "null" : (recordText(mutated) ?? "")
    await ask(random, withFile(disk, path, Buffer.from(random.chance(0.8) ? checksumText(forged, nodeDigest) : forged)))
    const record = recordOf(forged)
    if (record === undefined) return
    for (const sheet of sheetsOf([runs[0], record])) csvOf(sheet)
    summarise([record])
    compare([runs[2]], [record], { ...usual, without: [] })
  },
}
