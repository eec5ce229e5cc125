// Which providers are the fullest.

// Returns [{uuid, name, fills}]: each provider once, with its fills, both fullest first, as the
// service sorts them. Providers that can only be free or taken, such as bare metal nodes, come
// last, because a taken one says little.
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
