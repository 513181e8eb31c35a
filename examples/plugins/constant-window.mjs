// @ts-check
// The simplest congestion control: at most `window` flits of a flow are outstanding. Each packet is acknowledged by a
// control packet of one flit, which reduces the outstanding flits again. The file has every part that a protocol needs.

/** @type {import("lacewing/plugin").PluginFactory} */
export default ({ plugin, schema, flits, cycles, int, complain, protocol: { KIND, CONTROLLED }, windows }) =>
  plugin({
    kind: "congestion",
    name: "my.constant-window",
    about: "Limits the outstanding flits of each flow to a constant window.",
    needs: () => ["protocols", "windows"],
    params: schema({
      window: flits({ about: "Outstanding flits of a flow", min: 1, max: 1e5, default: "512flits" }),
      silent: cycles({ about: "Time without packets after which a flow is removed", max: 1e6, default: "8kcycles" }),
      flows: int({ about: "Flows of one endpoint with a window; others send freely", min: 1, max: 4096, default: 256 }),
    }),
    check: ({ silent }) =>
      silent < 100 ? [complain("silent", `${silent} cycles are less than a round trip`, "set it to 100cycles")] : [],
    make: (p) => ({
      // One VC for control packets of one flit, ahead of all data.
      ...CONTROLLED,
      controlSlots: 256,
      longestTimer: 2 * p.silent,
      endpoint(site) {
        const { packets } = site
        const flows = windows.make(site, p.flows, p.window, p.silent, 0)
        return {
          columns: flows.columns,
          mayInject: flows.mayInject,
          due: flows.due,
          digest: flows.digest,
          injected: (e, to, packet, now) => void flows.sent(e, to, packets.flits(packet), now),
          delivered(e, packet) {
            const value = windows.confirmation(0, packets.flits(packet))
            site.send(e, packets.src(packet), KIND.own, value, 1, site.firstClass)
          },
          received(e, packet, now) {
            if (packets.kind(packet) === KIND.own)
              flows.confirmed(e, packets.src(packet), windows.confirmedFlits(packets.value(packet)), now)
            return false
          },
        }
      },
    }),
  })
