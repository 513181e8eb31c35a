// The data and workers of the site. In a page that is a single file they are inside of it; otherwise they are files
// next to the page.

const embedded = (name: string): string | undefined =>
  document.querySelector(`script[data-file="${name}"]`)?.textContent ?? undefined

/** True: this page is a single file without a site next to it. */
export const isSingleFile = (): boolean => embedded("engine.js") !== undefined

export async function siteJson<T>(name: string): Promise<T> {
  const text = embedded(name)
  return text === undefined ? (await fetch(name)).json() : JSON.parse(text)
}

const urls = new Map<string, string>()

/** Unpacks the workers of a single file. Without this call, they are loaded as files. */
export async function unpackWorkers(): Promise<void> {
  for (const name of ["engine.js", "planner.js"]) {
    const packed = embedded(name)
    if (packed === undefined) continue
    const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0))
    const code = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))
    urls.set(name, URL.createObjectURL(new Blob([await new Response(code).blob()], { type: "text/javascript" })))
  }
}

export function workerOf(file: string, name: string): Worker {
  const url = urls.get(file)
  // From disk, browsers load no modules, so the workers inside a single file are classic scripts.
  return url === undefined
    ? new Worker(new URL(file, document.baseURI), { type: "module", name })
    : new Worker(url, { name })
}
