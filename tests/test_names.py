"""A name means one thing in the package."""

import ast
from collections import Counter
from pathlib import Path

import memci


def test_every_class_name_is_unique() -> None:
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in Path(memci.__file__).parent.rglob("*.py")]
    names = Counter(node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    assert [name for name, count in names.items() if count > 1] == []
