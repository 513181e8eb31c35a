// A reporter of Vitest that writes the test files which are running now into the file that LACEWING_RUNNING names, one
// on each line (test/run.mjs).
import { writeFileSync } from "node:fs"
import { relative } from "node:path"

export default class Running {
  files = new Set()
  note() {
    const { LACEWING_RUNNING: file } = process.env
    if (file !== undefined) writeFileSync(file, [...this.files].join("\n"))
  }
  onTestModuleStart(module) {
    this.files.add(relative(process.cwd(), module.moduleId))
    this.note()
  }
  onTestModuleEnd(module) {
    this.files.delete(relative(process.cwd(), module.moduleId))
    this.note()
  }
}
