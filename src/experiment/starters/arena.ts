// Compares congestion controls on an incast. `lacewing arena FILE` scores them.
export const arena = `# yaml-language-server: $schema=schema.json
lacewing: 1
title: Which congestion protocol spares the victims?

network:
  topology: { name: hyperx, sides: "4", p: 4 }
  routing: { name: hyperx.ugal-l, candidate: any }
  switch: { name: combined, vcs: 4 }
  # protocols need a queue for each destination
  endpoint: { name: queue-pairs, ack: 0flits, active: 1024 }
  links: { link: 100cycles, end: 1cycle }

# lacewing arena needs these two names
traffic:
  # four endpoints begin to send all they can to a fifth
  - { name: hot, pattern: { name: to-set, set: [4] }, from: [0, 5, 8, 12], load: 1, packet: 32flits, message: 4packets, start: 10kcycles }
  # the others have nothing to do with it
  - name: victims
    pattern: { name: to-set, set: [1, 2, 3, 6, 7, 9, 10, 11, 13, 14, 15] }
    from: [1, 2, 3, 6, 7, 9, 10, 11, 13, 14, 15]
    load: 0.3
    packet: 32flits
    message: 4packets

measure: { warmup: 10kcycles, window: 30kcycles, limit: 40kcycles, drain: none, saturation: never, series: 200cycles }
probes: [series, endpoints]

# one variant for each protocol, with the VCs that it needs: docs/guide/congestion-control.md. Add your own
variants:
  none: {}
  ecn-delay: { network: { congestion: { name: ecn-delay }, switch: { vcs: 5 } } }
  cbcm: { network: { congestion: { name: cbcm }, switch: { vcs: 6 } } }
  hpcc: { network: { congestion: { name: hpcc }, switch: { vcs: 5 } } }
`
