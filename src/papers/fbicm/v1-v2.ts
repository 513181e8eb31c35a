// The two versions of FBICM side by side; a Stop of version 1 carries the destinations of its line.
import { versionsFigure } from "./versions.ts"

export default versionsFigure("fbicm/v1-v2", "Versions 1 and 2: bytes of messages and throughput, one hot spot", "FBICM v1")
