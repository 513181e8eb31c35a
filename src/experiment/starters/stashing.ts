// A tiled switch that stores a copy of every packet in idle buffers of other ports.
export const stashing = `# yaml-language-server: $schema=schema.json
lacewing: 1
title: What do copies of every packet cost?

network:
  topology: { name: dragonfly, p: 2, a: 5, h: 2, roles: random }
  routing: dragonfly.par62-direct
  # lacewing explain tiled; docs/guide/stashing.md explains it
  switch:
    name: tiled
    rows: 2
    columns: 2
    carries: { local: [0, 1, 2, 3, 4], global: [2, 4] }
    # parts of the memory of end and local ports that may hold copies
    stash: { end: 0.875, local: 0.75 }
    # a copy stays until its packet is acknowledged
    reliability: true
  endpoint: queue-pairs
  links: { end: 5ns, local: 40ns, global: 500ns }
  cycle: 1ns
  flit: 10B

traffic: { pattern: uniform, packet: 24flits, load: 0.5 }

measure: { warmup: 5us, window: 10us, limit: 15us, drain: none }

seeds: 1

# capacity: how much of the stash may be used
sweep:
  network.switch.capacity: [1, 0.5, 0.25]
  traffic.load: [0.5, 0.75, 0.9]
`
