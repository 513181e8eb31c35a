// The contract of switches.
import { switches } from "../../src/library.ts"
import { keepsWhatItIsGiven } from "./keeps.ts"

keepsWhatItIsGiven("switch", switches, 3)
