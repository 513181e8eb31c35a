// Groups on one ring: the routers of a group are neighbours on it, and links between groups are chords. A network whose
// links between groups are idle has an empty centre.

/** Radius of the ring, and of the circle with the names of groups. */
const RADIUS = 410
const NAMES = 456
/** Share of the arc of a group that its routers occupy. */
const SHARE = 0.76

export interface Ring {
  readonly x: Float64Array
  readonly y: Float64Array
  readonly out: Float64Array
  readonly step: number
  readonly rings: readonly { x: number; y: number; r: number; name: string }[]
}

export function ringOf(group: ArrayLike<number>): Ring {
  const routers = group.length
  const members = new Map<number, number[]>()
  for (let r = 0; r < routers; r++) members.set(group[r], [...(members.get(group[r]) ?? []), r])
  const [x, y, out] = [new Float64Array(routers), new Float64Array(routers), new Float64Array(routers)]
  const arc = (2 * Math.PI) / members.size
  const rings = [...members].map(([name, all], g) => {
    const middle = -Math.PI / 2 + g * arc
    all.forEach((r, i) => {
      const a = middle + (i - (all.length - 1) / 2) * ((SHARE * arc) / all.length)
      x[r] = RADIUS * Math.cos(a)
      y[r] = RADIUS * Math.sin(a)
      out[r] = a
    })
    return { x: NAMES * Math.cos(middle), y: NAMES * Math.sin(middle), r: 0, name: `group ${name}` }
  })
  return { x, y, out, step: (SHARE * 2 * Math.PI * RADIUS) / routers, rings }
}
