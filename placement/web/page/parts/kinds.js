// The kinds of things that have names, in the words of the service, and where each is shown. Pure.

// `address` returns the arguments with which `href` makes the address of something with this id.
export const KINDS = {
  host: { one: "Host", many: "hosts", address: ({ id }) => ["hosts", id] },
  provider: { one: "Provider", many: "providers", address: ({ id }) => ["hosts", id] },
  consumer: { one: "Consumer", many: "consumers", address: ({ id }) => ["consumers", id] },
  project: {
    one: "Project",
    many: "projects",
    address: ({ id }) => ["cloud", "", { by: "project", group: id }],
  },
  aggregate: {
    one: "Aggregate",
    many: "aggregates",
    address: ({ id }) => ["hosts", "", { aggregate: id }],
  },
  trait: { one: "Trait", many: "traits", address: ({ id }) => ["hosts", "", { trait: id }] },
  resource_class: {
    one: "Class",
    many: "resource classes",
    address: ({ id }) => ["hosts", "", { sort: `-${id}` }],
  },
};
