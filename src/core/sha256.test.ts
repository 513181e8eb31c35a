import { createHash } from "node:crypto"
import fc from "fast-check"
import { expect, test } from "vitest"
import { Sha256, sha256 } from "./sha256.ts"

test("published vectors of FIPS 180-4", () => {
  expect(sha256("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  expect(sha256("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  expect(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")).toBe(
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  )
})

test("any bytes in any pieces: what node:crypto says", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 5 }), (pieces) => {
      const ours = new Sha256()
      const theirs = createHash("sha256")
      for (const p of pieces) {
        ours.update(p)
        theirs.update(p)
      }
      expect(ours.hex()).toBe(theirs.digest("hex"))
    }),
  )
})
