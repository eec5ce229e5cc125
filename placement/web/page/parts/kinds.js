// The kinds of things that have names, in the words of the service, and where each is shown. Pure.

// `address` returns the arguments with which `href` makes the address of something with this id.
export const KINDS = {
  host: { one: "Host", address: ({ id }) => ["hosts", id] },
  provider: { one: "Provider", address: ({ id }) => ["hosts", id] },
  consumer: { one: "Consumer", address: ({ id }) => ["consumers", id] },
  project: {
    one: "Project",
    address: ({ id }) => ["cloud", "", { by: "project", group: id }],
  },
  aggregate: {
    one: "Aggregate",
    address: ({ id }) => ["hosts", "", { aggregate: id }],
  },
  trait: { one: "Trait", address: ({ id }) => ["hosts", "", { trait: id }] },
  resource_class: {
    one: "Class",
    address: ({ id }) => ["hosts", "", { sort: `-${id}` }],
  },
};
