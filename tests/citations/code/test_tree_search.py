from collections.abc import Mapping
from pathlib import Path

from memci.citations.code.code_files import search_tree


def look(root: Path, files: Mapping[str, bytes], wanted: Mapping[str, int]) -> dict[str, list[str]]:
    for path, data in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    return search_tree(root, [*sorted(files), "absent.py"], wanted)


FILES = {"a.py": b"alpha = beta", "b.py": b"# alpha\nbeta()", "c/d.py": b"gamma = alpha", "e.bin": b"\0alpha"}


def test_each_name_is_found_in_as_many_files_as_are_wanted(tmp_path: Path) -> None:
    wanted = {"alpha": 2, "beta": 1, "gamma": 3, "nowhere": 1}
    assert look(tmp_path, FILES, wanted) == {"alpha": ["a.py", "c/d.py"], "beta": ["a.py"], "gamma": ["c/d.py"]}


def test_names_in_comments_and_in_what_is_no_text_are_not_found(tmp_path: Path) -> None:
    assert look(tmp_path, {name: FILES[name] for name in ("b.py", "e.bin")}, {"alpha": 1}) == {}


def test_the_same_content_under_another_name_is_read_as_what_it_is_there(tmp_path: Path) -> None:
    assert look(tmp_path, {"a.py": b"# alpha", "b.txt": b"# alpha"}, {"alpha": 1}) == {"alpha": ["b.txt"]}


def test_names_are_found_whatever_was_found_before_them(tmp_path: Path) -> None:
    many = {f"f{number:02}.py": b"common = other\n" for number in range(20)}
    wanted = {"common": 1, "other": 2, "late": 1}
    found = look(tmp_path, {**many, "z.py": b"late = common"}, wanted)
    assert found == {"common": ["f00.py"], "other": ["f00.py", "f01.py"], "late": ["z.py"]}


def test_no_names_are_found_in_no_files(tmp_path: Path) -> None:
    assert look(tmp_path, FILES, {}) == {}


def test_what_memci_wrote_proves_nothing_about_the_memory_that_it_quotes(tmp_path: Path) -> None:
    files = {
        "memory.html": b'<!doctype html>\n<meta name="generator" content="memci 0.1.0">\n<p>alpha',
        "out.json": b'{\n  "schema": "memci/check/1",\n  "message": "alpha is gone"\n}\n',
        "page.html": b"<script>alpha()</script>",
    }
    assert look(tmp_path, files, {"alpha": 3}) == {"alpha": ["page.html"]}
