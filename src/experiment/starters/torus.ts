// A torus: the default template of `lacewing init`. It runs unchanged and shows all sections of a file.
export const torus = `# yaml-language-server: $schema=schema.json
lacewing: 1
title: Latency against load on an 8x8 torus

network:
  # lacewing list topology, lacewing explain torus
  topology: { name: torus, sides: 8x8 }
  # lacewing list routing; it must fit the topology, and say how many VCs it needs
  routing: torus.dimension-order
  # lacewing explain input-queued
  switch: { name: input-queued, vcs: 4, buffer: 8flits }
  # links: { link: 2cycles }

traffic:
  # a list of maps makes several streams
  pattern: uniform # lacewing list pattern
  packet: 1flit # or 64B, or { name: range, ... }
  load: 0.1 # fraction of one endpoint channel

measure:
  warmup: auto # or 2kcycles
  precision: 3% # of the mean latency, at 95 % confidence
  limit: 50kcycles

seeds: 2

# every combination is run; zip: varies lists together, variants: names whole sets of keys
sweep:
  traffic.load: [0.1, 0.2, 0.3, 0.4, 0.5]

# a failed threshold gives exit code 1
expect:
  - latency.mean at load=0.1 < 40cycles
`
