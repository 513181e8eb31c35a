import { benchBookSim2 } from "./bench-booksim2.ts"

benchBookSim2({
  booksim: process.env["BOOKSIM2"],
  ...(process.argv[2] ? { match: new RegExp(process.argv[2]) } : {}),
  onRow: (r) =>
    console.log(
      r.name,
      "rate",
      (r.rate / 1e6).toFixed(2),
      "peer",
      (r.peerRate / 1e6).toFixed(3),
      "ratio",
      r.ratio.toFixed(1),
      "short",
      r.shortRatio.toFixed(1),
      "rss",
      r.rss,
    ),
})
