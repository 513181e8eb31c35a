// The values of runs with cbcm: throttle packets and throttled flows.
import { family, type PluginValues } from "../../model/values.ts"

const when = "network.congestion cbcm"

export const values = {
  ...family(
    "throttle",
    "in the whole run",
    {
      sent: "throttle packets that destinations sent",
      endpoints: "endpoints that were ever throttled",
      flows: "throttled flows, mean over time",
    },
    { unit: "count", when },
  ),
  ...family(
    "throttle",
    "fraction of the time of a flow in which it was throttled",
    {
      share: "mean over the flows",
      falsePositive: "mean over the flows to non-congested destinations",
    },
    { unit: "fraction", when },
  ),
} satisfies PluginValues
