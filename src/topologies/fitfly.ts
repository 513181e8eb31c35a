// Fit Fly: several Slim Fly planes that share their endpoints, one rail of each endpoint in every plane. "Fit Fly: a case study on interconnect
// innovation through parallel simulation", N. McGlohon, N. Wolfe, M. Mubarak and C. D. Carothers, 2019. Drawing: copies of slimfly.ts side by side with no link between them;
// endpoint t sits on router floor(t/p) of the even planes and, mirrored, on router 2q² - 1 - floor(t/p) of the odd ones, so that two endpoints
// far apart in one plane may be neighbours in the other. Limits: as slimfly.ts; planes 0 and 2, 1 and 3, … are wired alike.
import { int, schema } from "../core/schema.ts"
import type { TopologyPlugin } from "../model/plugin.ts"
import { checkSlimFly, makeSlimFly, type SlimFly, type SlimFlyParams, slimFlyParams, slimFlySize } from "./slimfly.ts"

export default {
  kind: "topology",
  name: "fitfly",
  about: "Slim Fly in several planes with mirrored wiring; every endpoint has a rail in each.",
  cites: "Fit Fly: a case study on interconnect innovation through parallel simulation, N. McGlohon et al., 2019",
  limits: "q a prime power above 2; rails = planes",
  params: schema({ ...slimFlyParams, rails: int({ about: "planes, and rails of each endpoint", min: 1, max: 64, default: 2 }) }),
  check: ({ q }) => checkSlimFly(q),
  size: (p) => slimFlySize(p, p.rails),
  make: (p) => makeSlimFly("fitfly", p, p.rails),
} satisfies TopologyPlugin<SlimFlyParams & { rails: number }, SlimFly>
