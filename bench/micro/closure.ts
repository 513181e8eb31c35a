// A loop over columns with different origins of the arrays. While a function has a single closure, V8 embeds the
// addresses of its captured variables in machine code. The second call of the same factory disables that for both
// closures.
import { race } from "./race.ts"

const N = 4096
type Kernel = () => number

function columns() {
  return {
    count: new Uint16Array(N).fill(3),
    credit: new Uint16Array(N).fill(2),
    owner: Int32Array.from({ length: N }, (_, i) => (i * 7) & (N - 1)),
  }
}

/** The text of a factory. Each evaluation is a new function to V8. */
const source = `
  return function make({ count, credit, owner }) {
    return function step() {
      let sum = 0
      for (let i = 0; i < ${N}; i++) {
        const o = owner[i]
        if (count[o] > 0 && credit[i] > 0) { sum += count[o] + credit[i]; count[o] ^= 1; credit[i] ^= 1; count[o] ^= 1; credit[i] ^= 1 }
      }
      return sum
    }
  }`
let copies = 0
const fresh = (): ((c: ReturnType<typeof columns>) => Kernel) => new Function(`${source} // copy ${copies++}`)()

class Stepper {
  private readonly count: Uint16Array
  private readonly credit: Uint16Array
  private readonly owner: Int32Array
  constructor(c: ReturnType<typeof columns>) {
    this.count = c.count
    this.credit = c.credit
    this.owner = c.owner
  }
  step(): number {
    let sum = 0
    for (let i = 0; i < N; i++) {
      const o = this.owner[i]
      if (this.count[o] > 0 && this.credit[i] > 0) {
        sum += this.count[o] + this.credit[i]
        this.count[o] ^= 1
        this.credit[i] ^= 1
        this.count[o] ^= 1
        this.credit[i] ^= 1
      }
    }
    return sum
  }
}

const single = fresh()(columns())
const factory = fresh()
const first = factory(columns())
const second = factory(columns())
const stepper = new Stepper(columns())
await race("one pass over columns (per element)", N, {
  "closure, its own copy of the code": single,
  "closure, factory called twice: the first": first,
  "closure, factory called twice: the second": second,
  "class, this.column everywhere": () => stepper.step(),
})
