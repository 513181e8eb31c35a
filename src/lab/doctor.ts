// What this machine offers: node, cores, memory, optional packages, shared memory, a browser for the report's test.
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { availableParallelism, cpus, freemem, totalmem } from "node:os"
import { delimiter, join } from "node:path"
import { packageVersion } from "./version.ts"

export interface Finding {
  readonly name: string
  /** fine, missing but optional, or wrong */
  readonly state: "ok" | "optional" | "wrong"
  readonly says: string
}

const oldest = [20, 19] as const

export function doctor(env: Readonly<Record<string, string | undefined>> = process.env): Finding[] {
  const [major, minor] = process.versions.node.split(".").map(Number) as [number, number]
  const fits = major > oldest[0] || (major === oldest[0] && minor >= oldest[1])
  const browser = findBrowser(env)
  return [
    { name: "lacewing", state: "ok", says: packageVersion },
    {
      name: "node",
      state: fits ? "ok" : "wrong",
      says: fits ? process.version : `${process.version} is too old; install ${oldest.join(".")} or later`,
    },
    { name: "platform", state: "ok", says: `${process.platform} ${process.arch}` },
    { name: "cores", state: "ok", says: `${availableParallelism()}${cpus()[0] === undefined ? "" : ` (${cpus()[0]!.model.trim()})`}` },
    { name: "memory", state: "ok", says: `${gib(freemem())} GiB free of ${gib(totalmem())}` },
    sharedMemory(),
    optional("@duckdb/node-api", "lacewing sql"),
    optional("@resvg/resvg-js", "PNG figures"),
    browser === undefined
      ? { name: "chromium", state: "optional", says: "not found; only the browser tests need it (set CHROMIUM to its path)" }
      : { name: "chromium", state: "ok", says: browser },
  ]
}

function gib(bytes: number): string {
  return (bytes / 2 ** 30).toFixed(1)
}

function sharedMemory(): Finding {
  const name = "shared memory"
  try {
    const cell = new Int32Array(new SharedArrayBuffer(4))
    return Atomics.add(cell, 0, 1) === 0 && cell[0] === 1
      ? { name, state: "ok", says: "works" }
      : { name, state: "wrong", says: "is there but does not count" }
  } catch {
    return { name, state: "wrong", says: "is not there: runs use one worker each" }
  }
}

function optional(name: string, use: string): Finding {
  try {
    const path = createRequire(import.meta.url).resolve(name)
    return { name, state: "ok", says: `found, for ${use}${existsSync(path) ? "" : " (but its file is gone)"}` }
  } catch {
    return { name, state: "optional", says: `not installed; needed for ${use}: npm install ${name}` }
  }
}

export function findBrowser(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]
  const folders = (env["PATH"] ?? "").split(delimiter).filter((f) => f !== "")
  const usual = ["/usr/bin/chromium", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"]
  const all = [env["CHROMIUM"] ?? "", ...folders.flatMap((f) => names.map((n) => join(f, n))), ...usual]
  return all.find((path) => path !== "" && existsSync(path))
}
