import hashlib
import tempfile
from collections.abc import Mapping
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from memci.citations.cache import NameCache, parse_cache, render_cache
from memci.citations.code.tree_search import TreeSearch, search_tree

NAMES = ("alpha", "beta", "gamma", "delta")


def find_oid(data: bytes) -> str:
    """Return how git calls a content."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def write(root: Path, files: Mapping[str, bytes]) -> dict[str, str]:
    """Write files and return their blobs, as if git had them all."""
    for path, data in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    return {path: find_oid(data) for path, data in files.items()}


def look(
    root: Path, paths: Mapping[str, object], wanted: Mapping[str, int], cache: NameCache, clean: Mapping[str, str]
) -> TreeSearch:
    search = TreeSearch(wanted, cache, clean)
    search_tree(root, sorted(paths), search)
    return search


FILES = {"a.py": b"alpha = beta", "b.py": b"# alpha\nbeta()", "c/d.py": b"gamma"}


def test_a_file_that_git_does_not_vouch_for_is_not_remembered(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    first = look(tmp_path, FILES, {"alpha": 1, "nowhere": 1}, NameCache(), {})
    assert (first.found, first.fresh, first.keep().blobs) == ({"alpha": ["a.py"]}, 0, {})


def test_a_file_that_changed_behind_the_back_of_git_is_not_remembered(tmp_path: Path) -> None:
    clean = write(tmp_path, FILES)
    write(tmp_path, {"a.py": b"alpha = zeta"})
    first = look(tmp_path, FILES, {"nowhere": 1}, NameCache(), clean)
    assert sorted(key.partition("/")[2] for key in first.keep().blobs) == ["b.py", "d.py"]


def test_another_size_than_that_of_the_blob_is_searched(tmp_path: Path) -> None:
    clean = write(tmp_path, FILES)
    kept = look(tmp_path, FILES, {"alpha": 2, "nowhere": 1}, NameCache(), clean).keep()
    # As where a filter decrypts files on check-out: git calls them clean.
    write(tmp_path, {"c/d.py": b"gamma = alpha"})
    assert look(tmp_path, FILES, {"alpha": 2, "nowhere": 1}, kept, clean).found == {"alpha": ["a.py", "c/d.py"]}


def test_the_same_content_under_another_name_is_read_as_what_it_is_there(tmp_path: Path) -> None:
    files = {"a.py": b"# alpha", "b.txt": b"# alpha"}
    clean = write(tmp_path, files)
    kept = look(tmp_path, {"a.py": 0}, {"alpha": 1}, NameCache(), clean).keep()
    assert look(tmp_path, files, {"alpha": 1}, kept, clean).found == {"alpha": ["b.txt"]}


def test_an_unchanged_tree_is_not_read_again(tmp_path: Path) -> None:
    clean = write(tmp_path, FILES)
    wanted = {"alpha": 1, "beta": 2, "gamma": 1, "nowhere": 1}
    first = look(tmp_path, FILES, wanted, NameCache(), clean)
    assert first.found == {"alpha": ["a.py"], "beta": ["a.py", "b.py"], "gamma": ["c/d.py"]}
    # Other bytes of the same size: who read them would notice.
    write(tmp_path, {path: b"x" * len(data) for path, data in FILES.items()})
    second = look(tmp_path, FILES, wanted, first.keep(), clean)
    assert (second.found, second.fresh) == (first.found, 0)
    assert look(tmp_path, FILES, wanted, second.keep(), clean).found == first.found


def test_reading_stops_when_every_name_is_found(tmp_path: Path) -> None:
    clean = write(tmp_path, FILES)
    assert look(tmp_path, FILES, {"alpha": 1}, NameCache(), clean).fresh == 1


codes = st.lists(st.sampled_from([*NAMES, "# ", '"""', "\n", " ", "("]), max_size=6).map("".join)
trees = st.dictionaries(st.sampled_from(["a.py", "b.py", "c/a.py", "c/d.js", "e"]), codes.map(str.encode))
steps = st.lists(
    st.tuples(
        trees,
        st.dictionaries(st.sampled_from(NAMES), st.integers(1, 2)),
        # Files that git says have changed, and files that change after git was asked.
        st.sets(st.sampled_from(["a.py", "c/a.py"])),
        st.dictionaries(st.sampled_from(["b.py", "c/d.js"]), codes.map(str.encode), max_size=1),
    ),
    min_size=2,
    max_size=4,
)


IN_TURN = {"a.py": b"", "b.py": b"alpha"}


@given(steps)
# A file that must be read comes before one that is known.
@example([(IN_TURN, {"alpha": 1}, set(), {}), ({**IN_TURN, "a.py": b"alpha "}, {"alpha": 1}, set(), {})])
def test_the_answer_is_the_same_with_and_without_what_was_kept(
    told: list[tuple[dict[str, bytes], dict[str, int], set[str], dict[str, bytes]]],
) -> None:
    data = b""
    for files, wanted, dirty, late in told:
        with tempfile.TemporaryDirectory() as name:
            root = Path(name)
            oids = write(root, files)
            clean = {path: oid for path, oid in oids.items() if path not in dirty}
            # What is the same size as before may be taken from the cache: then the run was a moment earlier.
            write(root, {path: text for path, text in late.items() if len(text) != len(files.get(path, text))})
            kept = look(root, files, wanted, parse_cache(data), clean)
            assert kept.found == look(root, files, wanted, NameCache(), {}).found
            data = render_cache(kept.keep())
