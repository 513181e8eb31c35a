// @ts-check
// Per-flow back-pressure in the manner of HPE Slingshot: only flows to a congested endpoint are slowed down, at once
// and by much, and they recover as soon as the queue is gone. An output marks packets while more than `threshold` flits are
// queued for it. A marked acknowledgement halves the window of its flow, down to one packet, once per round trip. Other
// acknowledgements open it again by `gain` flits per round trip.
// Limits: the switch of Slingshot tracks endpoint pairs itself; here the marks of packets carry the information.

/** @type {import("lacewing/plugin").PluginFactory} */
export default ({
  plugin,
  schema,
  flits,
  real,
  int,
  protocol: { KIND, CONTROLLED },
  flows: { each },
  windows,
  roundTrip,
}) => {
  const { SCALE, OWN_WORD, FLIT_BITS, confirmation, confirmedFlits } = windows
  return plugin({
    kind: "congestion",
    name: "my.back-pressure",
    about: "Halves the window of a flow whose packets were marked, and opens it again.",
    cites: "An In-Depth Analysis of the Slingshot Interconnect, D. De Sensi et al., 2020",
    limits: "marks of packets replace the tracking of endpoint pairs in switches",
    needs: () => ["telemetry", "protocols", "windows"],
    params: schema({
      threshold: flits({
        about: "Flits queued for an output from which it marks",
        min: 1,
        max: 1e6,
        default: "64flits",
      }),
      roundTrip: roundTrip.field("Round trip without queues in cycles, which is the full window in flits"),
      gain: real({ about: "Flits that a window gains per round trip without marks", max: 1000, default: 4 }),
      flows: int({ about: "Flows of one endpoint with a window", min: 1, max: 4096, default: 256 }),
    }),
    make: (p) => ({
      ...CONTROLLED,
      controlSlots: 256,
      telemetry: {},
      ...roundTrip.fitted(p, settle, (settled) => ({
        ...CONTROLLED,
        controlSlots: 256,
        telemetry: { marks: { kmin: p.threshold, kmax: p.threshold + 1, pmax: 1 } },
        longestTimer: 32 * settled.roundTrip,
        endpoint: (site) => pressed(site, settled),
      })),
    }),
  })

  /** Replaces auto by the round trip of the idle network. */
  function settle(p, on) {
    return { ok: { ...p, roundTrip: roundTrip.valueOr(p.roundTrip, on.roundTrip) } }
  }

  function pressed(site, p) {
    const { packets, maxPacket } = site
    const flows = windows.make(site, p.flows, p.roundTrip, 16 * p.roundTrip, 1)
    const [least, full] = [maxPacket * SCALE, p.roundTrip * SCALE]
    const cutAt = flows.flows.word(OWN_WORD)
    return {
      columns: flows.columns,
      mayInject: flows.mayInject,
      due: flows.due,
      injected(e, to, packet, now) {
        const fresh = flows.flows.find(e, to) < 0
        const row = flows.sent(e, to, packets.flits(packet), now)
        if (row >= 0 && fresh) cutAt[row] = now - p.roundTrip
      },
      delivered(e, packet) {
        const value = confirmation(packets.marked(packet) ? 1 : 0, packets.flits(packet))
        site.send(e, packets.src(packet), KIND.own, value, 1, site.firstClass)
      },
      received(e, packet, now) {
        if (packets.kind(packet) !== KIND.own) return false
        const value = packets.value(packet)
        const row = flows.confirmed(e, packets.src(packet), confirmedFlits(value), now)
        if (row < 0) return false
        const window = flows.window[row]
        let next = window
        if (value >>> FLIT_BITS === 0) next += Math.round((p.gain * confirmedFlits(value) * SCALE * SCALE) / window)
        else if (now - cutAt[row] >= p.roundTrip) {
          next = window >> 1
          cutAt[row] = now
        }
        flows.window[row] = Math.min(full, Math.max(least, next))
        return false
      },
      digest(add) {
        flows.digest(add)
        each(site, flows.flows, (key, row) => add(key + 1, cutAt[row]))
      },
    }
  }
}
