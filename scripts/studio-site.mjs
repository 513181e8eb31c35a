// Serves the built studio (dist/studio) on a loopback address with the headers for shared memory, and opens it in a
// headless browser with a long run.
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { extname, join } from "node:path"
import { chromium } from "playwright-core"

const types = { ".js": "text/javascript", ".css": "text/css", ".json": "application/json" }

/** Returns a dragonfly of 1,056 endpoints that runs for this many million cycles. */
export const dragonfly = (cycles, pattern = "uniform") => `lacewing: 1
network:
  topology: { name: dragonfly, p: 4, a: 8, h: 4 }
  routing: dragonfly.ugal-l
  switch: { name: input-queued, vcs: 5, buffer: 64flits, speed: 2 }
  links: { local: 5cycles, global: 20cycles }
traffic: { pattern: ${pattern}, load: 0.3, packet: 4flits }
measure: { warmup: 1kcycles, window: ${cycles}Mcycles, limit: ${2 * cycles}Mcycles, saturation: never, drain: none }
seeds: [1]
`

/** `root` is the checkout. */
export async function servedStudio(root) {
  const site = createServer((request, response) => {
    const path = request.url.split("?")[0]
    try {
      const body = readFileSync(join(root, "dist/studio", path === "/" ? "index.html" : path))
      response.writeHead(200, {
        "Content-Type": types[extname(path)] ?? "text/html",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Embedder-Policy": "require-corp",
      })
      response.end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise((listening) => site.listen(0, "127.0.0.1", listening))
  return site
}

export function headless(...args) {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium"
  return chromium.launch({ executablePath, headless: true, args: ["--no-sandbox", ...args] })
}
