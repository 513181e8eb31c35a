// *Save*, *Film of ten seconds* of the studio in Chromium: the film is a WebM whose pictures show the run.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { expect, test as plain } from "vitest"
import type * as actions from "../../studio/page/actions.ts"
import type * as state from "../../studio/page/state.ts"
import { inChromium, launch, pageOf } from "../browsers.ts"
import { built } from "../support/build.ts"

declare const studio: { actions: typeof actions; state: typeof state }

const test = plain.skipIf(!inChromium)

test("a film of two seconds has pictures of both sides, and ends when the run pauses", async () => {
  const browser = await launch()
  const page = await pageOf(browser, {})
  await page.goto(pathToFileURL(join(built(), "studio/single.html")).href)
  await page.waitForFunction(() => document.querySelectorAll(".nets canvas[data-frames]").length === 2)
  const film = async (record: () => unknown): Promise<Buffer> => {
    const saved = page.waitForEvent("download")
    await page.evaluate(record)
    const download = await saved
    expect(download.suggestedFilename()).toBe("adversarial.webm")
    return readFileSync(await download.path())
  }
  const bytes = await film(() => void studio.actions.record(2))
  expect(bytes.subarray(0, 4).toString("hex")).toBe("1a45dfa3")
  const seen = await page.evaluate(async (data) => {
    const video = document.createElement("video")
    video.src = `data:video/webm;base64,${data}`
    await new Promise((done, failed) => {
      video.onloadeddata = done
      video.onerror = failed
    })
    const canvas = document.createElement("canvas")
    canvas.width = video.videoWidth
    canvas.height = video.videoHeight
    const g = canvas.getContext("2d", { willReadFrequently: true })!
    const picture = async (time: number) => {
      if (video.currentTime !== time) {
        video.currentTime = time
        await new Promise((done) => {
          video.onseeked = done
        })
      }
      g.drawImage(video, 0, 0)
      const half = canvas.width / 2
      return [0, half].map((x) => {
        const { data: pixels } = g.getImageData(x, 0, half, canvas.height)
        // Pixels that differ from the background in the corner.
        let inked = 0
        for (let i = 0; i < pixels.length; i += 4) if (Math.abs(pixels[i] - pixels[0]) > 40) inked++
        return { inked: inked / (pixels.length / 4), sum: pixels.reduce((a, b) => a + b, 0) }
      })
    }
    // A slow machine records few pictures, so the first and the last are compared.
    return [await picture(0.01), await picture(1e9)]
  }, bytes.toString("base64"))
  for (const { inked } of seen.flat()) expect(inked).toBeGreaterThan(0.005)
  // The run has moved.
  expect(seen[1][0].sum).not.toBe(seen[0][0].sum)
  const short = await film(() => {
    void studio.actions.record(600)
    setTimeout(() => void studio.actions.pause(), 500)
  })
  expect(short.length).toBeGreaterThan(1000)
  expect(await page.evaluate(() => studio.state.said.value)).toContain("Saved a film from cycle")
  await browser.close()
})
