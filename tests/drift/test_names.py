import pytest

from memci.drift.names import MAX_FILES, defines, find_names
from memci.model import Unreadable


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("a.py", b"# old_name\n"),
        ("a.py", b'def other():\n    """Replaces old_name."""\n'),
        ("a.ts", b"// old_name\n/* old_name */\n"),
        ("a.test.ts", b"it('has no old_name', () => {});\n"),
        ("a.py", b"old_name_too = very_old_name\n"),
        ("a.py", b"old_name = 1\n\0"),
        ("a.py", b""),
    ],
)
def test_does_not_find(path: str, data: bytes) -> None:
    assert find_names([(path, data)], {"old_name"}) == {}


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("a.py", b"def old_name():\n    pass\n"),
        ("a.py", b"x = getattr(y, 'old_name')\n"),
        ("a.py", b"\xff\xfe = 1; old_name()\n"),
        ("a.unknown", b"old_name\n"),
    ],
)
def test_finds(path: str, data: bytes) -> None:
    assert find_names([(path, data)], {"old_name", "other_name"}) == {"old_name": [path]}


def test_what_cannot_be_read_has_no_names() -> None:
    assert find_names([("a.py", Unreadable.TOO_LARGE), ("b.py", b"old_name()\n")], {"old_name"}) == {
        "old_name": ["b.py"]
    }


def test_a_name_that_is_everywhere_is_listed_a_few_times() -> None:
    files = [(f"{number}.py", b"old_name()\n") for number in range(MAX_FILES + 5)]
    assert len(find_names(files, {"old_name"})["old_name"]) == MAX_FILES


@pytest.mark.parametrize(
    "line",
    [
        b"read_rows()",
        b"from table import read_rows",
        b"def read_rows_twice(): ...",
        b"def all(read_rows): ...",
        b"undef read_rows",
        b"return read_rows",
    ],
)
def test_does_not_define(line: bytes) -> None:
    assert not defines(line, "read_rows")


@pytest.mark.parametrize(
    "line",
    [
        b"def read_rows(): ...",
        b"    async def read_rows(self): ...",
        b"pub(crate) fn read_rows() {}",
        b"func (t *Table) read_rows() {}",
        b"export const read_rows = () => 1;",
        b"class read_rows:",
        b"type read_rows struct {}",
    ],
)
def test_defines(line: bytes) -> None:
    assert defines(b"x = 1\n" + line + b"\n", "read_rows")


@pytest.mark.parametrize("text", [b"def " * 20_000, b"func (" * 12_000, b"def" + b" " * 70_000, b"func (a) " * 8_000])
def test_hostile_code_is_searched_to_its_end(text: bytes) -> None:
    assert not defines(text, "read_rows")
    assert find_names([("a.py", text)], {"read_rows"}) == {}
