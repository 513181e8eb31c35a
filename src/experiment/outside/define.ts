// The forms of the default export of a module with custom plug-ins.
import type { Kit, OutsidePlugin } from "../../kit.ts"

/**
 * A function that receives the kit, so that the module needs no imports. The parameters of its plug-ins differ, so they
 * have no type here: `kit.plugin` gives a plug-in that of its own schema.
 */
// biome-ignore lint/suspicious/noExplicitAny: one type for plug-ins with any parameters; `unknown` would reject them
export type PluginFactory = (kit: Kit) => OutsidePlugin<any> | readonly OutsidePlugin<any>[]
