// A folder from which npm packs what a release contains. scripts/prepack.mjs makes the same in the checkout itself.
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { newest } from "../../scripts/build.mjs"
import { removeUnusedTypes } from "../../scripts/unused-types.mjs"
import { manual, root } from "./build.ts"

/** Fills an empty folder with the published files: a release build of the programs, and the archive of all pages. */
export function stageRelease(folder: string): void {
  manual()
  // Compressing takes seconds, so the archive is kept. Under its usual name, the checkout would use it.
  const archive = join(root, "dist/.pages.br")
  const sources = ["dist/manual", "dist/studio", "papers"].map((name) => newest(join(root, name)))
  if (!existsSync(archive) || statSync(archive).mtimeMs < Math.max(...sources))
    script("archive.mjs", archive, "--quick")
  mkdirSync(join(folder, "dist"), { recursive: true })
  const published =
    /^(docs|examples|experiments|papers|changes|test|bench)$|\.md$|^(package\.json|LICENSE|CITATION\.cff)$/
  cpSync(root, folder, {
    recursive: true,
    filter: (path) => {
      const [top = "", ...rest] = path
        .slice(root.length)
        .split(/[\\/]/)
        .filter((part) => part !== "")
      if (top === "dist")
        return statSync(path).isDirectory() ? !/^(app|manual|studio)$/.test(rest[0] ?? "") : packed(path)
      return top === "" || published.test(top)
    },
  })
  cpSync(archive, join(folder, "dist/pages.br"))
  script("bundle.mjs", join(folder, "dist/app"))
  removeUnusedTypes(folder)
}

const packed = (path: string) => /\.(d\.ts|tsv)$/.test(path)

function script(name: string, ...args: readonly string[]): void {
  const env = { ...process.env, LACEWING_RELEASE: "1" }
  const { status, stderr } = spawnSync(process.execPath, [join(root, "scripts", name), ...args], {
    cwd: root,
    encoding: "utf8",
    env,
  })
  if (status !== 0) throw new Error(`${name} failed:\n${stderr}`)
}
