// Packets as dots. A packet on a link is at its exact place. A packet in a buffer stands back from the router on the
// link over which it came, and one in an output queue stands at the beginning of the link that it will take. Between
// two frames of the film a dot moves on a straight line; a packet that has arrived fades.
import { PACKET } from "../../../src/engines/packet-frame.ts"
import type { PacketName, Packets, Scene } from "../../shared/messages.ts"
import type { Camera } from "./camera.ts"
import { ageStep, inkOf, rgbOf } from "./colours.ts"
import { dotOf } from "./links.ts"
import { lengthsOf, pointAt } from "./paths.ts"

export type Colouring = "age" | "source"

export interface Moment {
  /** The frame at or before the shown time, the next one, and the share of the time between them. */
  readonly now: Packets
  readonly next: Packets
  readonly share: number
  readonly cycle: number
}

export interface Look {
  readonly camera: Camera
  readonly dark: boolean
  readonly colouring: Colouring
  readonly still: boolean
  /** Device pixels per CSS pixel. */
  readonly ratio: number
}

interface Placed {
  readonly xy: Float32Array
  /** 0: a queue is drawn so closely that this packet would not be seen. */
  readonly visible: Uint8Array
}

/** Two packets of a queue that are closer than this, in pixels, are drawn as one. */
const CLOSE = 1.5
/** Longest queue at an input and at an output, as a share of the link. */
const INPUT = 0.86
const OUTPUT = 0.3
/** Longer moves between two frames are jumps over a border, which are not interpolated. */
const JUMP = 3

export class Dots {
  private readonly scene: Scene
  private readonly lines: Float32Array
  private readonly lengths: Float32Array
  private readonly placed = new WeakMap<Packets, Placed>()
  private placedFor = 0
  /** [record] -> 1 + its index in the next frame; stale entries are recognised by the record and the key. */
  private index = new Int32Array(1024)
  private sprites: {
    readonly for: string
    readonly moving: HTMLCanvasElement[]
    readonly standing: HTMLCanvasElement[]
  }
  private readonly point = new Float32Array(2)
  /** [channel, channels + endpoint, or channels + endpoints + channel of an output] -> its packets, and those drawn. */
  private readonly standing: Int32Array
  private readonly drawn: Int32Array

  constructor(scene: Scene, lines: Float32Array) {
    this.scene = scene
    this.lines = lines
    this.lengths = lengthsOf(lines)
    this.sprites = { for: "", moving: [], standing: [] }
    this.standing = new Int32Array(2 * scene.chans + scene.ends)
    this.drawn = new Int32Array(2 * scene.chans + scene.ends)
  }

  paint(g: CanvasRenderingContext2D, moment: Moment, look: Look): void {
    const { now, next, share, cycle } = moment
    const { camera, still } = look
    const { scale, x: ox, y: oy } = camera
    const radius = this.radius(camera)
    const colours = this.coloursFor(look)
    const sprites = this.spritesFor(look, radius, colours)
    if (this.placedFor !== scale) this.forget(now, next)
    this.placedFor = scale
    const [a, b] = [this.place(now, camera, radius), this.place(next, camera, radius)]
    this.indexOf(next)
    const tails: number[][] = colours.map(() => [])
    const size = sprites.moving[0].width / look.ratio
    for (let i = 0; i < now.n; i++) {
      if (a.visible[i] === 0) continue
      const step = look.colouring === "age" ? ageStep(cycle - now.createdAt[i]) : this.sourceStep(now.from[i])
      let [px, py] = [a.xy[2 * i], a.xy[2 * i + 1]]
      const j = now === next || still ? i : this.find(next, now.id[i], now.key[i])
      g.globalAlpha = 1
      if (j < 0) g.globalAlpha = 1 - share
      else if (now !== next && !still) {
        const [dx, dy] = [b.xy[2 * j] - px, b.xy[2 * j + 1] - py]
        const moved = Math.hypot(dx, dy)
        if (moved < JUMP * this.scene.step) {
          px += dx * share
          py += dy * share
          if (now.state[i] === PACKET.wire && moved * scale > 0.6) {
            const tail = Math.min(9, Math.max(4, moved * scale * 1.6)) / moved
            tails[step].push(px * scale + ox, py * scale + oy, px * scale + ox - dx * tail, py * scale + oy - dy * tail)
          }
        }
      }
      const sprite = (now.state[i] >= PACKET.first ? sprites.standing : sprites.moving)[step]
      g.drawImage(sprite, px * scale + ox - size / 2, py * scale + oy - size / 2, size, size)
    }
    g.lineCap = "round"
    g.lineWidth = radius * 1.1
    g.globalAlpha = 0.32
    tails.forEach((t, step) => {
      if (t.length === 0) return
      g.strokeStyle = colours[step]
      g.beginPath()
      for (let i = 0; i < t.length; i += 4) {
        g.moveTo(t[i], t[i + 1])
        g.lineTo(t[i + 2], t[i + 3])
      }
      g.stroke()
    })
    g.globalAlpha = 1
  }

  /** Returns the index of the packet within `reach` pixels of a point, or -1. */
  pick(now: Packets, camera: Camera, px: number, py: number, reach = 9): number {
    const { xy, visible } = this.place(now, camera, this.radius(camera))
    let [best, found] = [reach, -1]
    for (let i = 0; i < now.n; i++) {
      if (visible[i] === 0) continue
      const away = Math.hypot(xy[2 * i] * camera.scale + camera.x - px, xy[2 * i + 1] * camera.scale + camera.y - py)
      if (away < best) [best, found] = [away, i]
    }
    return found
  }

