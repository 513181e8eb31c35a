// Converts pictures to PNG.
/** Returns the picture of a view with twice the resolution. */
export async function pngOf(svg: string): Promise<Blob> {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  await image.decode()
  const canvas = document.createElement("canvas")
  // Browsers refuse much larger canvases.
  const fine = Math.min(2, 8000 / image.width, 8000 / image.height)
  canvas.width = Math.round(image.width * fine)
  canvas.height = Math.round(image.height * fine)
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((made, failed) =>
    canvas.toBlob(
      (blob) => (blob === null ? failed(new Error("This browser cannot make a picture of this size.")) : made(blob)),
      "image/png",
    ),
  )
}
