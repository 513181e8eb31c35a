// The local server of the studio and of the manual. It listens on 127.0.0.1 and delivers the files of the static site
// and the files that the command names, nothing else. The address contains a random token, so other users of the
// machine and pages of other sites cannot send requests. The Host header is checked, so a foreign DNS name that
// resolves to this machine (DNS rebinding) does not work either.
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import { createReadStream, readFileSync, realpathSync, statSync } from "node:fs"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { extname, join, sep } from "node:path"
import { frameScript } from "../../experiment/outside/frame.ts"
import { filesIn, stampsOf } from "./results-files.ts"

/** The input of the page: an experiment with its files, or a results folder; paths are relative to the folder. */
export interface Given {
  readonly folder: string
  readonly experiment?: string
  readonly files?: readonly string[]
  /** modules that the page may execute; they are in `files`, too */
  readonly code?: readonly string[]
  readonly results?: readonly string[]
  /** the first digits of the hash of a stored run, which the page opens */
  readonly run?: string
  /** the address of a studio that others can open: links of the page begin with it */
  readonly host?: string
}

export interface Serving {
  readonly address: string
  readonly server: Server
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".md": "text/plain; charset=utf-8",
  ".yaml": "text/plain; charset=utf-8",
}

/** The policy forbids requests to and from other sites. */
const policy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"

/**
 * Returns the policy of a page that executes plug-ins: their frame inherits it, so it also allows the script of the
 * frame and the workers that this script makes. The frame adds its own, stricter policy.
 */
function policyWithCode(): string {
  const hash = createHash("sha256").update(frameScript).digest("base64")
  return policy.replace("worker-src 'self'", `worker-src 'self' blob:; script-src 'self' blob: 'sha256-${hash}'`)
}

/** Shared memory in the browser needs the first two headers. */
const headers = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Content-Security-Policy": policy,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
}

/**
 * Starts the server. `site` is the folder of the static site; `port` 0 selects a free port; `only` restricts the paths
 * of the site (default: all).
 */
export async function serve(site: string, given: Given | undefined, port = 0, only?: RegExp): Promise<Serving> {
  const token = randomBytes(18).toString("base64url")
  const named = new Set(
    [given?.experiment, ...(given?.files ?? []), ...(given?.results ?? [])].filter((p) => p !== undefined),
  )
  const server = createServer((request, response) => {
    try {
      answer(request, response)
    } catch {
      refuse(response, 404, "there is no such file")
    }
  })

  /** Handles one request: checks the host, the token and the path before it reads a file. */
  function answer(request: IncomingMessage, response: ServerResponse): ServerResponse {
    const own = (server.address() as AddressInfo).port
    const host = request.headers.host ?? ""
    if (host !== `127.0.0.1:${own}` && host !== `localhost:${own}`)
      return refuse(response, 403, "This server only answers requests to 127.0.0.1 and localhost.")
    if (request.method !== "GET" && request.method !== "HEAD")
      return refuse(response, 405, "This server only answers GET and HEAD requests.")
    const path = pathOf(request.url ?? "")
    if (path === undefined) return refuse(response, 400, "This address cannot be decoded.")
    const [first = "", ...rest] = path.slice(1).split("/")
    if (!same(first, token))
      return refuse(response, 403, "The address does not contain the token that lacewing studio printed.")
    const asked = rest.join("/")
    if (asked === "") return send(response, "text/html; charset=utf-8", page(site, given), given?.code !== undefined)
    if (asked === "given.json") {
      if (given?.results !== undefined) for (const file of filesIn(given.folder)) named.add(file)
      return send(response, types[".json"], JSON.stringify(described(given)))
    }
    if (asked.startsWith("given/")) {
      const name = asked.slice("given/".length)
      if (given === undefined || !named.has(name))
        return refuse(response, 404, "This file does not belong to the experiment of the studio.")
      return sendFile(response, inside(given.folder, name))
    }
    return sendFile(response, only?.test(asked) === false ? undefined : inside(site, asked))
  }

  await new Promise<void>((listening, failed) => {
    server.once("error", failed)
    server.listen(port, "127.0.0.1", listening)
  })
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${token}/`, server }
}

/** Resolves when the server is closed, for example by Ctrl-C. */
export function untilStopped(server: Server): Promise<void> {
  return new Promise((closed) => {
    server.on("close", closed)
    const stop = () => {
      server.closeAllConnections()
      server.close()
    }
    process.once("SIGINT", stop)
    process.once("SIGTERM", stop)
  })
}

function pathOf(url: string): string | undefined {
  try {
    return decodeURIComponent(url.split(/[?#]/)[0])
  } catch {
    return undefined
  }
}

/** Compares in constant time, so that the token cannot be guessed from response times. */
function same(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)]
  return x.length === y.length && timingSafeEqual(x, y)
}

/**
 * Returns the real path of a file inside the folder, with symbolic links resolved; undefined if it is outside or
 * missing.
 */
export function inside(folder: string, name: string): string | undefined {
  try {
    const root = realpathSync(folder)
    const file = realpathSync(join(root, name))
    return file.startsWith(root + sep) && statSync(file).isFile() ? file : undefined
  } catch {
    return undefined
  }
}

function page(site: string, given: Given | undefined): string {
  const html = readFileSync(join(site, "index.html"), "utf8")
  return given === undefined ? html : html.replace("<meta charset", '<meta name="served" content="1">\n<meta charset')
}

/** Returns what the page receives. Modules have the time of their last change, so that the page loads them again. */
function described(given: Given | undefined): object {
  if (given === undefined) return {}
  const { folder, code, ...named } = given
  if (named.results !== undefined) {
    const stamps = stampsOf(folder, filesIn(folder))
    return { ...named, results: Object.keys(stamps), stamps }
  }
  if (code === undefined) return named
  const changes = code.map((file) => {
    const path = inside(folder, file)
    return [file, path === undefined ? 0 : statSync(path).mtimeMs]
  })
  return { ...named, code: Object.fromEntries(changes) }
}

function send(response: ServerResponse, type: string, text: string, code = false): ServerResponse {
  const more = code ? { "Content-Security-Policy": policyWithCode() } : {}
  response.writeHead(200, { ...headers, ...more, "Content-Type": type })
  return response.end(text)
}

function sendFile(response: ServerResponse, file: string | undefined): ServerResponse {
  if (file === undefined) return refuse(response, 404, "there is no such file")
  response.writeHead(200, {
    ...headers,
    "Content-Type": types[extname(file)] ?? "application/octet-stream",
    "Content-Length": statSync(file).size,
  })
  return createReadStream(file)
    .on("error", () => response.destroy())
    .pipe(response)
}

function refuse(response: ServerResponse, status: number, says: string): ServerResponse {
  if (!response.headersSent) response.writeHead(status, { ...headers, "Content-Type": "text/plain; charset=utf-8" })
  return response.end(`${says}\n`)
}
