// Pictures as PNG.
/** The picture of a view, twice as fine as on paper. */
export async function pngOf(svg: string): Promise<Blob> {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  await image.decode()
  const canvas = document.createElement("canvas")
  // browsers refuse canvases that are much larger
  const fine = Math.min(2, 8000 / image.width, 8000 / image.height)
  canvas.width = Math.round(image.width * fine)
  canvas.height = Math.round(image.height * fine)
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((made, failed) =>
    canvas.toBlob((blob) => (blob === null ? failed(new Error("this browser makes no picture of that size")) : made(blob)), "image/png"),
  )
}
