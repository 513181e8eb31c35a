// A setup file of Vitest: gives the sources the constant LACEWING_BUILD, which a bundle contains.
import { inject } from "vitest"

declare module "vitest" {
  interface ProvidedContext {
    build: string
  }
}

Object.assign(globalThis, { LACEWING_BUILD: inject("build") })
