// Types of experiments. In the sources any name, key and value is allowed. The build writes the names of the library
// and the keys of experiments into the declaration of this file (scripts/names.mjs). An editor then completes them and
// marks unknown names, misspelt keys and wrong units.

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

/** An experiment without custom plug-ins. */
export interface Written {
  readonly lacewing: 1
  readonly [key: string]: unknown
}
