// A tar archive of files, as POSIX has it.
export function tarOf(files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const blocks: Uint8Array[] = []
  const put = (block: Uint8Array, at: number, text: string) => block.set(new TextEncoder().encode(text), at)
  for (const [name, data] of files) {
    const head = new Uint8Array(512)
    put(head, 0, name)
    put(head, 100, "0000644\0")
    put(head, 124, `${data.length.toString(8).padStart(11, "0")}\0`)
    put(head, 156, "0")
    put(head, 257, "ustar\0")
    put(head, 263, "00")
    head.fill(32, 148, 156)
    put(
      head,
      148,
      `${head
        .reduce((a, b) => a + b, 0)
        .toString(8)
        .padStart(6, "0")}\0 `,
    )
    const body = new Uint8Array(Math.ceil(data.length / 512) * 512)
    body.set(data)
    blocks.push(head, body)
  }
  return Uint8Array.from(Buffer.concat([...blocks, new Uint8Array(1024)]))
}
