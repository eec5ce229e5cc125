"""Changes as documents, and as JSON line by line."""

import orjson

from placement.documents import FORMAT, moment, sentences


def as_lines(document):
    """Yield lines of JSON: one for each change in a document, then one for all other fields."""
    rest = {name: value for name, value in document.items() if name != "changes"}
    for line in (*document["changes"], rest):
        yield orjson.dumps(line) + b"\n"


def document(changes, position):
    """Return the document of StoredChanges, with the position to continue after."""
    return FORMAT | {"changes": [shown(change) for change in changes], "next": position}


def as_document(pages):
    """Yield, in pieces, the JSON of one document with the changes of all `pages`.

    A page is (StoredChanges, the position to continue after); there is at least one page. Each
    change is on a line of its own. The document has only the position of the last page.
    """
    # The beginning: {"format":1,"changes":[
    yield orjson.dumps(FORMAT | {"changes": []}).removesuffix(b"]}")
    separator = b"\n"
    rest = {}
    for changes, position in pages:
        rest = {"next": position}
        for change in changes:
            yield separator + orjson.dumps(shown(change))
            separator = b",\n"
    yield b"\n]," + orjson.dumps(rest).removeprefix(b"{") + b"\n"


def document_in_words(changes, position, places):
    """Return the document with a sentence for each change.

    `places` is {uuid: ProviderPlace} for the providers in the changes.
    """
    reported = [shown(each) | {"sentence": _sentence(each, places)} for each in changes]
    return FORMAT | {"changes": reported, "next": position}


def _sentence(change, places):
    return [piece._asdict() for piece in sentences.of(change, places)]


def shown(change):
    """Return the document of a StoredChange."""
    # If another program has written the change, it is not known who asked for it.
    is_known = change.operation is not None
    return {
        "position": change.position,
        "at": moment(change.written_at),
        "request_id": change.request_id,
        "actor": {"user_id": change.user_id, "project_id": change.project_id} if is_known else None,
        "by": _by(change),
        "operation": change.operation,
        "kind": change.kind,
        "uuid": change.uuid,
        "name": change.name,
        "generations": change.generations,
        "before": change.before,
        "after": change.after,
    }


def _by(change):
    """Return what wrote a change: another program, a request to the service, or a command."""
    if change.operation is None:
        return "database"
    return "service" if change.request_id else "command"
