// A dragonfly under the traffic that hurts it, with minimal and adaptive routing.
export const dragonfly = `# yaml-language-server: $schema=schema.json
lacewing: 1
title: What adaptive routing is worth on a dragonfly

network:
  # p endpoints for each router, a routers in a group, h links of each to other groups: 72 endpoints in 9 groups
  topology: { name: dragonfly, p: 2, a: 4, h: 2 }
  # minimal sends all packets between two groups over one link; ugal-l looks at queues first
  routing: dragonfly.minimal
  switch: { name: input-queued, vcs: 5, buffer: 32flits }
  links: { end: 1cycle, local: 2cycles, global: 10cycles }

traffic:
  # every group sends to the next one: 8 endpoints share one link, so minimal routing stops at 1/8
  pattern: group-adversarial
  packet: 1flit
  load: 0.1

measure:
  warmup: auto
  precision: 3%
  limit: 50kcycles

seeds: 2

sweep:
  network.routing: [dragonfly.minimal, dragonfly.ugal-l]
  traffic.load: [0.05, 0.1, 0.2, 0.3, 0.4]
`
