// The findings of `lacewing doctor`: version, Node, cores, memory, shared memory, optional packages, and browsers for
// the tests.
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { availableParallelism, cpus, freemem, totalmem } from "node:os"
import { delimiter, join } from "node:path"
import { buildVersion } from "../experiment/identity/version.ts"

export interface Finding {
  readonly name: string
  /** fine, missing but optional, or wrong */
  readonly state: "ok" | "optional" | "wrong"
  readonly says: string
}

/** oldest supported version of Node */
const oldest = [20, 19] as const

export function doctor(env: Env = process.env): Finding[] {
  const [major, minor] = process.versions.node.split(".").map(Number) as [number, number]
  const fits = major > oldest[0] || (major === oldest[0] && minor >= oldest[1])
  return [
    { name: "lacewing", state: "ok", says: buildVersion },
    {
      name: "node",
      state: fits ? "ok" : "wrong",
      says: fits ? process.version : `${process.version} is too old; install ${oldest.join(".")} or later`,
    },
    { name: "platform", state: "ok", says: `${process.platform} ${process.arch}` },
    {
      name: "cores",
      state: "ok",
      says: `${availableParallelism()}${cpus()[0] === undefined ? "" : ` (${cpus()[0].model.trim()})`}`,
    },
    { name: "memory", state: "ok", says: `${gib(freemem())} GiB free of ${gib(totalmem())}` },
    sharedMemory(),
    optional("@duckdb/node-api", "lacewing sql"),
    optional("@resvg/resvg-js", "PNG figures"),
    browser("chromium", findBrowser(env)),
    browser("firefox", findFirefox(env)),
  ]
}

function browser(name: string, found: string | undefined): Finding {
  const says = found ?? `not found; only the browser tests need it (set ${name.toUpperCase()} to its path)`
  return { name, state: found === undefined ? "optional" : "ok", says }
}

function gib(bytes: number): string {
  return (bytes / 2 ** 30).toFixed(1)
}

/** Checks that atomic operations on shared memory work, because parallel runs need them. */
function sharedMemory(): Finding {
  const name = "shared memory"
  try {
    const cell = new Int32Array(new SharedArrayBuffer(4))
    return Atomics.add(cell, 0, 1) === 0 && cell[0] === 1
      ? { name, state: "ok", says: "works" }
      : { name, state: "wrong", says: "exists but does not work" }
  } catch {
    return { name, state: "wrong", says: "is not available, so each run uses one worker" }
  }
}

/** Checks whether an optional package can be resolved. */
function optional(name: string, use: string): Finding {
  try {
    const path = createRequire(import.meta.url).resolve(name)
    return { name, state: "ok", says: `found, for ${use}${existsSync(path) ? "" : " (but its file is gone)"}` }
  } catch {
    return { name, state: "optional", says: `not installed; needed for ${use}: npm install ${name}` }
  }
}

type Env = Readonly<Record<string, string | undefined>>

/** Returns the path of Chromium or Chrome. */
export function findBrowser(env: Env): string | undefined {
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]
  return program(env, env["CHROMIUM"], names, [
    "/usr/bin/chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  ])
}

export function findFirefox(env: Env): string | undefined {
  return program(
    env,
    env["FIREFOX"],
    ["firefox-esr", "firefox"],
    ["/usr/bin/firefox-esr", "/Applications/Firefox.app/Contents/MacOS/firefox"],
  )
}

/** Returns the path that the environment gives, or else the first match in PATH, or else in the usual places. */
function program(
  env: Env,
  said: string | undefined,
  names: readonly string[],
  usual: readonly string[],
): string | undefined {
  const folders = (env["PATH"] ?? "").split(delimiter).filter((f) => f !== "")
  const all = [said ?? "", ...folders.flatMap((f) => names.map((n) => join(f, n))), ...usual]
  return all.find((path) => path !== "" && existsSync(path))
}
