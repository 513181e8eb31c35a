// Pictures of large networks: groups while routers are close together, a map where there are too many.
import { expect, test } from "vitest"
import { Draws } from "../../src/core/rng.ts"
import { plainScale } from "../../src/core/units.ts"
import { topologies } from "../../src/library.ts"
import type { Topology } from "../../src/model/topology.ts"
import { sceneOf } from "../../studio/engine/scene.ts"
import { groupsOf, hottest, isLarge, mapOf, placesOf, shapeOf } from "../../studio/page/network/shape.ts"
import { fitted, linesOf } from "../../studio/page/network/view.ts"

function topologyOf(name: string, raw: Record<string, unknown>): Topology {
  const plugin = topologies.find((t) => t.name === name)!
  const params = plugin.params.parse(raw, "", plainScale)
  if ("bad" in params) throw new Error(JSON.stringify(params.bad))
  return plugin.make(params.ok as never, { rng: new Draws(1) } as never) as Topology
}

test("a dragonfly of 2,064 routers: groups from afar, routers and links as one comes nearer", () => {
  const scene = sceneOf(topologyOf("dragonfly", { p: 1, a: 16, h: 8 }), 2)
  expect(scene.routers).toBe(2064)
  const camera = fitted(scene, 640, 520)
  expect(shapeOf(scene, camera, false)).toBe("groups")
  expect(shapeOf(scene, { ...camera, scale: camera.scale * 40 }, false)).toBe("routers")
  expect(shapeOf(scene, camera, true)).toBe("map")
  const groups = groupsOf(scene)!
  expect(groups.count).toBe(129)
  // every pair of groups is joined, both ways; what leads to endpoints belongs to none
  const pairs = new Set(groups.pair.filter((p) => p >= 0))
  expect(pairs.size).toBe(129 * 129)
  expect(groups.pair.filter((p) => p === -1).length).toBe(scene.ends)
  // rings stand where their routers do
  for (const r of [0, 77, 2063]) {
    const ring = scene.rings[Math.floor(r / 16)]
    expect(Math.hypot(scene.x[r] - ring.x, scene.y[r] - ring.y)).toBeLessThanOrEqual(ring.r)
  }
  // a map of groups where routers are more than pixels
  const map = mapOf(scene, 500)
  expect([map.cells, map.unit]).toEqual([129, "group"])
  // 129 groups on 60 rows: whole groups, two or three in a row
  const few = mapOf(scene, 60)
  expect([few.cells, few.unit, few.each]).toEqual([60, "group", 129 / 60])
  for (let r = 0; r < scene.routers; r++) expect(few.row[r]).toBe(Math.floor((Math.floor(r / 16) * 60) / 129))
})

test("10^5 routers: a map in which the hot channel is found", () => {
  const scene = sceneOf(topologyOf("torus", { sides: "320x320" }), 2)
  expect(scene.routers).toBe(102_400)
  expect(isLarge(scene)).toBe(true)
  expect(shapeOf(scene, fitted(scene, 640, 520), false)).toBe("map")
  expect(linesOf(scene).length).toBe(0)
  const map = mapOf(scene, 480)
  expect([map.cells, map.unit, Math.round(map.each)]).toEqual([480, "router", 213])
  const heat = new Uint8Array(scene.chans)
  const hot = scene.farRouter.findIndex((far, c) => far >= 0 && scene.routerOf[c] > 60_000)
  heat[hot] = 255
  const most = hottest(map, heat)
  const at = map.row[scene.routerOf[hot]] * 480 + map.row[scene.farRouter[hot]]
  expect([most[at], most.filter((v) => v > 0).length, map.any[at]]).toEqual([255, 1, 1])
})

test("10^5 routers of a grid keep their places: a pixel each, and the hot one is where it stands", () => {
  const scene = sceneOf(topologyOf("torus", { sides: "320x320" }), 2)
  const map = placesOf(scene, 480)
  expect([map.cells, new Set(map.row).size]).toEqual([320, 102_400])
  const heat = new Uint8Array(scene.chans)
  const hot = scene.farRouter.findIndex((far, c) => far >= 0 && scene.routerOf[c] > 60_000)
  heat[hot] = 255
  const found = [...hottest(map, heat)].flatMap((v, at) => (v > 0 ? [at] : []))
  expect(found).toEqual([map.row[scene.routerOf[hot]]])
  // fewer pixels than routers, and a grid that is not square: nobody is left out
  const small = placesOf(scene, 100)
  expect([small.cells, small.any.every((v) => v === 1)]).toEqual([100, true])
  const long = sceneOf(topologyOf("mesh", { sides: "400x60" }), 2)
  expect(new Set(placesOf(long, 600).row).size).toBe(24_000)
})
