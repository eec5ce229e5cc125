// The form of a request: groups of resources, and requirements on the providers that serve them.

import { html, useEffect, useState } from "../../lib/preact-htm.js";
import { SUFFIX } from "../../limits.js";
import { href } from "../../route.js";
import {
  EMPTY,
  asksForResources,
  hasSeveralSuffixes,
  withGroup,
  withNewGroup,
  withoutGroup,
} from "./form.js";
import { KNOWN_CLASSES, KnownClasses } from "./known-classes.js";
import { NamesField, useNames } from "./names-field.js";
import { Pairs } from "./pairs.js";
import { Select } from "./select.js";
import { useTranslation } from "./translation.js";

// Calls onAsk with a query string and, if it was pasted, a note on what was ignored. `children` are
// more fields; `verb` is the label of the button.
export function RequestForm({ view, query, verb, onAsk, children }) {
  const [form, setForm] = useState(EMPTY);
  const [fields, setFields] = useState([]);
  const [refusal, setRefusal] = useState("");
  const translate = useTranslation();
  const names = { traits: useNames("traits"), resource_classes: useNames("resource_classes") };
  // Keeps what the reader has changed since the form was `before`.
  const show = (translated, before = null) => {
    setForm((current) => (before && current !== before ? current : translated.form));
    setFields(translated.fields);
    setRefusal("");
    return translated;
  };
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const given = async (query) => show(await translate({ query }, signal), form);
    // If the query cannot be translated, the form starts empty; the answer to the query says why.
    given(query)
      .catch(() => given(""))
      .catch((error) => signal.aborted || setRefusal(error.message));
    return () => controller.abort();
  }, [query]);
  const submit = (event) => {
    event.preventDefault();
    translate({ form }).then(
      (translated) => onAsk(translated.query),
      (error) => setRefusal(error.message),
    );
  };
  const paste = async (text) => {
    const translated = show(await translate({ text }));
    const note = noteOn(translated);
    if (translated.query === null) {
      return `This asks for no resources: add the flavor's vcpus, ram and disk below. ${note}`;
    }
    onAsk(translated.query, note);
    return "";
  };
  const naming = fieldsOf("groups", fields).map((each) => each.name);
  const set = (name) => (text) => setForm({ ...form, fields: { ...form.fields, [name]: text } });
  const common = { texts: form.fields, set, names };
  return html`
    <form class="request" onSubmit=${submit} aria-label="Request" aria-busy=${!fields.length && !refusal}>
      <${Paste} isOpen=${!query} onUse=${paste} />
      <${KnownClasses} names=${names.resource_classes} />
      ${form.groups.map(
        (group, index) => html`
          <${Group}
            group=${group}
            fields=${fieldsOf("group", fields)}
            names=${names}
            isNeeded=${index === 0 && !asksForResources(form)}
            onChange=${(changed) => setForm(withGroup(form, index, changed, naming))}
            onRemove=${() => setForm(withoutGroup(form, index, naming))}
          />
        `,
      )}
      <button type="button" class="quiet" onClick=${() => setForm(withNewGroup(form))}>
        Add a group served by one provider
      </button>
      ${hasSeveralSuffixes(form) &&
      html`
        <fieldset>
          <legend>Between the groups</legend>
          <${Fields} of=${fieldsOf("groups", fields)} ...${common} />
        </fieldset>
      `}
      <${More} title="On the root provider" of=${fieldsOf("root", fields)} ...${common} />
      ${children}
      ${refusal && html`<p role="alert">${refusal}</p>`}
      <p class="send">
        <button>${verb}</button>
        ${query && html`<a href=${href(view)}>Start over</a>`}
      </p>
    </form>
  `;
}

function fieldsOf(subject, fields) {
  return fields.filter((each) => each.of === subject);
}

// The first field is always shown.
function Group({ group, fields, names, isNeeded, onChange, onRemove }) {
  const set = (name) => (value) => onChange({ ...group, [name]: value });
  const setField = (name) => (text) => set("fields")({ ...group.fields, [name]: text });
  const { suffix } = group;
  const common = { texts: group.fields, set: setField, names, suffix };
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
      <${Fields} of=${fields.slice(0, 1)} ...${common} />
      <${More} title="More requirements" of=${fields.slice(1)} ...${common} />
    </fieldset>
  `;
}

// Fields that show only if one of them is filled in, or if the reader opens them.
function More({ title, of, texts, ...others }) {
  return html`
    <details open=${of.some(({ name }) => texts[name])}>
      <summary>${title}</summary>
      <${Fields} of=${of} texts=${texts} ...${others} />
    </details>
  `;
}

function Fields({ of, texts, set, names, suffix = "" }) {
  return of.map(({ name, label, hint, names: listed, choices }) =>
    choices.length
      ? html`<${Choice} label=${label} choices=${choices} value=${texts[name]} onChange=${set(name)} />`
      : html`
          <${NamesField}
            label=${label}
            hint=${hint}
            id=${name + suffix}
            value=${texts[name] || ""}
            names=${names[listed]}
            onChange=${set(name)}
          />
        `,
  );
}

function Choice({ label, choices, value, onChange }) {
  return html`
    <label class="field">
      <span>${label}</span>
      <${Select}
        value=${value || choices[0].value}
        options=${choices.map((each) => [each.value, each.label])}
        onChange=${onChange}
      />
    </label>
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
          pattern=${SUFFIX}
          title="Letters, digits, _ and -"
          spellcheck=${false}
          onChange=${(event) => onChange(event.target.value.trim() || value)}
        />
      </label>
      <button type="button" class="quiet" onClick=${onRemove}>Remove the group</button>
    </p>
  `;
}

// Calls onUse with the text, and shows the note that it promises.
function Paste({ isOpen, onUse }) {
  const [text, setText] = useState("");
  const [note, setNote] = useState("");
  const use = () => onUse(text).then(setNote, (error) => setNote(error.message));
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
      <button type="button" disabled=${!text.trim()} onClick=${use}>Use it</button>
      <p class="hint" role="status">${note}</p>
    </details>
  `;
}

function noteOn({ ignored, left_to_nova: left }) {
  const notes = [
    [ignored, "Nova may turn such specs into resources or traits."],
    [left, "Nova does not ask Placement for this."],
  ];
  return notes
    .filter(([specs]) => specs.length)
    .map(([specs, note]) => `Ignored: ${specs.join(", ")}. ${note}`)
    .join(" ");
}
