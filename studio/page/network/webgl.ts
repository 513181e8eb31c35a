// Draws the same picture with WebGL2: one call for all lines, with a byte of heat for each end, and one for the points.
// It is used only with a GPU, because in software it is slower than Canvas 2D. If the context is lost, the view falls
// back to Canvas 2D.
import type { Scene } from "../../shared/messages.ts"
import { inkOf, rgbOf } from "./colours.ts"
import type { Links } from "./links.ts"
import type { Marks } from "./marks.ts"
import { LINE } from "./paths.ts"

const vertex = `#version 300 es
uniform vec3 camera; uniform vec2 size; uniform float dot; uniform vec3 steps[16]; uniform vec4 fixed_;
in vec2 at; in float heat; out vec4 colour;
void main() {
  vec2 p = (at * camera.x + camera.yz) / size * 2.0 - 1.0;
  gl_Position = vec4(p.x, -p.y, 0, 1); gl_PointSize = dot;
  int k = heat > 0.5 ? max(1, int(heat) >> 4) : 0;
  colour = fixed_.a > 0.0 ? fixed_ : vec4(steps[k], k == 0 ? 0.5 : 1.0);
}`
const fragment = `#version 300 es
precision mediump float; in vec4 colour; out vec4 o; void main() { o = vec4(colour.rgb * colour.a, colour.a); }`

/** Networks of at most this many routers are drawn with their packets, by Canvas 2D. */
const MOST_DETAILED = 1000

export class Gl {
  private readonly gl: WebGL2RenderingContext
  private readonly program: WebGLProgram
  private readonly lines: { vao: WebGLVertexArrayObject; heat: WebGLBuffer; bytes: Uint8Array }
  private readonly points: WebGLVertexArrayObject
  private readonly chosen: WebGLBuffer
  private readonly routers: number
  private readonly chans: number
  closed = false

