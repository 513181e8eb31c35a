// @ts-check
// An endpoint with a queue for each destination that limits how many messages it sends concurrently, and pauses streams
// while many of their messages wait. The engine implements the queues; an endpoint plug-in chooses among them.

/** @type {import("lacewing/plugin").PluginFactory} */
export default ({ plugin, schema, int, list, text, complain, endpoint }) =>
  plugin({
    kind: "endpoint",
    name: "my.paced",
    about: "Sends several messages concurrently, and pauses streams while many of their messages wait.",
    can: ["classes", "priorities", "replies", "windows"],
    needs: () => ["acknowledgements"],
    params: schema({
      active: int({ about: "Messages that an endpoint sends concurrently", min: 1, max: 1024, default: 4 }),
      backlog: int({ about: "Messages in the queues of an endpoint", min: 1, max: 4096, default: 256 }),
      paused: list(text({ about: "Name of a stream" }), { about: "Streams that pause", default: [] }),
      most: int({ about: "Messages of an endpoint from which these streams pause", min: 1, max: 4096, default: 64 }),
    }),
    check: ({ active, backlog, most }) => [
      ...(active > backlog ? [complain("active", "is above the backlog", `set it to at most ${backlog}`)] : []),
      ...(most > backlog ? [complain("most", "is above the backlog", `set it to at most ${backlog}`)] : []),
    ],
    make: ({ active, backlog, paused, most }) =>
      endpoint({
        ...{ perDestination: true, active, backlog },
        ...(paused.length > 0 ? { cap: { messages: most, streams: paused } } : {}),
      }),
  })
