// The contract of congestion managements.
import { congestions } from "../../src/library.ts"
import { keepsWhatItIsGiven } from "./keeps.ts"

keepsWhatItIsGiven("congestion", congestions, 2)
