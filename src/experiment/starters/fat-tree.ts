// A fat tree with deterministic and adaptive routing upwards.
export const fatTree = `# yaml-language-server: $schema=schema.json
lacewing: 1
title: Which way up a fat tree?

network:
  # k links up and down at each switch, n levels: 4^3 = 64 endpoints
  topology: { name: tree, k: 4, n: 3 }
  # lacewing explain tree.nearest-ancestor; up: random draws a path, adaptive takes the one with the shortest queue
  routing: { name: tree.nearest-ancestor, up: random }
  switch: { name: input-queued, vcs: 4, buffer: 16flits }

traffic:
  # a permutation: where paths up are drawn randomly, some links get several streams and others none
  pattern: bit-reverse
  packet: 4flits
  load: 0.1

measure:
  warmup: auto
  precision: 3%
  limit: 50kcycles

seeds: 2

sweep:
  network.routing.up: [random, adaptive]
  traffic.load: [0.1, 0.3, 0.5, 0.7]
`
