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

/** Returns the program of a worker as one script without imports. */
export async function siteText(file: string): Promise<string> {
  const inside = embedded(file)
  if (inside !== undefined) return inside
  const page = new DOMParser().parseFromString(await (await fetch("single.html")).text(), "text/html")
  const text = page.querySelector(`script[data-file="${file}"]`)?.textContent ?? ""
  if (text === "") throw new Error(`This site has no ${file} for plug-ins.`)
  return text
}

const urls = new Map<string, string>()

/** Returns the address of a worker that is inside a single file. */
function insideOf(file: string): string | undefined {
  const code = embedded(file)
  if (code === undefined) return undefined
  const url = urls.get(file) ?? URL.createObjectURL(new Blob([code], { type: "text/javascript" }))
  urls.set(file, url)
  return url
}

export function workerOf(file: string, name: string): Worker {
  const url = insideOf(file)
  // From disk, browsers load no modules, so the workers inside a single file are classic scripts.
  return url === undefined
    ? new Worker(new URL(file, document.baseURI), { type: "module", name })
    : new Worker(url, { name })
}
