// Names of plug-ins for the types of experiments. In the sources any text is allowed. The build writes the names of the
// library into the declaration of this file (scripts/names.mjs). An editor then completes them and marks unknown names.
export interface Names {
  readonly topology: string
  readonly routing: string
  readonly switch: string
  readonly endpoint: string
  readonly congestion: string
  readonly qos: string
  readonly pattern: string
  readonly arrivals: string
  readonly probe: string
}
