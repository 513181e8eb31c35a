// Firefox for the browser tests, where it is missing: through apt-get, saying so. Exits with 1 and the way out where that cannot be done. Needs a build.
import { findFirefox } from "../dist/run/doctor.js"
import { install } from "./install.mjs"

install({
  name: "Firefox",
  find: () => findFirefox(process.env),
  package: "firefox-esr",
  otherwise: "Install Firefox, or set FIREFOX to the path of its executable.",
})
