// Which providers are the fullest.

// Returns [{uuid, name, fills}]: each provider once, with its fills, both the fullest first, as the
// service gives them. What can only be free or taken says little by being taken, such as a node of
// bare metal: it comes last.
export function fullestProviders(fills, limit) {
  const providers = new Map();
  for (const fill of [...fills.filter(isDivisible), ...fills.filter((each) => !isDivisible(each))]) {
    const { uuid, name } = fill;
    const provider = providers.get(uuid) || { uuid, name, fills: [] };
    provider.fills.push(fill);
    providers.set(uuid, provider);
  }
  return [...providers.values()].slice(0, limit);
}

function isDivisible({ capacity }) {
  return capacity !== 1;
}