  /** Returns the place of a packet on the canvas; undefined if its dot is not in the frame. */
  locate(now: Packets, camera: Camera, { key, from, createdAt }: PacketName): { x: number; y: number } | undefined {
    const { xy } = this.place(now, camera, this.radius(camera))
    for (let i = 0; i < now.n; i++)
      if (now.key[i] === key && now.from[i] === from && now.createdAt[i] === Math.floor(createdAt))
        return { x: xy[2 * i] * camera.scale + camera.x, y: xy[2 * i + 1] * camera.scale + camera.y }
    return undefined
  }

  private radius(camera: Camera): number {
    return Math.max(1.5, Math.min(4.5, dotOf({ scene: this.scene, camera }) * 0.55))
  }

  private forget(...all: Packets[]): void {
    for (const p of all) this.placed.delete(p)
  }

  /** Returns the places of all packets of a frame. */
  private place(packets: Packets, camera: Camera, radius: number): Placed {
    const known = this.placed.get(packets)
    if (known !== undefined) return known
    const { scene, lines, lengths, standing, drawn, point } = this
    const xy = new Float32Array(2 * packets.n)
    const visible = new Uint8Array(packets.n).fill(1)
    const node = (dotOf({ scene, camera }) + radius) / camera.scale
    const apart = (2.1 * radius) / camera.scale
    const outputs = scene.chans + scene.ends
    const queueOf = (i: number) => {
      const at = packets.at[i]
      return packets.state[i] === PACKET.output ? outputs + at : at >= 0 ? at : scene.chans - 1 - at
    }
    standing.fill(0)
    drawn.fill(0)
    for (let i = 0; i < packets.n; i++) if (packets.state[i] >= PACKET.first) standing[queueOf(i)]++
    for (let i = 0; i < packets.n; i++) {
      const at = packets.at[i]
      const chan = at >= 0 ? at : scene.home[-1 - at]
      const length = Math.max(1e-3, lengths[chan])
      const end = Math.max(0.1, 1 - node / length)
      let u: number
      if (packets.state[i] < PACKET.first) {
        const latency = at >= 0 ? scene.latency[chan] : scene.entryLatency[-1 - at]
        u = end * Math.max(0, 1 - packets.place[i] / Math.max(1, latency))
      } else {
        const queue = queueOf(i)
        const isOutput = queue >= outputs
        const gap = Math.min(apart, ((isOutput ? OUTPUT : INPUT) * length) / standing[queue])
        const k = drawn[queue]++
        const back = ((k + 0.3) * gap) / length
        u = isOutput ? Math.min(0.98, 1 - end + back) : Math.max(0.02, end - back)
        const each = Math.ceil(CLOSE / Math.max(1e-3, gap * camera.scale))
        if (each > 1 && k % each !== 0) visible[i] = 0
      }
      // The link from an endpoint has the line of the channel to it, in the other direction.
      pointAt(lines, chan, at >= 0 ? u : 1 - u, point)
      xy[2 * i] = point[0]
      xy[2 * i + 1] = point[1]
    }
    const made = { xy, visible }
    this.placed.set(packets, made)
    return made
  }

  private indexOf(packets: Packets): void {
    for (let i = 0; i < packets.n; i++) {
      const id = packets.id[i]
      if (id >= this.index.length) {
        const larger = new Int32Array(2 * id)
        larger.set(this.index)
        this.index = larger
      }
      this.index[id] = i + 1
    }
  }

  private find(packets: Packets, id: number, key: number): number {
    const i = id < this.index.length ? this.index[id] - 1 : -1
    return i >= 0 && i < packets.n && packets.id[i] === id && packets.key[i] === key ? i : -1
  }

  private sourceStep(end: number): number {
    const { scene } = this
    const router = scene.entryRouter[end]
    const part = scene.group === undefined ? Math.floor((router * 9) / scene.routers) : scene.group[router]
    return part % 9
  }

  private coloursFor({ dark, colouring }: Look): readonly string[] {
    return colouring === "age" ? inkOf(dark).ages : inkOf(dark).sources
  }

  /** Returns small pictures of the dots: drawing one is faster than drawing a disc. */
  private spritesFor(look: Look, radius: number, colours: readonly string[]): Dots["sprites"] {
    const name = `${look.colouring} ${look.dark} ${radius.toFixed(2)} ${look.ratio}`
    if (this.sprites.for !== name) {
      const made = (halo: boolean) => colours.map((c) => sprite(c, radius * look.ratio, look.dark, halo))
      this.sprites = { for: name, moving: made(true), standing: made(false) }
    }
    return this.sprites
  }
}

function sprite(colour: string, radius: number, dark: boolean, halo: boolean): HTMLCanvasElement {
  const canvas = document.createElement("canvas")
  const size = Math.ceil(radius * 6)
  canvas.width = size
  canvas.height = size
  const g = canvas.getContext("2d")!
  const middle = size / 2
  const [red, green, blue] = rgbOf(colour)
  if (halo && dark) {
    const glow = g.createRadialGradient(middle, middle, 0, middle, middle, middle)
    glow.addColorStop(0, `rgba(${red},${green},${blue},.3)`)
    glow.addColorStop(0.35, `rgba(${red},${green},${blue},.1)`)
    glow.addColorStop(1, "rgba(0,0,0,0)")
    g.fillStyle = glow
    g.fillRect(0, 0, size, size)
  }
  const disc = (fill: string, r: number) => {
    g.fillStyle = fill
    g.beginPath()
    g.arc(middle, middle, r, 0, 7)
    g.fill()
  }
  if (halo) disc(inkOf(dark).back, radius * 1.3)
  disc(colour, radius)
  return canvas
}
