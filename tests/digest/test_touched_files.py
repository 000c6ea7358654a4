"""Which files a session touched."""

from memci.digest.session_events import read_events
from memci.digest.tool_calls import list_touched, shorten_path
from tests.digest.tape import Tape, make_shift


def test_other_tools_touch_no_files() -> None:
    tape = Tape()
    tape.run("cat src/cart.py")
    tape.call("Grep", pattern="x", path="/home/ines/shop/src")
    assert list_touched(read_events(tape.records, "s", "n").calls, "/home/ines/shop") == []


def test_reads_and_changes_are_counted() -> None:
    files = {
        file.path: file for file in list_touched(read_events(make_shift().records, "s", "n").calls, "/home/ines/shop")
    }
    cart = files["src/cart.py"]
    assert (cart.reads, cart.edits, cart.writes, cart.failures) == (1, 1, 0, 1)
    assert files["docs/rounding.md"].writes == 1


def test_paths_are_shown_from_where_the_session_ran() -> None:
    assert shorten_path("/home/ines/shop/a.py", "/home/ines/shop/") == "a.py"
    assert shorten_path("/home/ines/shopping/a.py", "/home/ines/shop") == "/home/ines/shopping/a.py"
    assert shorten_path("C:\\work\\shop\\a.py", "C:\\work\\shop") == "a.py"
