// A setup file of Vitest: property tests draw the same cases in every run, so a change, and nothing else, turns a test
// red. LACEWING_SEED sets another seed; LACEWING_SEED=random draws a new one for each test, to look for new cases.
import fc from "fast-check"

const { LACEWING_SEED: wish = "20260901" } = process.env
const seed = Number(wish)
if (wish !== "random" && !Number.isInteger(seed)) throw new Error("LACEWING_SEED: set a whole number, or random")

fc.configureGlobal({ ...fc.readConfigureGlobal(), ...(wish === "random" ? {} : { seed }) })
