// Creates links from the manual to the studio: experiments of the package and examples of plug-ins, each in the
// fragment of an address.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { rolldown } from "rolldown"
import { givenBy } from "../../dist/cli/studio/given.js"
import { loadPlan } from "../../dist/experiment/load.js"
import { tryOf } from "../../dist/manual-pages/tries.js"
import { packageVersion } from "../../dist/web.js"

/** Maximum number of endpoints that a browser tab can simulate and draw. */
const MOST_ENDPOINTS = 20_000

function fits({ network, engine }, catalog) {
  const { name, ...raw } = network.topology
  const plugin = catalog.plugins.find((p) => p.kind === "topology" && p.name === name)
  const params = plugin?.params.parse(raw, "")
  return (
    engine.name !== "ideal" && params !== undefined && "ok" in params && plugin.size(params.ok).ends <= MOST_ENDPOINTS
  )
}

/** The encoder of studio links, bundled here because its sources are not compiled into dist. */
async function fragments(root) {
  const made = await rolldown({ cwd: root, input: "./studio/shared/link.ts", logLevel: "warn" })
  const { output } = await made.generate({ format: "esm" })
  await made.close()
  return import(`data:text/javascript;base64,${Buffer.from(output[0].code).toString("base64")}`)
}

/**
 * "experiment NAME" and "KIND NAME" -> address relative to the manual. Entries that the studio cannot show have none.
 */
export async function studioLinks(root, catalog, experiments) {
  const { FORM, fragmentOf } = await fragments(root)
  const links = new Map()
  const add = async (what, text, files) => {
    const linked = { form: FORM, version: packageVersion, text, run: 0, cycle: 0, heat: "utilisation", fingerprint: "" }
    const made = await fragmentOf(Object.keys(files).length === 0 ? linked : { ...linked, files })
    if ("ok" in made) links.set(what, `../studio/index.html#${made.ok}`)
  }
  for (const name of experiments) {
    const path = join(root, "experiments", name)
    const planned = await loadPlan(path, { code: false })
    if ("bad" in planned || !planned.ok.runs.every(({ spec }) => fits(spec, catalog))) continue
    const given = await givenBy(path)
    if ("bad" in given) continue
    const { folder, experiment, files = [] } = given.ok
    const text = readFileSync(join(folder, experiment), "utf8")
    const named = files.filter((f) => text.includes(f)).map((f) => [f, readFileSync(join(folder, f), "utf8")])
    await add(`experiment ${name}`, text, Object.fromEntries(named))
  }
  for (const p of catalog.plugins) {
    const example = tryOf(p)
    if (example !== undefined) await add(`${p.kind} ${p.name}`, example.text, example.files)
  }
  return links
}
