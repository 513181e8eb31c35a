// The values of runs with queue-scheme switches: utilisation of the crossbar, and the CAM lines of schemes that isolate
// congested flows.
import { controlValues, family, type PluginValues } from "../../model/values.ts"
import { crossbarValues } from "../parts/utilisation.ts"

const isolates = "the scheme isolates congested flows"

export const values = {
  ...crossbarValues,
  ...controlValues,
  "isolation.lines": {
    about: "CAM lines in use at the end of the run, mean over the input ports",
    unit: "count",
    when: isolates,
  },
  "isolation.lines.max": {
    about: "largest number of CAM lines that an input port ever used",
    unit: "count",
    when: isolates,
  },
  "isolation.cam.utilisation": {
    about: "fraction of time in which the CAM of an input port had a line in use",
    unit: "fraction",
    when: isolates,
  },
  ...family(
    "isolation",
    "in the whole run",
    {
      born: "CAM lines allocated at input ports",
      aside: "packets moved to the queues of CAM lines",
      messages: "control messages between switches about CAM lines",
    },
    { unit: "count", when: isolates },
  ),
  "isolation.flits": {
    about: "in the whole run: flits of control messages between switches about CAM lines",
    unit: "flits",
    when: isolates,
  },
} satisfies PluginValues
