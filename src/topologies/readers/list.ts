// Collects the content of a graph file: routers by name, links with class, latency and multiplicity, and endpoints. The
// readers of CSV, JSON, GraphML and matrices fill a LinkList, which numbers the routers in the order in which they
// appear and checks the limits.
import { type Complaint, complain } from "../../core/complaint.ts"
import { beyond, type Edge, type EdgeList, MOST_COMPLAINTS, MOST_LATENCY, senseOf, total } from "../edges.ts"

export interface ReadGraph {
  readonly list: EdgeList
  readonly bad: Complaint[]
}

export class LinkList {
  private readonly numbers = new Map<string, number>()
  private readonly names: string[] = []
  private readonly edges: Edge[] = []
  private readonly times: number[] = []
  private readonly ends: number[] = []
  private anyEnd = false
  readonly bad: Complaint[] = []

  /** Returns the number of a router, which is new if the name is. */
  router(name: string): number {
    const known = this.numbers.get(name)
    if (known !== undefined) return known
    this.numbers.set(name, this.names.length)
    this.ends.push(0)
    return this.names.push(name) - 1
  }

  link(a: string, b: string, linkClass: string, latency: number, times: number, where: string): void {
    if (!Number.isInteger(latency) || latency < 1 || latency > MOST_LATENCY)
      this.complain(
        where,
        `latency ${latency} is not a number of cycles`,
        `write a whole number from 1 to ${MOST_LATENCY}`,
      )
    else if (!Number.isInteger(times) || times < 1)
      this.complain(where, `${times} is not a number of parallel links`, "write a whole number from 1")
    else {
      this.edges.push({ a: this.router(a), b: this.router(b), linkClass, latency })
      this.times.push(times)
    }
  }

  endpoints(router: string, count: number, where: string): void {
    this.anyEnd = true
    if (!Number.isInteger(count) || count < 0)
      this.complain(where, `${count} is not a number of endpoints`, "write a whole number")
    else this.ends[this.router(router)] += count
  }

  complain(where: string, says: string, fix: string): void {
    if (this.bad.length < MOST_COMPLAINTS) this.bad.push(complain(where, says, fix))
  }

  /** Returns the list and all errors. `duplicates`: a link that is written twice is two links; otherwise it is an
   *  error. */
  finish(duplicates: boolean): ReadGraph {
    const large = beyond(total(this.times), total(this.ends), new Set(this.edges.map((e) => e.linkClass)).size)
    const sense = senseOf(this.names, this.edges, duplicates)
    const edges = large.length > 0 ? [] : this.edges.flatMap((e, i) => new Array<Edge>(this.times[i]).fill(e))
    const bad = [...large, ...this.bad, ...sense].slice(0, MOST_COMPLAINTS)
    return { list: { names: this.names, edges, ends: this.anyEnd ? this.ends : undefined }, bad }
  }
}
