// Traces of other people, where they are at hand: what is read of each must equal the summary beside it, field by field.
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { partsOf, sourcesOf } from "../../src/experiment/disk/trace-files.ts"
import { readTrace } from "../../src/workloads/formats/read.ts"

const shared = join(dirname(fileURLToPath(import.meta.url)), "../../../shared/traces")
const there = existsSync(shared)
if (!there) console.log("skipped: samples of traces are not beside the project (../shared/traces)")

type Json = Record<string, unknown>
async function summaryOf(path: string): Promise<Json> {
  const { trace, bad } = await readTrace(path, sourcesOf(await partsOf(join(shared, path))), { digests: true })
  expect(bad).toEqual([])
  expect(trace!.bad).toEqual([])
  return JSON.parse(JSON.stringify(trace!.summary)) as Json
}
const expected = (path: string) => JSON.parse(readFileSync(join(shared, path), "utf8")) as Json

describe.runIf(there)("samples", () => {
  test.each([
    ["dumpi/testtrace.tar.gz", "dumpi/testtrace.summary.json"],
    ["dumpi/df_AMG_n27_dumpi.tar.gz", "dumpi/df_AMG_n27.summary.json"],
    ["dumpi/single-rank/BigFFT.bin.gz", "dumpi/single-rank/BigFFT.summary.json"],
    ["dumpi/single-rank/MultiGrid.bin.gz", "dumpi/single-rank/MultiGrid.summary.json"],
  ])("%s", async (path, summary) => {
    expect(await summaryOf(path)).toEqual(expected(summary))
  })
})
