"""The operators, each of which changes the code at one place.

Of Cosmic Ray's operators, only those with the nearest replacements are used: `<` becomes `<=`
rather than `is`, because a fault that fails at once says nothing about the tests.
"""

import functools
import re

import parso
from cosmic_ray import plugins
from cosmic_ray.operators.operator import Example, Operator
from parso.python.tree import IfStmt, WhileStmt

_CHOSEN = re.compile(
    r"core/(ReplaceBinaryOperator_(Add_Sub|Sub_Add|Mul_Add|Div_Mul|FloorDiv_Mul|Mod_Mul|BitAnd_BitOr)"
    r"|ReplaceComparisonOperator_(Eq_NotEq|NotEq_Eq|Lt_LtE|LtE_Lt|Gt_GtE|GtE_Gt|Is_IsNot|IsNot_Is)"
    r"|ReplaceUnaryOperator_Delete_(Not|USub)|ReplaceTrueWithFalse|ReplaceFalseWithTrue"
    r"|ReplaceAndWithOr|ReplaceOrWithAnd|ReplaceBreakWithContinue|ReplaceContinueWithBreak"
    r"|NumberReplacer|ZeroIterationForLoop)"
)


@functools.cache
def by_name():
    """Return {name: Operator}: the chosen operators of Cosmic Ray, and those in this module."""
    chosen = {
        name.removeprefix("core/"): plugins.get_operator(name)()
        for name in plugins.operator_names()
        if _CHOSEN.fullmatch(name)
    }
    return chosen | {operator.__name__: operator() for operator in OURS}


class Negate(Operator):
    """Negates the condition of an if, a while, a conditional expression or a comprehension.

    Cosmic Ray's AddNot does not know comprehensions, and negates only the beginning of `a and b`.
    """

    def mutation_positions(self, node):
        if index := self._index(node):
            condition = node.children[index]
            yield condition.start_pos, condition.end_pos

    def mutate(self, node, index):
        index = self._index(node)
        condition = node.children[index].get_code().strip()
        node.children[index] = parso.parse(f" not ({condition})")
        return node

    @staticmethod
    def _index(node):
        if isinstance(node, IfStmt | WhileStmt) or node.type == "comp_if":
            return 1
        return 2 if node.type == "test" else None

    @classmethod
    def examples(cls):
        return (
            Example("if a and b: pass", "if not (a and b): pass"),
            Example("while a: pass", "while not (a): pass"),
            Example("b if a else c", "b if not (a) else c"),
            Example("[a for a in b if a]", "[a for a in b if not (a)]"),
        )


class SwapIn(Operator):
    """`in` becomes `not in`, and the other way round."""

    def mutation_positions(self, node):
        if node.type == "comparison":
            for part in node.children:
                if _words(part) in ("in", "not in"):
                    yield part.start_pos, part.end_pos

    def mutate(self, node, index):
        places = [
            place
            for place, part in enumerate(node.children)
            if _words(part) in ("in", "not in")
        ]
        place = places[index]
        new = "not in" if _words(node.children[place]) == "in" else "in"
        node.children[place] = parso.parse(f" {new}")
        return node

    @classmethod
    def examples(cls):
        return (
            Example("a in b", "a not in b"),
            Example("a not in b", "a in b"),
        )


def _words(node):
    return " ".join(node.get_code(include_prefix=False).split())


class Drop(Operator):
    """Drops a call or a raise that is a statement by itself."""

    def mutation_positions(self, node):
        if node.type == "simple_stmt" and node.children[0].type in ("atom_expr", "raise_stmt"):
            yield node.children[0].start_pos, node.children[0].end_pos

    def mutate(self, node, index):
        prefix = node.children[0].get_first_leaf().prefix
        node.children[0] = parso.parse(f"{prefix}pass")
        return node

    @classmethod
    def examples(cls):
        return (
            Example("def f():\n    g()\n", "def f():\n    pass\n"),
            Example("if a: raise b\n", "if a: pass\n"),
        )


class DropCondition(Operator):
    """A statement loses one condition."""

    _CALLS = ("and_", "or_", "row_exists", "where")

    def mutation_positions(self, node):
        for argument in self._arguments(node):
            yield argument.start_pos, argument.end_pos

    def mutate(self, node, index):
        place = node.children.index(self._arguments(node)[index])
        # The comma after the argument goes, too; for the last argument, the one before it.
        first = min(place, len(node.children) - 2)
        del node.children[first : first + 2]
        return node

    def _arguments(self, node):
        """Return the arguments of a call with several conditions and no keyword arguments."""
        if node.type != "arglist":
            return []
        called = node.parent.get_previous_sibling().get_code().strip(". ")
        if called not in self._CALLS:
            return []
        return [each for each in node.children if each.type not in ("operator", "argument")]

    @classmethod
    def examples(cls):
        return (
            Example("sa.and_(a, b)", "sa.and_( b)"),
            Example("sa.and_(a, b)", "sa.and_(a)", occurrence=1),
            Example("a.where(b, c)", "a.where(b)", occurrence=1),
        )


class CatchOther(Operator):
    """An except clause catches something else instead of one of its exceptions.

    Cosmic Ray's ExceptionReplacer does not know names with dots.
    """

    def mutation_positions(self, node):
        for caught in self._caught(node):
            yield caught.start_pos, caught.end_pos

    def mutate(self, node, index):
        caught = self._caught(node)[index]
        siblings = caught.parent.children
        prefix = caught.get_first_leaf().prefix
        siblings[siblings.index(caught)] = parso.parse(f"{prefix}StopAsyncIteration")
        return node

    @staticmethod
    def _caught(node):
        if node.type != "except_clause":
            return []
        caught = node.children[1]
        if caught.type != "atom":
            return [caught]
        inside = caught.children[1]
        return inside.children[::2] if inside.type == "testlist_comp" else [inside]

    @classmethod
    def examples(cls):
        return (
            Example("try: a\nexcept b.C as c: d", "try: a\nexcept StopAsyncIteration as c: d"),
            Example("try: a\nexcept (B): d", "try: a\nexcept (StopAsyncIteration): d"),
            Example(
                "try: a\nexcept (B, c.D): d",
                "try: a\nexcept (B, StopAsyncIteration): d",
                occurrence=1,
            ),
        )


OURS = (Negate, SwapIn, Drop, DropCondition, CatchOther)
