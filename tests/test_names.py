"""A name means one thing in the package."""

import re
from collections import Counter
from pathlib import Path

import memci


def test_every_class_name_is_unique() -> None:
    texts = [path.read_text(encoding="utf-8") for path in Path(memci.__file__).parent.rglob("*.py")]
    # A search, because parsing the whole package takes two seconds.
    names = Counter(name for text in texts for name in re.findall(r"^ *class _*(\w+)[(:]", text, re.MULTILINE))
    assert len(names) > 100
    assert [name for name, count in names.items() if count > 1] == []
