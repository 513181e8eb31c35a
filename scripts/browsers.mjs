// npm run browsers: installs Chromium and Firefox for the browser tests with apt-get where they are missing, and prints
// what it does. Exits with 1 and a hint if that is impossible. No test does this by itself. Needs a build.
import { findBrowser, findFirefox } from "../dist/run/doctor.js"
import { install } from "./install.mjs"

install({
  name: "Chromium",
  find: () => findBrowser(process.env),
  package: "chromium",
  otherwise: "Install Chromium or Chrome, or set CHROMIUM to the path of its executable.",
})
install({
  name: "Firefox",
  find: () => findFirefox(process.env),
  package: "firefox-esr",
  otherwise: "Install Firefox, or set FIREFOX to the path of its executable.",
})
