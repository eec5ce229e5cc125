// Turns a request into the texts of form fields, and back. Pure.

import { alternativesOf, namesOf, newGroup, newRequest, textOf } from "./query.js";

export function fieldsOf(request) {
  const groups = request.groups.length ? request.groups : [newGroup("")];
  return {
    groups: groups.map(fieldsOfGroup),
    group_policy: request.group_policy === "isolate" ? "isolate" : "",
    same_subtree: textOfSubtrees(request.same_subtree),
    root: [...request.root_required, ...request.root_forbidden.map((trait) => `!${trait}`)].join(", "),
  };
}

export function fieldsOfGroup(group) {
  return {
    ...group,
    required: textOf(group.required),
    forbidden: group.forbidden.join(", "),
    member_of: textOf(group.member_of),
    not_member_of: group.not_member_of.join(", "),
  };
}

export function requestOf(fields) {
  const root = namesOf(fields.root);
  return {
    ...newRequest(fields.groups.map(readGroup)),
    group_policy: fields.group_policy,
    same_subtree: subtreesOf(fields.same_subtree),
    root_required: root.filter((trait) => !trait.startsWith("!")),
    root_forbidden: root.filter((trait) => trait.startsWith("!")).map((trait) => trait.slice(1)),
  };
}

function readGroup(fields) {
  return {
    suffix: fields.suffix,
    resources: fields.resources
      .map((pair) => pair.map((text) => text.trim()))
      .filter(([name]) => name),
    required: alternativesOf(fields.required),
    forbidden: namesOf(fields.forbidden),
    member_of: alternativesOf(fields.member_of),
    not_member_of: namesOf(fields.not_member_of),
    in_tree: fields.in_tree.trim(),
  };
}

// Returns the fields with one group replaced; if its suffix changes, references to it follow.
export function withGroup(fields, index, group) {
  const { suffix } = fields.groups[index];
  const groups = fields.groups.with(index, group);
  return group.suffix === suffix
    ? { ...fields, groups }
    : withSubtrees({ ...fields, groups }, (each) => (each === suffix ? group.suffix : each));
}

// Returns the fields without one of the groups, and without references to it.
export function withoutGroup(fields, index) {
  const { suffix } = fields.groups[index];
  const groups = fields.groups.toSpliced(index, 1);
  return withSubtrees({ ...fields, groups }, (each) => (each === suffix ? "" : each));
}

function withSubtrees(fields, suffixFor) {
  const subtrees = subtreesOf(fields.same_subtree)
    .map((suffixes) => suffixes.map(suffixFor).filter(Boolean))
    .filter((suffixes) => suffixes.length > 1);
  return { ...fields, same_subtree: textOfSubtrees(subtrees) };
}

function subtreesOf(text) {
  return text.split(";").map(namesOf).filter((each) => each.length);
}

function textOfSubtrees(subtrees) {
  return subtrees.map((suffixes) => suffixes.join(", ")).join("; ");
}
