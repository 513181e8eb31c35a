// Workers for custom plug-ins. They run in a hidden frame without an origin (src/experiment/outside/frame.ts): no file,
// no cookie, no storage and no address can be reached. What else could do so is removed before their code starts.
import { framePage } from "../../src/experiment/outside/frame.ts"
import { siteText } from "./site.ts"

/** The part of Worker that the page uses. */
export interface WorkerLike {
  onmessage: ((e: MessageEvent) => void) | null
  onerror: ((e: ErrorEvent) => void) | null
  postMessage(message: unknown, transfer: Transferable[]): void
  terminate(): void
}

/** Names that a plug-in has no use for. */
const removed = [
  ...["fetch", "XMLHttpRequest", "WebSocket", "WebSocketStream", "EventSource", "WebTransport", "importScripts"],
  ...["Worker", "SharedWorker", "BroadcastChannel", "RTCPeerConnection", "Notification", "navigator"],
  ...["indexedDB", "caches", "cookieStore", "FileReaderSync", "webkitRequestFileSystem", "requestFileSystem"],
  ...["webkitRequestFileSystemSync", "webkitResolveLocalFileSystemURL", "webkitResolveLocalFileSystemSyncURL"],
]

/**
 * Runs in the worker, before everything else. The first message brings the port to the page; later ones come over it.
 * Its text is sent, so it uses nothing from here.
 */
function isolate(names: readonly string[]): void {
  for (const name of names) {
    for (let at: object | null = globalThis; at !== null; at = Object.getPrototypeOf(at))
      Reflect.deleteProperty(at, name)
    Object.defineProperty(globalThis, name, { value: undefined })
  }
  Object.defineProperty(globalThis, "isolated", { value: true })
  const first = (e: Event) => {
    removeEventListener("message", first)
    e.stopImmediatePropagation()
    const [port] = (e as MessageEvent).ports
    Object.defineProperty(globalThis, "postMessage", {
      value: (message: unknown, options: StructuredSerializeOptions) => port.postMessage(message, options),
    })
    port.onmessage = ({ data }) => void dispatchEvent(new MessageEvent("message", { data }))
  }
  addEventListener("message", first)
}

interface Fault {
  readonly message?: string
  readonly filename?: string
  readonly lineno?: number
}

/** Starts a worker of the site in a frame. Messages that are sent before it runs wait. */
export function isolatedWorker(file: string, name: string): WorkerLike {
  const { port1, port2 } = new MessageChannel()
  const frame = document.createElement("iframe")
  frame.setAttribute("sandbox", "allow-scripts")
  frame.hidden = true
  frame.title = name
  frame.srcdoc = framePage
  const worker: WorkerLike = {
    onmessage: null,
    onerror: null,
    postMessage: (message, transfer) => port1.postMessage(message, transfer),
    terminate() {
      removeEventListener("message", failed)
      port1.close()
      frame.remove()
    },
  }
  function failed({ source, data }: MessageEvent<Fault>): void {
    if (source === frame.contentWindow) worker.onerror?.(new ErrorEvent("error", { message: messageOf(data) }))
  }
  addEventListener("message", failed)
  port1.onmessage = (e) => worker.onmessage?.(e)
  const loaded = new Promise((done) => frame.addEventListener("load", done, { once: true }))
  // The body is drawn by the page, which would remove the frame.
  document.documentElement.append(frame)
  Promise.all([siteText(file), loaded]).then(
    ([text]) => {
      // The semicolon separates two functions that are called.
      const code = `(${isolate})(${JSON.stringify(removed)});\n${text}`
      frame.contentWindow?.postMessage({ code, name }, "*", [port2])
    },
    (e) => worker.onerror?.(new ErrorEvent("error", { message: String(e) })),
  )
  return worker
}

/** Returns the message of an error with its place in a module. */
function messageOf({ message = "an error", filename = "", lineno = 0 }: Fault): string {
  const at = /([^/]+)\?content=/.exec(filename)
  return at === null ? message : `${at[1]}, line ${lineno}: ${message}`
}
