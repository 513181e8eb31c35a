// The endpoint part of BFC (bfc.ts): an endpoint does not send packets of a flow that its switch has paused.
import { type EndpointProtocol, type EndpointSite, UNTIL_WOKEN } from "../../../model/protocol.ts"
import { CONTROL } from "../isolation/control-messages.ts"
import { flowOf } from "./columns.ts"

export function makeFlowAdapter({ rows, column, packets, outer, wake }: EndpointSite, flows: number): EndpointProtocol {
  // [endpoint, flow] -> 1 while the flow is paused
  const closed = column(rows * flows)
  return {
    mayInject: (e, to) => (closed[e * flows + flowOf(outer(e), to, flows)] === 0 ? 0 : UNTIL_WOKEN),
    heard(e, p) {
      const on = packets.kind(p) === CONTROL.pause
      closed[e * flows + packets.value(p)] = on ? 1 : 0
      if (!on) wake(e)
    },
    columns: { closed },
    digest(add) {
      for (let e = 0; e < rows; e++) {
        if (outer(e) < 0) continue
        for (let f = 0; f < flows; f++) if (closed[e * flows + f] !== 0) add(outer(e), f)
      }
    },
  }
}
