// The contract of endpoints.
import { endpoints } from "../../src/library.ts"
import { keepsWhatItIsGiven } from "./keeps.ts"

keepsWhatItIsGiven("endpoint", endpoints, 2)
