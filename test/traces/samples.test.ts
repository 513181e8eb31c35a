// Traces of other people, where they are at hand: what is read of each must equal the summary beside it, field by
// field.
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { main } from "../../src/cli/program.ts"
import { partsOf, sourcesOf } from "../../src/experiment/disk/trace-files.ts"
import { plainPaint } from "../../src/terminal/paint.ts"
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

/** Definitions explain the values in words: their names count, not their words. */
function values({ definitions, ...rest }: Json): Json {
  return { ...rest, definitions: Object.keys(definitions ?? {}) }
}

function pair(name: string): [string, string] {
  const path = `chakra/astra-sim_${name}_1MB`
  return [`${path}.tar.gz`, `${path}.summary.json`]
}

describe.runIf(there)("samples", () => {
  test.each([
    ["dumpi/testtrace.tar.gz", "dumpi/testtrace.summary.json"],
    ["dumpi/df_AMG_n27_dumpi.tar.gz", "dumpi/df_AMG_n27.summary.json"],
    ["dumpi/single-rank/BigFFT.bin.gz", "dumpi/single-rank/BigFFT.summary.json"],
    ["dumpi/single-rank/MultiGrid.bin.gz", "dumpi/single-rank/MultiGrid.summary.json"],
    ...[
      "all_gather_4npus",
      "all_gather_8npus",
      "all_reduce_4npus",
      "all_reduce_8npus",
      "all_to_all_4npus",
      "all_to_all_8npus",
    ].map(pair),
    ...["reduce_scatter_4npus", "reduce_scatter_8npus", "custom_ring_allreduce_8npus"].map(pair),
    ["ti/simgrid_ti_traces_32_1.tar.gz", "ti/simgrid_ti_traces_32_1.summary.json"],
  ])("%s", async (path, summary) => {
    expect(values(await summaryOf(path))).toEqual(values(expected(summary)))
  })
  test.each([
    ["goal", "goal/summary.json"],
    ["ai", "ai/aicb.summary.json"],
  ])("every file of %s", async (folder, summary) => {
    const all = Object.entries(expected(summary))
    expect(all.length).toBeGreaterThan(4)
    for (const [file, says] of all) expect([file, await summaryOf(`${folder}/${file}`)]).toEqual([file, says])
  })
  test.each([
    ["ai/simai_workload_analytical_9216gpus.txt.gz", { ranks: 9216, layers: 1789 }],
    ["ai/simai_GPT13B_megatron_tp8_pp1_sp_A100.txt", { ranks: 8, layers: 172 }],
    ["matrices/htsim/perm_1024n_1024c_0u_2000000b.cm", { ranks: 1024, flows: 1024, bytes: 2_048_000_000 }],
    ["matrices/htsim/incast.cm", { ranks: 16, flows: 15, pairs: 15 }],
    ["matrices/maplib_amg_64.size.csv", { ranks: 64 }],
    ["matrices/projector_tors_128_probabilities.csv.gz", { ranks: 128 }],
  ])("%s, which has no summary beside it", async (path, some) => {
    expect(await summaryOf(path)).toMatchObject(some)
  })
  test("a Chakra trace whose nodes depend on some that are not in it: its summary, and the complaint", async () => {
    // the file is called as in the archive that it was taken from
    const [part] = await partsOf(join(shared, "chakra/mlcommons_feeder_chakra.0.et.gz"))
    const { trace } = await readTrace("feeder", sourcesOf([{ ...part!, name: "chakra.0.et.gz" }]), { digests: true })
    expect(JSON.parse(JSON.stringify(trace!.summary))).toEqual(
      expected("chakra/mlcommons_feeder_chakra.0.summary.json"),
    )
    expect(trace!.bad.map((c) => [c.path, c.says])).toEqual([
      ["chakra.0.et, node 216 (aten::flatten_dense_tensors(0))", "depends on node 3, which is not there"],
    ])
  })
  test.each(["stencil4d-64", "sst-macro_mpi_coverage-10"])("otf2/%s, as otf2-print prints it", async (name) => {
    const folder = mkdtempSync(join(tmpdir(), "lacewing-otf2-"))
    try {
      execFileSync("tar", ["xzf", join(shared, `otf2/${name}.otf2.tar.gz`), "-C", folder])
      const printed = spawnSync(process.env["OTF2_PRINT"] ?? "otf2-print", ["-A", join(folder, name, "traces.otf2")], {
        maxBuffer: 2 ** 28,
      })
      if (printed.error !== undefined)
        return console.log("skipped: otf2-print is not installed (Debian: otf2-tools; or OTF2_PRINT=/path/to/it)")
      writeFileSync(join(folder, "printed.txt"), printed.stdout)
      const { trace } = await readTrace(name, sourcesOf(await partsOf(join(folder, "printed.txt"))))
      expect(trace!.bad).toEqual([])
      expect(JSON.parse(JSON.stringify(trace!.summary))).toEqual(expected(`otf2/${name}.summary.json`))
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
  test.each([
    ["dumpi/df_AMG_n27_dumpi.tar.gz", "dumpi/df_AMG_n27.summary.json", ["no MPI_Finalize in 27 ranks"]],
    ["dumpi/single-rank/BigFFT.bin.gz", "dumpi/single-rank/BigFFT.summary.json", ["8 of 9 ranks are missing"]],
    [
      "dumpi/single-rank/MultiGrid.bin.gz",
      "dumpi/single-rank/MultiGrid.summary.json",
      ["124 of 125 ranks are missing"],
    ],
    ["ti/simgrid_ti_traces_32_1.tar.gz", "ti/simgrid_ti_traces_32_1.summary.json", []],
  ])(
    "lacewing trace check %s --json: the summary, and complaints where it is incomplete; exit code 0",
    async (path, summary, says) => {
      let out = ""
      const io = {
        out: (t: string) => void (out += t),
        err: () => {},
        raw: () => {},
        paint: plainPaint,
        live: false,
        width: 100,
      }
      expect(await main(["trace", "check", join(shared, path), "--json"], io)).toBe(0)
      const {
        ok,
        format: _,
        complaints,
        checks,
        ...rest
      } = JSON.parse(out) as Json & { complaints: { says: string }[] }
      expect([ok, values(rest)]).toEqual([true, values(expected(summary))])
      expect(complaints.map((c) => c.says)).toEqual(says.map((t) => expect.stringContaining(t)))
      expect(checks).toHaveProperty("missingRanks")
    },
  )
})
