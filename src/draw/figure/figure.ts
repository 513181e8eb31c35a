// Figures as data: what is to be seen, with every value as it is stored. Drawing is figure-draw.ts; a recorded paper
// keeps this, not the picture.

export type Axis = {
  readonly label: string
  readonly log?: boolean
  readonly min?: number
  readonly max?: number
  /** cells: what one column or row stands for */
  readonly step?: number
  /** cells: the name of each column or row, instead of numbers */
  readonly names?: readonly string[]
  readonly format?: "number" | "percent"
}

/** Shown under the pointer: name and exact value. */
export type Fact = readonly [name: string, value: number | string]

export type Spot = {
  readonly x: number
  readonly y: number
  /** ends of the interval of y */
  readonly low?: number
  readonly high?: number
  /** beyond the edge of the figure (saturated, or far above the rest): drawn there, open */
  readonly off?: boolean
  /** the network made no progress: drawn as a filled cross that is not part of the line */
  readonly stands?: "deadlock" | "starved"
  /** absent: x and y under the names of their axes */
  readonly facts?: readonly Fact[]
}
export type Line = {
  readonly name: string
  readonly spots: readonly Spot[]
  readonly smooth?: boolean
  /** absent: the axis on the left */
  readonly axis?: "right"
}

/** A number from another source, drawn with the lines. Without x or y it is a rule across the figure. */
export type Mark = {
  readonly x?: number
  readonly y?: number
  readonly name: string
  /** where it was published */
  readonly source: string
}

type Common = { readonly id: string; readonly title: string; readonly caption: string }

export type LinesFigure = Common & {
  readonly kind: "lines"
  readonly x: Axis
  readonly y: Axis
  /** a second axis, for lines that are not of the kind of y */
  readonly right?: Axis
  readonly lines: readonly Line[]
  readonly marks?: readonly Mark[]
  /** what they are; absent: numbers of a paper's text */
  readonly marked?: string
  /** a reference line y = x */
  readonly diagonal?: boolean
  /** markers on every spot, or lines alone */
  readonly markers: boolean
}

export type BarsFigure = Common & {
  readonly kind: "bars"
  readonly x: Axis
  readonly bars: readonly {
    readonly name: string
    readonly value: number
    readonly low?: number
    readonly high?: number
    readonly facts: readonly Fact[]
  }[]
}

/** One bar for each row, cut into named parts that add up. */
export type StackFigure = Common & {
  readonly kind: "stack"
  readonly x: Axis
  readonly parts: readonly string[]
  readonly rows: readonly { readonly name: string; readonly values: readonly number[] }[]
}

/** Layers one upon another along x: what each of several streams takes of a whole. Every layer has a value for every x.
 *  */
export type AreasFigure = Common & {
  readonly kind: "areas"
  readonly x: Axis
  readonly y: Axis
  /** ascending */
  readonly at: readonly number[]
  /** the first lies at the bottom */
  readonly layers: readonly { readonly name: string; readonly values: readonly number[] }[]
}

/** A grid of cells coloured by value; `max` is the value of the darkest colour. */
export type CellsFigure = Common & {
  readonly kind: "cells"
  readonly x: Axis
  readonly y: Axis
  readonly columns: number
  readonly rows: number
  readonly unit: string
  readonly max: number
  readonly cells: readonly {
    readonly x: number
    readonly y: number
    readonly value: number
    readonly facts: readonly Fact[]
  }[]
  /** rows may be taller than columns are wide */
  readonly tall?: true
  /** first row of each band with its name */
  readonly bands?: readonly { readonly row: number; readonly name: string }[]
}

/** A time line: intervals of each row, coloured by their part. */
export type SpansFigure = Common & {
  readonly kind: "spans"
  readonly x: Axis
  readonly parts: readonly string[]
  readonly rows: readonly {
    readonly name: string
    readonly spans: readonly {
      readonly from: number
      readonly until: number
      /** number of its part */
      readonly part: number
      readonly facts: readonly Fact[]
    }[]
  }[]
}

/** A network with values on some of its routers and channels. Those without a value are drawn faintly. */
export type GraphFigure = Common & {
  readonly kind: "graph"
  readonly unit: string
  /** the highest value has the strongest colour, and values may be fractions; absent: the lowest of whole numbers */
  readonly rising?: true
  readonly max: number
  /** places in any unit; `end`: an endpoint, drawn small */
  readonly nodes: readonly {
    readonly x: number
    readonly y: number
    readonly end?: true
    readonly value?: number
    readonly facts: readonly Fact[]
  }[]
  /** numbers of nodes */
  readonly channels: readonly {
    readonly from: number
    readonly to: number
    /** a straight line would cross other nodes */
    readonly bent?: true
    readonly value?: number
    readonly facts?: readonly Fact[]
  }[]
}

export type Figure = LinesFigure | BarsFigure | StackFigure | AreasFigure | CellsFigure | SpansFigure | GraphFigure
