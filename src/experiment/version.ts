/** That of package.json (version.test.ts compares them): a constant, so that programs without files know it, too. */
export const packageVersion = "0.1.0"
