// Terms of the field with a definition, the names that other simulators and InfiniBand use for them, and older words of
// lacewing's own texts. `explain` finds all of them.

import { engineTerms } from "./engine-terms.ts"
import { resultTerms } from "./result-terms.ts"
import { switchTerms } from "./switch-terms.ts"
import type { Term } from "./term.ts"
import { trafficTerms } from "./traffic-terms.ts"

export const terms: readonly Term[] = [...switchTerms, ...trafficTerms, ...engineTerms, ...resultTerms]
