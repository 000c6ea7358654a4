"""Who ran a session."""

from pathlib import Path

import pytest

from memci.sessions.people import find_login, name_people
from memci.sessions.read_result import Session
from memci.sessions.read_turns import read_transcripts
from tests.sessions.build import Json, user, write

AUTHORS = {
    ("Inês Duarte", "ines@shop.example"),
    ("Inês Duarte", "ines.private@mail.example"),
    ("Jonas Vik", "4711+jvik-dev@users.noreply.github.com"),
    ("Kim Larsen", "kim+shop@mail.example"),
    ("Kim Berg", "berg@shop.example"),
    ("Aneta", "office@shop.example"),
}


@pytest.mark.parametrize(
    "cwd", [None, "", "/", "/srv/shop", "/root/shop", "/home", "/home/", "/home/runner/work/shop", "/home/UBUNTU/x",
            "C:\\Windows", "/workspaces/shop", "/srv/home/ines/x", f"/home/{'x' * 90}/y"]
)  # fmt: skip
def test_directories_that_name_no_person(cwd: str | None) -> None:
    assert find_login(cwd) == ""


@pytest.mark.parametrize(
    "cwd", ["/home/ines", "/home/ines/shop", "/Users/ines/shop", "C:\\Users\\ines\\shop", "d:/Users/ines/shop",
            "/mnt/c/Users/ines/shop", "/c/Users/ines/shop"]
)  # fmt: skip
def test_the_login_is_in_the_home_directory(cwd: str) -> None:
    assert find_login(cwd) == "ines"


@pytest.mark.parametrize(
    ("person", "name"),
    [
        ("", ""),
        ("somebody", "somebody"),
        # Two authors have this first name.
        ("Kim", "Kim"),
        ("kim", "kim"),
        # Recorded by git, whether it is the name of an author or not.
        ("Inês Duarte", "Inês Duarte"),
        ("Inês D. Duarte", "Inês D. Duarte"),
        ("ines", "Inês Duarte"),
        ("INES", "Inês Duarte"),
        ("duarte", "Inês Duarte"),
        ("ines.duarte", "Inês Duarte"),
        ("iduarte", "Inês Duarte"),
        ("jvik-dev", "Jonas Vik"),
        ("4711", "4711"),
        ("kim.larsen", "Kim Larsen"),
        ("berg", "Kim Berg"),
        ("office", "Aneta"),
    ],
)
def test_a_login_is_the_name_of_the_only_author_that_fits(person: str, name: str) -> None:
    session = Session("s", None, None, None, None, None, None, 0, person)
    assert name_people([session], AUTHORS) == {"s": name}


def test_a_session_tells_the_login_or_the_name_that_was_recorded(tmp_path: Path) -> None:
    def read(*records: Json) -> list[str]:
        target = write(tmp_path, "a.jsonl", *records)
        return [session.person for session in read_transcripts([str(target)], repository=None).sessions]

    assert read(user("one")) == ["ines"]
    assert read(user("one", cwd="/home/runner/work")) == [""]
    assert read({"type": "memci-session", "person": "Inês Duarte"}, user("one")) == ["Inês Duarte"]
    for name in ("", " ", "x" * 200, 7, ["x"]):
        assert read({"type": "memci-session", "person": name}, user("one")) == ["ines"]
    assert read({"type": "memci-session", "person": "a\nb"}, user("one")) == ["a\\nb"]
