// Fit Fly: several Slim Fly planes that share their endpoints, with one rail of each endpoint in every plane. "Fit Fly:
// a case study on interconnect innovation through parallel simulation", N. McGlohon, N. Wolfe, M. Mubarak and C. D.
// Carothers, 2019.
//
// The planes are copies of slimfly.ts with no link between them. Endpoint t is attached to router floor(t/p) in even
// planes. In odd planes the order is mirrored: it is attached to router 2q² - 1 - floor(t/p). Two endpoints that are
// far apart in one plane may therefore be neighbours in the other. Limits: as slimfly.ts; planes 0 and 2, 1 and 3, ...
// are wired alike.
import { int, schema } from "../core/schema.ts"
import type { TopologyPlugin } from "../model/plugin.ts"
import { checkSlimFly, makeSlimFly, type SlimFly, type SlimFlyParams, slimFlyParams, slimFlySize } from "./slimfly.ts"

export default {
  kind: "topology",
  name: "fitfly",
  about: "Slim Fly in several planes with mirrored links; each endpoint has a rail in each plane.",
  cites: "Fit Fly: a case study on interconnect innovation through parallel simulation, N. McGlohon et al., 2019",
  limits: "q a prime power above 2; rails = planes",
  params: schema({
    ...slimFlyParams,
    rails: int({ about: "Number of planes, and of rails of each endpoint", min: 1, max: 64, default: 2 }),
  }),
  check: ({ q }) => checkSlimFly(q),
  size: (p) => slimFlySize(p, p.rails),
  make: (p) => makeSlimFly("fitfly", p, p.rails),
} satisfies TopologyPlugin<SlimFlyParams & { rails: number }, SlimFly>
