// The form of a request: groups of resources, and requirements on the providers that serve them.

import { html, useEffect, useState } from "../lib/preact-htm.js";
import { href } from "../route.js";
import { KNOWN_CLASSES, KnownClasses } from "./known-classes.js";
import { NamesField, useNames } from "./names-field.js";
import { Pairs } from "./pairs.js";
import { read } from "./pasted.js";
import { asksForResources, format, newGroup, parse } from "./query.js";
import { fieldsOf, fieldsOfGroup, requestOf, withGroup, withoutGroup } from "./request-fields.js";

// Calls onAsk with a query string and, if it was pasted, a note on what was ignored. `children` are
// more fields; `verb` is the label of the button.
export function RequestForm({ view, query, verb, onAsk, children }) {
  const [fields, setFields] = useState(() => fieldsOf(parse(query)));
  useEffect(() => setFields(fieldsOf(parse(query))), [query]);
  const traits = useNames("traits", "traits");
  const submit = (event) => {
    event.preventDefault();
    onAsk(format(requestOf(fields)));
  };
  const paste = ({ request, ignored }) => {
    setFields(fieldsOf(request));
    if (asksForResources(request)) {
      onAsk(format(request), noteOn(ignored));
    }
  };
  const set = (name) => (value) => setFields({ ...fields, [name]: value });
  return html`
    <form class="request" onSubmit=${submit} aria-label="Request">
      <${Paste} isOpen=${!query} onRead=${paste} />
      <${KnownClasses} />
      ${fields.groups.map(
        (group, index) => html`
          <${Group}
            group=${group}
            traits=${traits}
            isNeeded=${index === 0 && !asksForResources(requestOf(fields))}
            onChange=${(changed) => setFields(withGroup(fields, index, changed))}
            onRemove=${() => setFields(withoutGroup(fields, index))}
          />
        `,
      )}
      <button
        type="button"
        class="quiet"
        onClick=${() => set("groups")([...fields.groups, nextGroup(fields.groups)])}
      >
        Add a group served by one provider
      </button>
      <${Binding} fields=${fields} set=${set} traits=${traits} />
      ${children}
      <p class="send">
        <button>${verb}</button>
        ${query && html`<a href=${href(view)}>Start over</a>`}
      </p>
    </form>
  `;
}

function Group({ group, traits, isNeeded, onChange, onRemove }) {
  const set = (name) => (value) => onChange({ ...group, [name]: value });
  const { suffix } = group;
  return html`
    <fieldset>
      <legend>${suffix === "" ? "From any providers of the host" : "All from one provider"}</legend>
      ${suffix !== "" && html`<${Suffix} value=${suffix} onChange=${set("suffix")} onRemove=${onRemove} />`}
      <${Pairs}
        columns=${["Class", "Amount"]}
        rows=${group.resources}
        onChange=${set("resources")}
        list=${KNOWN_CLASSES}
        more="Another resource"
        isNeeded=${isNeeded}
      />
      <${NamesField}
        label="Required traits"
        hint="A, B or C"
        id=${`required${suffix}`}
        value=${group.required}
        names=${traits}
        onChange=${set("required")}
      />
      <details open=${hasMore(group)}>
        <summary>Forbidden traits, aggregates, tree</summary>
        <${NamesField}
          label="Forbidden traits"
          id=${`forbidden${suffix}`}
          value=${group.forbidden}
          names=${traits}
          onChange=${set("forbidden")}
        />
        <${NamesField}
          label="In aggregates"
          hint="uuid, uuid or uuid"
          value=${group.member_of}
          onChange=${set("member_of")}
        />
        <${NamesField}
          label="Not in aggregates"
          hint="uuids"
          value=${group.not_member_of}
          onChange=${set("not_member_of")}
        />
        <${NamesField}
          label="In the tree of"
          hint="uuid of a provider"
          value=${group.in_tree}
          onChange=${set("in_tree")}
        />
      </details>
    </fieldset>
  `;
}

function Suffix({ value, onChange, onRemove }) {
  return html`
    <p class="naming">
      <label>
        <span>Suffix</span>
        <input
          value=${value}
          required
          pattern="[A-Za-z0-9_\\-]{1,64}"
          title="Letters, digits, _ and -"
          spellcheck=${false}
          onChange=${(event) => onChange(event.target.value.trim() || value)}
        />
      </label>
      <button type="button" class="quiet" onClick=${onRemove}>Remove the group</button>
    </p>
  `;
}

// Requirements on the groups together, and on the root provider.
function Binding({ fields, set, traits }) {
  const hasSeveral = fields.groups.filter((group) => group.suffix !== "").length > 1;
  return html`
    ${hasSeveral &&
    html`
      <fieldset>
        <legend>Between the groups</legend>
        <label class="field">
          <span>Policy</span>
          <select value=${fields.group_policy} onChange=${(event) => set("group_policy")(event.target.value)}>
            <option value="">none: they may share a provider</option>
            <option value="isolate">isolate: each needs its own provider</option>
          </select>
        </label>
        <${NamesField}
          label="In one subtree"
          hint="_A, _B; _C, _D"
          value=${fields.same_subtree}
          onChange=${set("same_subtree")}
        />
      </fieldset>
    `}
    <details open=${fields.root !== ""}>
      <summary>Traits of the root provider</summary>
      <${NamesField}
        label="Traits of the root"
        hint="A, !B: with A, without B"
        id="root_required"
        value=${fields.root}
        names=${traits}
        onChange=${set("root")}
      />
    </details>
  `;
}

function Paste({ isOpen, onRead }) {
  const [text, setText] = useState("");
  const [note, setNote] = useState("");
  const take = () => {
    const found = read(text);
    setNote(refusalOf(found));
    if (found) {
      onRead(found);
    }
  };
  return html`
    <details class="paste" open=${isOpen}>
      <summary>Paste a request</summary>
      <label class="field">
        <span>A query, a log line, or a flavor with its extra specs</span>
        <textarea
          rows="3"
          spellcheck=${false}
          placeholder="resources:VCPU=4, trait:CUSTOM_GOLD=required"
          value=${text}
          onInput=${(event) => setText(event.target.value)}
        ></textarea>
      </label>
      <button type="button" disabled=${!text.trim()} onClick=${take}>Use it</button>
      <p class="hint" role="status">${note}</p>
    </details>
  `;
}

// Returns why a pasted text is no request, or "" if it is one.
function refusalOf(found) {
  if (!found) {
    return (
      "There is no request in this. You can paste: VCPU:4,MEMORY_MB:8192; a query, resources=…; a" +
      " log line with GET /allocation_candidates?…; extra specs, resources:VCPU=4 or" +
      " trait:…=required; a flavor, vcpus=4 or --vcpus 4."
    );
  }
  return asksForResources(found.request)
    ? ""
    : `It asks for no resources: add the flavor's vcpus, ram and disk below. ${noteOn(found.ignored)}`;
}

function noteOn(ignored) {
  return ignored.length
    ? `Ignored: ${ignored.join(", ")}. Nova may turn such specs into resources or traits.`
    : "";
}

// The number is higher than any other, so that suffixes stay unique.
function nextGroup(groups) {
  const numbers = groups.map((group) => Number(group.suffix.replace(/^\D*/, "")) || 0);
  return fieldsOfGroup(newGroup(`_${Math.max(0, ...numbers) + 1}`));
}

function hasMore(group) {
  return [group.forbidden, group.member_of, group.not_member_of, group.in_tree].some(Boolean);
}
