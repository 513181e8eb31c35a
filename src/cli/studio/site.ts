// The folder of the built studio.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { folderOf } from "../../experiment/disk/unpacked.ts"
import { Exit, exit } from "../command.ts"

export function siteFolder(): string {
  const folder = join(folderOf("dist/studio/index.html"), "dist/studio")
  if (!existsSync(join(folder, "index.html")))
    throw new Exit(exit.failed, "The studio is not built.\n  fix: run npm run build")
  return folder
}
