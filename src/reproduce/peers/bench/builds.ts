// Another build to measure against: a folder with one, or a revision of the sources that is built in a temporary
// folder.
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { type Checked, complain } from "../../../core/complaint.ts"
import { packageFolder } from "../../../experiment/places.ts"

export interface Build {
  readonly name: string
  /** the folder above `dist` */
  readonly root: string
  /** removes what was made for it */
  close(): void
}

const nothing = () => {}
export const thisBuild: Build = { name: "this build", root: packageFolder, close: nothing }

export function openBuild(given: string): Checked<Build> {
  const path = resolve(given)
  const isBuild = (root: string) => existsSync(join(root, "dist/app/main.js"))
  const root = isBuild(path) ? path : existsSync(join(path, "app/main.js")) ? resolve(path, "..") : undefined
  if (root !== undefined) return { ok: { name: given, root, close: nothing } }
  if (existsSync(path))
    return { bad: [complain(given, "has no build in it", "run npm run build there, or name its folder dist")] }
  const found = spawnSync("git", ["rev-parse", "--verify", "--quiet", `${given}^{commit}`], {
    cwd: packageFolder,
    encoding: "utf8",
  })
  if (found.status !== 0)
    return {
      bad: [
        complain(
          given,
          "is neither a folder nor a revision",
          "name a checkout that is built, its folder dist, or a commit",
        ),
      ],
    }
  return built(found.stdout.trim(), given)
}

function built(commit: string, name: string): Checked<Build> {
  const root = mkdtempSync(join(tmpdir(), "lacewing-against-"))
  const close = () => rmSync(root, { recursive: true, force: true })
  const archive = spawnSync("git", ["archive", "--format=tar", commit], { cwd: packageFolder, maxBuffer: 2 ** 30 })
  mkdirSync(root, { recursive: true })
  const unpacked = spawnSync("tar", ["-x", "-C", root], { input: archive.stdout })
  symlinkSync(realpathSync(join(packageFolder, "node_modules")), join(root, "node_modules"))
  const made =
    unpacked.status === 0 ? spawnSync("npm", ["run", "--silent", "build"], { cwd: root, encoding: "utf8" }) : undefined
  if (made?.status === 0) return { ok: { name: `${name} (${commit.slice(0, 7)})`, root, close } }
  close()
  const says =
    made === undefined
      ? "its files cannot be had from git"
      : `does not build: ${`${made.stdout}${made.stderr}`.trim().slice(-400)}`
  return { bad: [complain(name, says, "build it in a separate checkout, and name that folder")] }
}
