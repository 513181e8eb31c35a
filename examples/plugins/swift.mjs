// @ts-check
// Congestion control by delay: Swift. Each flow has a window, and each acknowledgement echoes the cycle in which its
// packet left. The queueing delay is the delay beyond the least one of the flow. Below the target the window grows, by
// `gain` full windows per longest round trip; with the square of the delay, so that near and far flows get equal rates.
// Above it, the window shrinks in proportion to the excess, at most by `maxCut` and once per round trip. Flow scaling
// raises the target of small windows. Limits: no pacing below one packet, and one delay for fabric and host together.

/** @type {import("lacewing/plugin").PluginFactory} */
export default ({ plugin, schema, real, int, protocol: { KIND, CONTROLLED }, flows: { each }, windows, roundTrip }) => {
  const { SCALE, OWN_WORD, FLIT_BITS, confirmation, confirmedFlits } = windows
  const TIME = 2 ** 19 - 1
  return plugin({
    kind: "congestion",
    name: "my.swift",
    about: "Controls windows by the delay of each packet, relative to a target.",
    cites: "Swift: Delay is Simple and Effective for Congestion Control in the Datacenter, G. Kumar et al., 2020",
    limits: "no pacing below one packet; one delay for the whole path",
    needs: () => ["protocols", "windows"],
    params: schema({
      roundTrip: roundTrip.field("Round trip without queues in cycles, which is the full window in flits"),
      base: real({ about: "Target queueing delay of a full window, in round trips", above: 0, default: 0.25 }),
      range: real({ about: "Largest addition of flow scaling, in round trips", min: 0, max: 100, default: 0.6 }),
      gain: real({ about: "Full windows that a window gains per round trip below the target", min: 0, default: 0.02 }),
      beta: real({ about: "Fraction of the excess delay that a cut removes", min: 0, max: 1, default: 0.8 }),
      maxCut: real({ about: "Largest fraction that one cut removes", min: 0, max: 1, default: 0.5 }),
      flows: int({ about: "Flows of one endpoint with a window", min: 1, max: 4096, default: 256 }),
    }),
    make: (p) => ({
      ...CONTROLLED,
      controlSlots: 256,
      ...roundTrip.fitted(p, settle, (settled) => ({
        ...CONTROLLED,
        controlSlots: 256,
        longestTimer: 32 * settled.roundTrip,
        endpoint: (site) => swift(site, settled),
      })),
    }),
  })

  /** Replaces auto by the round trip of the idle network. */
  function settle(p, on) {
    return { ok: { ...p, roundTrip: roundTrip.valueOr(p.roundTrip, on.roundTrip) } }
  }

  function swift(site, p) {
    const { packets, maxPacket } = site
    const flows = windows.make(site, p.flows, p.roundTrip, 16 * p.roundTrip, 2)
    const [least, full] = [maxPacket * SCALE, p.roundTrip * SCALE]
    const cutAt = flows.flows.word(OWN_WORD)
    const idle = flows.flows.word(OWN_WORD + 1)
    const [a, b] = [1 / Math.sqrt(full), 1 / Math.sqrt(least)]
    /** Flow scaling: range * (1 / sqrt(window) - 1 / sqrt(full)) / (1 / sqrt(least) - 1 / sqrt(full)). */
    const scaled = (window) => (b > a ? (p.range * (1 / Math.sqrt(window) - a)) / (b - a) : 0)
    const target = (window) => (p.base + scaled(window)) * p.roundTrip
    return {
      columns: flows.columns,
      mayInject: flows.mayInject,
      due: flows.due,
      injected(e, to, packet, now) {
        const fresh = flows.flows.find(e, to) < 0
        const row = flows.sent(e, to, packets.flits(packet), now)
        if (row >= 0 && fresh) {
          cutAt[row] = now - p.roundTrip
          idle[row] = p.roundTrip
        }
        packets.setValue(packet, now)
      },
      delivered(e, packet) {
        const value = confirmation(packets.value(packet) & TIME, packets.flits(packet))
        site.send(e, packets.src(packet), KIND.own, value, 1, site.firstClass)
      },
      received(e, packet, now) {
        if (packets.kind(packet) !== KIND.own) return false
        const flits = confirmedFlits(packets.value(packet))
        const row = flows.confirmed(e, packets.src(packet), flits, now)
        if (row < 0) return false
        const delay = (now - (packets.value(packet) >>> FLIT_BITS)) & TIME
        const window = flows.window[row]
        if (delay < idle[row]) idle[row] = delay
        const excess = delay - idle[row] - target(window)
        let next = window
        if (excess < 0) next += Math.round((p.gain * flits * SCALE * full * (delay / p.roundTrip) ** 2) / window)
        else if (now - cutAt[row] >= p.roundTrip) {
          next = Math.round(window * Math.max(1 - (p.beta * excess) / delay, 1 - p.maxCut))
          cutAt[row] = now
        }
        flows.window[row] = Math.min(full, Math.max(least, next))
        return false
      },
      digest(add) {
        flows.digest(add)
        each(site, flows.flows, (key, row) => add(key + 1, cutAt[row], idle[row]))
      },
    }
  }
}
