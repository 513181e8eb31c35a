// Generator of small InfiniBand fabrics: switches, links and hosts as `ibnetdiscover` prints them, and forwarding
// tables as `dump_lfts.sh` prints them.

export interface Fabric {
  /** [switch] -> hosts at its first ports */
  readonly hosts: readonly number[]
  /** pairs of switches; a pair that stands twice is two cables */
  readonly links: readonly (readonly [number, number])[]
}

/** A fat tree of `leaves` and `spines`: every leaf is linked to every spine. */
export function fatTree(leaves: number, spines: number, hosts: number): Fabric {
  const links = Array.from(
    { length: leaves * spines },
    (_, i) => [i % leaves, leaves + Math.floor(i / leaves)] as const,
  )
  return { hosts: Array.from({ length: leaves + spines }, (_, s) => (s < leaves ? hosts : 0)), links }
}

/** Groups of `a` switches that are all linked, and one link between each pair of groups. */
export function dragonfly(groups: number, a: number, hosts: number): Fabric {
  const links: [number, number][] = []
  for (let g = 0; g < groups; g++) {
    for (let i = 0; i < a; i++) for (let j = i + 1; j < a; j++) links.push([g * a + i, g * a + j])
    for (let h = g + 1; h < groups; h++) links.push([g * a + ((h - 1) % a), h * a + (g % a)])
  }
  return { hosts: new Array<number>(groups * a).fill(hosts), links }
}

/** A ring, with a chord between switches 0 and 2. */
export function ringWithChord(switches: number): Fabric {
  const links = Array.from({ length: switches }, (_, i) => [i, (i + 1) % switches] as [number, number])
  return { hosts: new Array<number>(switches).fill(1), links: [...links, [0, 2]] }
}

interface Cable {
  readonly a: number
  readonly portA: number
  readonly b: number
  readonly portB: number
}

/** Cables with their ports: hosts first, then links in order. */
export function cablesOf({ hosts, links }: Fabric): Cable[] {
  const next = hosts.map((n) => n + 1)
  return links.map(([a, b]) => ({ a, portA: next[a]++, b, portB: next[b]++ }))
}

const hex = (n: number) => n.toString(16).padStart(16, "0")
export const guidOf = (s: number) => hex(0x200000 + s)
const hostGuid = (h: number) => hex(0x100000 + 2 * h)
/** LIDs of hosts follow those of the switches. */
export const lidOf = (f: Fabric, host: number) => f.hosts.length + 1 + host

/** [switch] -> number of its first host */
export function firstHosts({ hosts }: Fabric): number[] {
  return hosts.map((_, s) => hosts.slice(0, s).reduce((a, b) => a + b, 0))
}

/** The fabric as `ibnetdiscover` prints it. */
export function ibnetdiscoverText(f: Fabric, speed = "4xEDR"): string {
  const cables = cablesOf(f)
  const first = firstHosts(f)
  const lines = ["#", "# Topology file: generated on Mon Jan  5 10:00:00 2026", "#", ""]
  f.hosts.forEach((hosts, s) => {
    lines.push("vendid=0x2c9", "devid=0xcb20", `switchguid=0x${guidOf(s)}(${guidOf(s)})`)
    lines.push(`Switch\t36 "S-${guidOf(s)}"\t\t# "MF0;sw${s}:MSB7700/U1" enhanced port 0 lid ${s + 1} lmc 0`)
    for (let i = 0; i < hosts; i++) {
      const h = first[s] + i
      lines.push(`[${i + 1}]\t"H-${hostGuid(h)}"[1](${hostGuid(h)}) \t# "node${h} HCA-1" lid ${lidOf(f, h)} ${speed}`)
    }
    for (const { a, portA, b, portB } of cables) {
      const line = (port: number, to: number, other: number) =>
        lines.push(`[${port}]\t"S-${guidOf(to)}"[${other}]\t\t# "MF0;sw${to}:MSB7700/U1" lid ${to + 1} ${speed}`)
      if (a === s) line(portA, b, portB)
      if (b === s) line(portB, a, portA)
    }
    lines.push("")
  })
  f.hosts.forEach((hosts, s) => {
    for (let i = 0; i < hosts; i++) {
      const h = first[s] + i
      lines.push(`caguid=0x${hostGuid(h)}`, `Ca\t1 "H-${hostGuid(h)}"\t\t# "node${h} HCA-1"`)
      const lid = lidOf(f, h)
      lines.push(
        `[1](${hostGuid(h)}) \t"S-${guidOf(s)}"[${i + 1}]\t\t# lid ${lid} lmc 0 "MF0;sw${s}:MSB7700/U1" lid ${s + 1} ${speed}`,
        "",
      )
    }
  })
  return lines.join("\n")
}

/** [switch][goal] -> physical port of a shortest path, the first that serves; `allowed` may forbid steps. */
export function shortestPorts(
  f: Fabric,
  allowed: (from: number, to: number, goal: number) => boolean = () => true,
): number[][] {
  const n = f.hosts.length
  const out: { to: number; port: number }[][] = Array.from({ length: n }, () => [])
  for (const { a, portA, b, portB } of cablesOf(f)) {
    out[a].push({ to: b, port: portA })
    out[b].push({ to: a, port: portB })
  }
  const ports = Array.from({ length: n }, () => new Array<number>(n).fill(0))
  for (let goal = 0; goal < n; goal++) {
    const queue = [goal]
    const seen = new Set(queue)
    for (const to of queue)
      for (let from = 0; from < n; from++) {
        const step = out[from].find((o) => o.to === to)
        if (step === undefined || seen.has(from) || !allowed(from, to, goal)) continue
        seen.add(from)
        ports[from][goal] = step.port
        queue.push(from)
      }
  }
  return ports
}

/** Forwarding tables as `dump_lfts.sh` prints them; `ports`: [switch][goal] -> port. */
export function lftText(f: Fabric, ports: readonly (readonly number[])[]): string {
  const first = firstHosts(f)
  const lines: string[] = []
  f.hosts.forEach((_, s) => {
    lines.push(`Unicast lids [0x0-0x40] of switch Lid ${s + 1} guid 0x${guidOf(s)} (MF0;sw${s}:MSB7700/U1):`)
    lines.push("  Lid  Out   Destination", "       Port     Info ")
    lines.push(`0x${(s + 1).toString(16).padStart(4, "0")} 000 : (Switch portguid 0x${guidOf(s)}: 'sw${s}')`)
    f.hosts.forEach((hosts, goal) => {
      for (let i = 0; i < hosts; i++) {
        const port = goal === s ? i + 1 : ports[s][goal]
        const lid = lidOf(f, first[goal] + i)
        lines.push(
          `0x${lid.toString(16).padStart(4, "0")} ${String(port).padStart(3, "0")} : (Channel Adapter portguid 0x${hostGuid(first[goal] + i)}: 'node${first[goal] + i} HCA-1')`,
        )
      }
    })
    lines.push("12 valid lids dumped ", "")
  })
  return lines.join("\n")
}
