// Records the cards of the sides as a film (WebM) while the run plays: pictures, headline, counters and the cycle.
import { clock } from "../film/clock.ts"
import { inkOf } from "../network/colours.ts"
import { isDark } from "../network.ts"

const FRAMES = 30
/** Height of the line with headline and cycle. */
const HEAD = 44
/** Bits per second: the lines are thin, so a lower rate shows blocks. */
const RATE = 8_000_000
const kinds = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"]

/** Returns whether this browser can record. */
export const canRecord = (): boolean =>
  typeof MediaRecorder === "function" && kinds.some((kind) => MediaRecorder.isTypeSupported(kind))

/** Records for some seconds of real time, or until `stop` returns true. */
export async function recorded(seconds: number, stop: () => boolean): Promise<Blob> {
  const nets = document.querySelector<HTMLElement>(".nets")
  const type = kinds.find((kind) => MediaRecorder.isTypeSupported(kind))
  if (nets === null || type === undefined) throw new Error("This browser cannot record a film.")
  const canvas = document.createElement("canvas")
  const ratio = Math.min(2, 1920 / nets.clientWidth, globalThis.devicePixelRatio || 1)
  // Encoders need even sizes.
  canvas.width = 2 * Math.round((nets.clientWidth * ratio) / 2)
  canvas.height = 2 * Math.round(((nets.clientHeight + HEAD) * ratio) / 2)
  const g = canvas.getContext("2d")!
  const recorder = new MediaRecorder(canvas.captureStream(FRAMES), { mimeType: type, videoBitsPerSecond: RATE })
  const parts: Blob[] = []
  recorder.ondataavailable = ({ data }) => void parts.push(data)
  const ended = new Promise<void>((done, failed) => {
    recorder.onstop = () => done()
    recorder.onerror = () => failed(new Error("The browser stopped the recording."))
  })
  const begun = performance.now()
  const next = () => {
    g.setTransform(ratio, 0, 0, ratio, 0, 0)
    draw(g, nets)
    if (performance.now() - begun < 1000 * seconds && !stop()) requestAnimationFrame(next)
    else recorder.stop()
  }
  recorder.start()
  next()
  await ended
  return new Blob(parts, { type: "video/webm" })
}

/** Draws the cards as they are on the page. */
function draw(g: CanvasRenderingContext2D, nets: HTMLElement): void {
  const ink = inkOf(isDark())
  const at = nets.getBoundingClientRect()
  g.fillStyle = ink.back
  g.fillRect(0, 0, at.width, at.height + HEAD)
  g.textBaseline = "alphabetic"
  const title = document.querySelector("h1")
  if (title !== null) write(g, title, 12, 28, "600 18px system-ui, sans-serif")
  g.textAlign = "right"
  g.font = "14px system-ui, sans-serif"
  g.fillText(`cycle ${Math.round(clock.t).toLocaleString("en")}`, at.width - 12, 28)
  g.textAlign = "left"
  for (const canvas of nets.querySelectorAll("canvas")) {
    const { left, top, width, height } = canvas.getBoundingClientRect()
    g.drawImage(canvas, left - at.left, top - at.top + HEAD, width, height)
  }
  for (const element of nets.querySelectorAll<HTMLElement>(
    "h2, [data-counter], [data-counter] small, .unit, .unit em, .pill",
  )) {
    const { left, bottom, width } = element.getBoundingClientRect()
    if (width > 0) write(g, element, left - at.left, bottom - at.top + HEAD - 6)
  }
}

function write(g: CanvasRenderingContext2D, element: HTMLElement, x: number, y: number, font?: string): void {
  const { fontStyle, fontWeight, fontSize, fontFamily, color, backgroundColor } = getComputedStyle(element)
  g.font = font ?? `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`
  // Parts with another size or colour are separate elements.
  const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)
  const text = own
    .map((node) => node.textContent)
    .join("")
    .trim()
  if (element.classList.contains("pill")) {
    const { width, height } = element.getBoundingClientRect()
    g.fillStyle = backgroundColor
    g.fillRect(x, y + 6 - height, width, height)
    g.fillStyle = color
    g.fillText(text, x + 10, y - 2)
    return
  }
  g.fillStyle = color
  g.fillText(text, x, y)
}
