// Chromium for the browser tests, where it is missing: through apt-get, saying so. Exits with 1 and the way out where that cannot be done. Needs a build.
import { findBrowser } from "../dist/run/doctor.js"
import { install } from "./install.mjs"

install({
  name: "Chromium",
  find: () => findBrowser(process.env),
  package: "chromium",
  otherwise: "Install Chromium or Chrome, or set CHROMIUM to the path of its executable.",
})