  /**
   * Returns true if WebGL should be used: ?gl=1 or ?gl=0 in the address, otherwise for a large network if the driver is
   * hardware. It draws no packets.
   */
  static wanted({ routers }: Scene): boolean {
    const asked = new URL(location.href).searchParams.get("gl")
    if (asked !== null) return asked === "1"
    if (routers <= MOST_DETAILED) return false
    const gl = document.createElement("canvas").getContext("webgl2")
    const info = gl?.getExtension("WEBGL_debug_renderer_info")
    const name =
      gl === null || gl === undefined || info === null || info === undefined
        ? ""
        : String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL))
    gl?.getExtension("WEBGL_lose_context")?.loseContext()
    return name !== "" && !/swiftshader|llvmpipe|software/i.test(name)
  }

  /** Returns undefined if the browser refuses a context; the caller then uses Canvas 2D. */
  static make(canvas: HTMLCanvasElement, scene: Scene, lines: Float32Array): Gl | undefined {
    const gl = canvas.getContext("webgl2", {
      antialias: true,
      alpha: true,
      premultipliedAlpha: true,
      preserveDrawingBuffer: true,
    })
    if (gl === null) return undefined
    const made = new Gl(gl, scene, lines)
    canvas.addEventListener("webglcontextlost", () => {
      if (!made.closed) canvas.dispatchEvent(new CustomEvent("lost-gl", { bubbles: true }))
    })
    return made
  }

  constructor(gl: WebGL2RenderingContext, scene: Scene, lines: Float32Array) {
    this.gl = gl
    this.routers = scene.routers
    this.chans = scene.chans
    const program = gl.createProgram()
    for (const [kind, text] of [
      [gl.VERTEX_SHADER, vertex],
      [gl.FRAGMENT_SHADER, fragment],
    ] as const) {
      const shader = gl.createShader(kind)!
      gl.shaderSource(shader, text)
      gl.compileShader(shader)
      gl.attachShader(program, shader)
    }
    gl.linkProgram(program)
    this.program = program
    const at = gl.getAttribLocation(program, "at")
    const heat = gl.getAttribLocation(program, "heat")
    const ends = new Float32Array(scene.chans * 4)
    for (let c = 0; c < scene.chans; c++)
      if (lines[c * 8 + 6] !== LINE.none) ends.set(lines.subarray(c * 8, c * 8 + 4), c * 4)
    const column = (data: AllowSharedBufferSource, place: number, width: number, type: number) => {
      const buffer = gl.createBuffer()
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer)
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW)
      gl.enableVertexAttribArray(place)
      gl.vertexAttribPointer(place, width, type, false, 0, 0)
      return buffer
    }
    const vao = gl.createVertexArray()
    gl.bindVertexArray(vao)
    column(ends, at, 2, gl.FLOAT)
    const bytes = new Uint8Array(scene.chans * 2)
    this.lines = { vao, heat: column(bytes, heat, 1, gl.UNSIGNED_BYTE), bytes }
    this.chosen = gl.createBuffer()
    this.points = gl.createVertexArray()
    gl.bindVertexArray(this.points)
    column(
      Float32Array.from({ length: 2 * scene.routers }, (_, i) => (i % 2 === 0 ? scene.x : scene.y)[i >> 1]),
      at,
      2,
      gl.FLOAT,
    )
  }

  paint({ heat, camera, dark, scene }: Links, marks: Marks, ratio: number): void {
    const ink = inkOf(dark)
    const { gl, program } = this
    const { width, height } = gl.canvas
    gl.viewport(0, 0, width, height)
    gl.clearColor(0, 0, 0, 0)
    gl.clear(gl.COLOR_BUFFER_BIT)
    gl.enable(gl.BLEND)
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
    gl.useProgram(program)
    const place = (name: string) => gl.getUniformLocation(program, name)
    gl.uniform3f(place("camera"), camera.scale * ratio, camera.x * ratio, camera.y * ratio)
    gl.uniform2f(place("size"), width, height)
    gl.uniform1f(place("dot"), Math.max(1.5, Math.min(18, scene.step * 0.26 * camera.scale)) * ratio)
    gl.uniform3fv(place("steps"), ink.heat.flatMap(rgb))
    gl.uniform4f(place("fixed_"), 0, 0, 0, 0)
    const { vao, heat: buffer, bytes } = this.lines
    for (let c = 0; c < this.chans; c++) bytes[2 * c] = bytes[2 * c + 1] = heat[c]
    gl.bindVertexArray(vao)
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer)
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, bytes)
    gl.drawArrays(gl.LINES, 0, this.chans * 2)
    // Trees and the chain are drawn on top, in separate colours.
    const over = [
      ...marks.trees.map((t) => ({ colour: t.colour, channels: t.channels })),
      { colour: ink.accent, channels: marks.path },
      { colour: ink.warn, channels: marks.chain },
      { colour: ink.dead, channels: marks.cycle.map((l) => l.chan).filter((c) => c >= 0) },
      { colour: ink.strong, channels: marks.chosen >= 0 ? [marks.chosen] : [] },
    ]
    for (const { colour, channels } of over) {
      if (channels.length === 0) continue
      gl.uniform4f(place("fixed_"), ...(rgb(colour) as [number, number, number]), 1)
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.chosen)
      const ends = Uint32Array.from({ length: 2 * channels.length }, (_, i) => 2 * channels[i >> 1] + (i & 1))
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, ends, gl.DYNAMIC_DRAW)
      gl.drawElements(gl.LINES, ends.length, gl.UNSIGNED_INT, 0)
    }
    gl.uniform4f(place("fixed_"), ...([...rgb(ink.nodeLine), 1] as [number, number, number, number]))
    gl.bindVertexArray(this.points)
    gl.drawArrays(gl.POINTS, 0, this.routers)
  }

  close(): void {
    this.closed = true
    this.gl.getExtension("WEBGL_lose_context")?.loseContext()
  }
}

const rgb = (hex: string): number[] => rgbOf(hex).map((v) => v / 255)
