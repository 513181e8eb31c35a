// The other reading of version 1: a Stop carries the field of the list, with a place for each endpoint.
import { versionsFigure } from "./versions.ts"

export default versionsFigure(
  "fbicm/v1-field",
  "Versions 1 (Stops with the whole field of a list) and 2, one hot spot",
  "FBICM v1, whole field",
)
