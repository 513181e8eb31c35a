// Texts in which a finding of the prose check is right as it is. Each entry names a file, a word or the beginning of a
// sentence, and the reason. An entry that no longer matches is an error.

/** @type {readonly { file: string, text: string, why: string }[]} */
export const exceptions = [
  { file: "src/engines/steady.ts", text: "go on", why: "a value of Decision.next that run/ compares" },
  { file: "src/engines/steady.test.ts", text: "go on", why: "a value of Decision.next" },
  { file: "src/workloads/formats/dumpi/calls.ts", text: "0 Send |", why: "a table of records, not a sentence" },
  { file: "src/workloads/formats/chakra/protobuf.ts", text: "wire type", why: "the term of Protocol Buffers" },
  { file: "src/workloads/formats/goal.ts", text: "A Flexible Way to Express", why: "the title of a paper" },
  { file: "studio/page/network/webgl.ts", text: "#version 300 es", why: "a shader, not a sentence" },
  { file: "studio/page/out/network.ts", text: "<circle cx", why: "an element of SVG" },
  { file: "studio/engine/packets.ts", text: "wire ", why: "a key that compares positions; it is not shown" },
  { file: "src/manual-pages/shell.ts", text: "lacewing manual</title>", why: "markup, not a sentence" },
  { file: "src/manual-pages/shell.ts", text: "main .table.numbers td", why: "a style sheet, not a sentence" },
  { file: "src/manual-pages/search.ts", text: "const place = (of)", why: "a script, not a sentence" },
  { file: "src/manual-pages/search.ts", text: "function find(query)", why: "a script, not a sentence" },
  { file: "src/manual-pages/search.ts", text: "e.preventDefault()", why: "a script, not a sentence" },
  { file: "src/draw/figure/graph.ts", text: "<circle", why: "an element of SVG" },
  { file: "src/draw/topology/svg.ts", text: "<circle", why: "an element of SVG" },
  { file: "src/draw/report/script.ts", text: "", why: "the script of the report: JavaScript, not prose" },
  { file: "src/draw/report/style.ts", text: "", why: "the style sheet of the report: CSS, not prose" },
  { file: "src/proof/bubble.ts", text: "room()", why: "the name of a method of routings" },
  { file: "src/routing/torus/bubble.ts", text: "room()", why: "the name of a method of routings" },
  { file: "src/topologies/parts/mms.ts", text: "subgraph 0", why: "a table of formulas, not a sentence" },
]
