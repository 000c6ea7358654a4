"""No case of the list gets lost: each has a test whose name, or the id of whose parameters, begins with its id."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[1]
CASES = TESTS / "data" / "cases.txt"
# `test_f01_f08_a_kill_…`
_NAME = re.compile(r"(?<=_)[a-z][0-9]{2}(?=_)")
# `M18 binary`, `A07-200-html`
_PARAMETER = re.compile(r"[A-Z][0-9]{2}(?![^ -])")


def find_ids(tree: ast.AST) -> Iterator[str]:
    """Yield the ids in a module: in names of tests, at the head of rows, as keys, and among ids of parameters."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield from (found.upper() for found in _NAME.findall(node.name))
        heads: list[ast.expr | None] = []
        if isinstance(node, ast.Tuple):
            heads = [*node.elts[:1]]
        elif isinstance(node, ast.Dict):
            heads = [*node.keys]
        elif isinstance(node, ast.keyword) and node.arg == "ids" and isinstance(node.value, ast.List):
            heads = [*node.value.elts]
        for head in heads:
            if isinstance(head, ast.Constant) and isinstance(head.value, str):
                yield from _PARAMETER.findall(head.value[:4])


def test_every_case_has_a_test() -> None:
    wanted = set(CASES.read_text("utf-8").split())
    found = {case for path in TESTS.rglob("test_*.py") for case in find_ids(ast.parse(path.read_bytes()))}
    assert len(wanted) == 160
    assert sorted(wanted - found) == []


def test_ids_are_found_where_tests_have_them_and_nowhere_else() -> None:
    module = (
        "def test_f01_f08_a_kill(): 'G01'\n"
        "def helper_g02_(): return 'G03'\n"
        "ROWS = [('M18 binary', 1), ('M19', 2), ('M200', 3), ('x', 'M21')]\n"
        "KEYS = {'S01': 1, 'see S02': 2}\n"
        "@mark.parametrize('x', [1, 2], ids=['T31 zero', 'other'])\n"
        "def test_links(): ...\n"
    )
    assert set(find_ids(ast.parse(module))) == {"F01", "F08", "M18", "M19", "S01", "T31"}
