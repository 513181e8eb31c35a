// Runs after the compiler: writes types to dist/experiment/names.d.ts, from which an editor completes experiments in
// TypeScript: the names and aliases of all plug-ins, and the keys of experiments with their units. Part of the build.
import { writeFileSync } from "node:fs"
import { unitsOf } from "../dist/core/units.js"
import { Catalog } from "../dist/experiment/catalog.js"
import { editorSchema } from "../dist/experiment/editor-schema.js"
import { namedKinds } from "../dist/experiment/names.js"
import { library } from "../dist/library.js"

const quoted = (values) => values.map((v) => JSON.stringify(v)).join(" | ") || "never"

const names = namedKinds.map((kind) => {
  const all = library.filter((p) => p.kind === kind).flatMap((p) => [p.name, ...(p.aliases ?? [])])
  return `    readonly ${kind}: ${quoted(all)};`
})

/** Types that several keys share: name -> type. */
const shared = new Map()
function alias(name, type) {
  shared.set(name, type)
  return name
}

const capital = (word) => `${word[0].toUpperCase()}${word.slice(1)}`

/** Returns the TypeScript type of a JSON Schema of core/json-schema.ts. */
function typeOf(schema) {
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeOf))].join(" | ")
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return quoted(schema.enum)
  switch (schema.type) {
    case "integer":
    case "number":
      return "number"
    case "boolean":
      return "boolean"
    case "string":
      return schema.dimension === undefined ? "string" : quantity(schema.dimension)
    case "array":
      return `readonly (${typeOf(schema.items)})[]`
    case "object":
      return schema.properties === undefined ? recordOf(schema) : objectOf(schema)
    default:
      return "unknown"
  }
}

function quantity(dimension) {
  const units = alias(`${capital(dimension)}Unit`, quoted(unitsOf(dimension)))
  return alias(capital(dimension), `\`\${number}\${${units}}\` | \`\${number} \${${units}}\``)
}

function recordOf({ additionalProperties: values }) {
  return `Readonly<Record<string, ${values === undefined || values === false ? "unknown" : typeOf(values)}>>`
}

/** Nothing but the name is required: a sweep, a variant or an include may provide the other keys. */
function objectOf({ properties, required }) {
  const keys = Object.entries(properties).map(([key, of]) => {
    const about = of.description === undefined ? "" : `/** ${of.description.replaceAll("*/", "* /")} */ `
    return `${about}readonly ${JSON.stringify(key)}${key === "name" && required.includes(key) ? "" : "?"}: ${typeOf(of)}`
  })
  return `{ ${keys.join("; ")} }`
}

const { properties } = editorSchema(new Catalog())
const { plugins: _, lacewing, ...keys } = properties
const written = Object.entries(keys).map(([key, of]) => {
  const about = of.description === undefined ? "" : `    /** ${of.description.replaceAll("*/", "* /")} */\n`
  return `${about}    readonly ${key}?: ${typeOf(of)};`
})
const aliases = [...shared].map(([name, type]) => `type ${name} = ${type};`)

writeFileSync(
  new URL("../dist/experiment/names.d.ts", import.meta.url),
  `${aliases.join("\n")}
export interface Names {\n${names.join("\n")}\n}
export interface Written {
    readonly lacewing: ${typeOf(lacewing)};
${written.join("\n")}
}
`,
)
