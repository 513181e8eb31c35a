// The built studio (dist/studio) behind a loopback server with the headers for shared memory, and a browser without a window to look at it.
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { extname, join } from "node:path"
import { chromium } from "playwright-core"

const types = { ".js": "text/javascript", ".css": "text/css", ".json": "application/json" }

/** `root`: the checkout. */
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
