// JSON Schema (draft 2020-12) for editors, as plain objects behind a few builders. Parsing and complaints are
// schema.ts's own; a validation library here would only cost every start of the program its loading time (about 100 ms
// of CPU for zod, measured).

export class JsonSchema {
  readonly schema: Readonly<Record<string, unknown>>
  readonly needed: boolean
  constructor(schema: Readonly<Record<string, unknown>>, needed = true) {
    this.schema = schema
    this.needed = needed
  }
  describe(description: string): JsonSchema {
    return new JsonSchema({ ...this.schema, description }, this.needed)
  }
  /** An older name: editors accept it and mark it. */
  deprecated(description: string): JsonSchema {
    return new JsonSchema({ ...this.schema, description, deprecated: true }, false)
  }
  optional(): JsonSchema {
    return new JsonSchema(this.schema, false)
  }
}

const of = (schema: Record<string, unknown>): JsonSchema => new JsonSchema(schema)

export const json = {
  int: (): JsonSchema => of({ type: "integer" }),
  number: (): JsonSchema => of({ type: "number" }),
  string: (): JsonSchema => of({ type: "string" }),
  /** A text with a unit of the dimension, or 0. The build makes a type of `dimension` (scripts/names.mjs). */
  quantity: (dimension: string, pattern: string, words: readonly string[] = []): JsonSchema =>
    of({
      anyOf: [{ type: "string", pattern, dimension }, { const: 0 }, ...(words.length === 0 ? [] : [{ enum: words }])],
    }),
  boolean: (): JsonSchema => of({ type: "boolean" }),
  literal: (value: string | number): JsonSchema => of({ const: value }),
  enum: (values: readonly string[]): JsonSchema => of({ enum: values }),
  array: (items: JsonSchema): JsonSchema => of({ type: "array", items: items.schema }),
  union: (any: readonly JsonSchema[]): JsonSchema => of({ anyOf: any.map((s) => s.schema) }),
  record: (values: JsonSchema): JsonSchema => of({ type: "object", additionalProperties: values.schema }),
  /** no keys but these */
  object: (fields: Readonly<Record<string, JsonSchema>>): JsonSchema =>
    of({
      type: "object",
      properties: Object.fromEntries(Object.entries(fields).map(([k, f]) => [k, f.schema])),
      required: Object.keys(fields).filter((k) => fields[k].needed),
      additionalProperties: false,
    }),
}
