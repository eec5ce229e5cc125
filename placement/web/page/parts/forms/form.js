// A form as the service reads it: {groups: [{suffix, resources, fields}], fields}. Pure.
//
// `resources` is [[class, amount]], both as text; `fields` has the text of each field by its name.

export const EMPTY = { groups: [{ suffix: "", resources: [], fields: {} }], fields: {} };

export function asksForResources(form) {
  return form.groups.some((group) => group.resources.some(([name]) => name.trim()));
}

export function hasSeveralSuffixes(form) {
  return form.groups.filter((group) => group.suffix !== "").length > 1;
}

// Returns the form with another group, whose number is higher than any other.
export function withNewGroup(form) {
  const numbers = form.groups.map((group) => Number(group.suffix.replace(/^\D*/, "")) || 0);
  const suffix = `_${Math.max(0, ...numbers) + 1}`;
  return { ...form, groups: [...form.groups, { suffix, resources: [], fields: {} }] };
}

// Returns the form with one group replaced; if its suffix changes, the fields that name groups
// follow: `naming` has their names.
export function withGroup(form, index, group, naming) {
  const { suffix } = form.groups[index];
  const changed = { ...form, groups: form.groups.with(index, group) };
  return group.suffix === suffix
    ? changed
    : withFields(changed, naming, (text) => text.replace(word(suffix), group.suffix));
}

// Returns the form without one of the groups; the fields that name groups do not name it any more.
export function withoutGroup(form, index, naming) {
  const { suffix } = form.groups[index];
  const changed = { ...form, groups: form.groups.toSpliced(index, 1) };
  return withFields(changed, naming, (text) => text.replace(wordInList(suffix), ""));
}

function withFields(form, names, change) {
  const fields = Object.entries(form.fields).map(([name, text]) => [
    name,
    names.includes(name) ? change(text) : text,
  ]);
  return { ...form, fields: Object.fromEntries(fields) };
}

// A suffix has letters, digits, _ and -.
function word(suffix) {
  return new RegExp(`(?<![\\w-])${suffix}(?![\\w-])`, "g");
}

// The word with the comma after it or, if there is none, before it.
function wordInList(suffix) {
  const { source } = word(suffix);
  return new RegExp(`${source},\\s*|(,\\s*)?${source}`, "g");
}
