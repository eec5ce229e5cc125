"""What a search found, with the names behind its keys."""

from typing import NamedTuple

from placement.candidates.resolution import Unresolved
from placement.candidates.solver.anchors import Candidate
from placement.db.names_and_ids import Vocabulary


class SearchResult(NamedTuple):
    """The candidates of an answer, the names behind their keys, and the classes asked for.

    hosts: how many were searched because they meet every constraint taken alone
    nowhere: constraints that no provider is known to meet, as the client wrote them; there may be
    more
    unresolved: the Unresolved that ended the search before it looked at hosts, if any
    """

    candidates: list[Candidate]
    vocabulary: Vocabulary
    requested_class_ids: frozenset[int]
    hosts: int = 0
    nowhere: tuple[str, ...] = ()
    unresolved: Unresolved | None = None
