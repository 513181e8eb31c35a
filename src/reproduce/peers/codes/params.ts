// The recorded runs as configurations of CODES: the keys of its .conf file. program.ts passes them to CODES, network.ts
// maps them to a lacewing network.
import type { CodesConfig } from "./network.ts"

/** What of a run is in that file. */
export interface CodesShape {
  /** sf = Slim Fly and Fit Fly, df = dragonfly, mf = dragonfly+; then the endpoints */
  readonly network: string
  readonly routing: string
  readonly rails: number
  readonly select: string
  readonly chunk: number
  /** dragonfly: no propagation delay */
  readonly noDelay: boolean
}

/** GiB/s of every link */
export const LINK_GIBPS = 12.5

/** Where CODES' source tree keeps who is linked to whom: two binary files for each network, named -intra and -inter. */
export const connections: Readonly<Record<string, string>> = {
  df72: "dragonfly-dally/dfdally-72",
  df3078: "dragonfly-dally/dfdally-3k",
  mf80: "dragonfly-plus/dfp-test",
  mf3240: "dragonfly-plus/dfp-3k",
}

interface Shape {
  readonly model: string
  readonly repetitions: number
  /** endpoints and routers of one repetition */
  readonly ends: number
  readonly routers: number
  readonly params: Readonly<Record<string, string | number>>
}

/** Slim Fly: q, p, links to the own column; dragonfly: groups, routers of each, endpoints and global links of a router;
 *  dragonfly+: groups, leaves (and spines, endpoints, links). */
const sizes: Readonly<Record<string, readonly [number, number, number, number]>> = {
  sf200: [5, 4, 2, 0],
  sf3042: [13, 9, 6, 0],
  df72: [9, 4, 2, 2],
  df3078: [19, 18, 9, 9],
  mf80: [5, 4, 4, 4],
  mf3240: [10, 18, 18, 18],
}

function shapeOf(e: CodesShape): Shape {
  const [x, y, z, w] = sizes[e.network] ?? sizes["mf3240"]
  const links = connections[e.network] ?? ""
  const files = { "intra-group-connections": `${links}-intra`, "inter-group-connections": `${links}-inter` }
  switch (e.network.slice(0, 2)) {
    case "sf": {
      const rails = { sf_type: e.rails > 1 ? 1 : 0, num_rails: e.rails, rail_select: e.rails > 1 ? e.select : "none" }
      const params = { ...rails, num_routers: x, num_terminals: y, local_channels: z, global_channels: x, num_vcs: 4 }
      return { model: "slimfly", repetitions: 2 * x ** 2, ends: y, routers: e.rails, params }
    }
    case "df": {
      const size = { num_routers: y, num_groups: x, num_cns_per_router: z, num_global_channels: w }
      const delays = e.noDelay ? { cn_delay: 0, local_delay: 0, global_delay: 0 } : {}
      return {
        model: "dragonfly_dally",
        repetitions: x * y,
        ends: z,
        routers: 1,
        params: { ...size, adaptive_threshold: 0, ...delays, ...files },
      }
    }
    default: {
      const size = { num_router_leaf: y, num_router_spine: y, num_groups: x, num_cns_per_router: z, num_level_chans: 1 }
      const params = { ...size, num_global_connections: w, route_scoring_metric: "delta", ...files }
      return { model: "dragonfly_plus", repetitions: x, ends: y * z, routers: 2 * y, params }
    }
  }
}

/** The keys of its block LPGROUPS. */
export function codesGroups(e: CodesShape): CodesConfig {
  const { model, repetitions, ends, routers } = shapeOf(e)
  return texts({ repetitions, "nw-lp": ends, [`modelnet_${model}`]: ends, [`modelnet_${model}_router`]: routers })
}

/** The keys of its block PARAMS, but for the generators of a Slim Fly; connection files without their folder. */
export function codesParams(e: CodesShape): CodesConfig {
  const { model, params } = shapeOf(e)
  const each = (value: number, ...keys: string[]) => Object.fromEntries(keys.map((k) => [k, value]))
  return texts({
    ...params,
    modelnet_order: `${model},${model}_router`,
    modelnet_scheduler: "fcfs",
    routing: e.routing,
    packet_size: 4096,
    chunk_size: e.chunk,
    ...each(65536, "local_vc_size", "global_vc_size", "cn_vc_size"),
    ...each(LINK_GIBPS, "local_bandwidth", "global_bandwidth", "cn_bandwidth"),
    router_delay: 90,
    nic_seq_delay: 10,
    num_injection_queues: e.rails,
    node_copy_queues: 1,
    node_eager_limit: 16000,
  })
}

function texts(of: Readonly<Record<string, string | number>>): CodesConfig {
  return Object.fromEntries(Object.entries(of).map(([key, value]) => [key, String(value)]))
}
