import pytest

from memci.citations.code.name_search import Searcher
from memci.citations.code.names_in_code import defines, find_in_code, only_borrows
from memci.model.memory import Unreadable


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
    assert find_in_code(path, data, Searcher({"old_name"})) == set()


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
    assert find_in_code(path, data, Searcher({"old_name", "other_name"})) == {"old_name"}


def test_what_cannot_be_read_has_no_names() -> None:
    assert find_in_code("a.py", Unreadable.TOO_LARGE, Searcher({"old_name"})) == set()


@pytest.mark.parametrize(
    "line",
    [
        b"read_rows()",
        b"from table import read_rows",
        b"def read_rows_twice(): ...",
        b"def all(read_rows): ...",
        b"undef read_rows",
        b"return read_rows",
        b"return read_rows(1)",
        b"  read_rows(() => {",
        b"  read_rows(() => { open(); });",
        b"  read_rows({ id: 1 });",
        b"  read_rows: true,",
        b"  read_rows = 1",
        b"- read_rows: 3",
        b"x = table.read_rows(1)",
        b"const { read_rows } = table();",
        b"  read_rows,",
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
        b"  read_rows(count) {",
        b"read_rows = 1",
        b"read_rows: int = 1",
        b"        self.read_rows = []",
        b"    public async Task<int> read_rows(int count)",
        b"  private readonly read_rows: Rows;",
        b"void Table::read_rows(int count) {",
        b"int read_rows(void)",
        b"  read_rows(table) { return table.rows; }",
    ],
)
def test_defines(line: bytes) -> None:
    assert defines(b"x = 1\n" + line + b"\n", "read_rows")


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (b"def read_rows(): ...", "read_rows"),
        (b"FString read_rows;", "read_rows"),
        (b"public async Task<int> read_rows(int count)", "read_rows"),
        (b"{ id: 1, read_rows: true }", "read_rows"),
        (b"func (t *Table) read_rows() {}", "read_rows"),
        (b"self.read_rows = 1", "read_rows"),
        (b"table.read_rows();\nfunction read_rows() {}", "read_rows"),
        (b"#if WITH_ROWS\n#define WITH_ROWS 1", "WITH_ROWS"),
        (b"os.environ['WITH_ROWS']", "WITH_ROWS"),
        (b"return process.env.WITH_ROWS;", "WITH_ROWS"),
        (b"add_argument('--with-rows')", "--with-rows"),
        (b"add_argument('-r', '--with-rows')", "--with-rows"),
        (b"  --with-rows) rows=1 ;;", "--with-rows"),
        (b"usage: tool --with-rows <file>", "--with-rows"),
        (b"with_rows: bool,", "with_rows"),
    ],
)
def test_has_a_name_of_its_own(line: bytes, name: str) -> None:
    assert not only_borrows(line, name)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (b"table.read_rows();\nx = plugin->read_rows (1);", "read_rows"),
        (b"use table::{read_rows, other};\nlet x = table::read_rows::all();", "read_rows"),
        (b"import { read_rows } from 'table';\nreturn read_rows(await read_rows());", "read_rows"),
        (b"read_rows()\n", "read_rows"),
        (b"  read_rows(() => {\n", "read_rows"),
        (b"import {\n  other,\n  read_rows,\n} from 'table';\n", "read_rows"),
        (b"#if WITH_ROWS && X\n  #  ifdef WITH_ROWS\n", "WITH_ROWS"),
        (b"git push --with-rows origin\n", "--with-rows"),
        (b"git push --with-rows-too '--with-rows-too'\n", "--with-rows"),
        (b'run(["git", "push", "--with-rows"])\n', "--with-rows"),
        (b'environment["WITH_ROWS"] = "on"\n', "WITH_ROWS"),
        (b'{"env": {"WITH_ROWS": "1"}}\n', "WITH_ROWS"),
        (b"spawn('git',\n  'push',\n  '--with-rows')\n", "--with-rows"),
    ],
)
def test_only_borrows(line: bytes, name: str) -> None:
    assert only_borrows(line, name)


@pytest.mark.parametrize("text", [b"def " * 20_000, b"func (" * 12_000, b"def" + b" " * 70_000, b"func (a) " * 8_000])
def test_hostile_code_is_searched_to_its_end(text: bytes) -> None:
    assert not defines(text, "read_rows")
    assert only_borrows(text, "read_rows")
    assert find_in_code("a.py", text, Searcher({"read_rows"})) == set()
