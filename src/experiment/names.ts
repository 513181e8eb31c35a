// Names of plug-ins for the types of experiments. In the sources any text is allowed. The build writes the names of the
// library into the declaration of this file (scripts/names.mjs). An editor then completes them and marks unknown names.

/** The kinds whose names are typed. */
export const namedKinds = [
  "topology",
  "routing",
  "switch",
  "endpoint",
  "congestion",
  "qos",
  "pattern",
  "arrivals",
  "probe",
] as const

export type Names = Readonly<Record<(typeof namedKinds)[number], string>>
