import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from memci.dream.state import STATE_NAME
from memci.errors import Exit
from memci.memory.client_limit import cut
from tests.cases.golden import CASES, build, dream, find_cases, read_case, read_texts


@pytest.mark.parametrize("name", find_cases())
def test_a_dream_gives_what_was_reviewed_and_is_still_the_second_time(name: str, tmp_path: Path) -> None:
    repo = build(name, tmp_path)
    first = dream(repo)
    assert first.code == Exit.DONE, first.out
    assert first.texts == read_texts(CASES / name / "after")
    for part in read_case(name).get("prints", []):
        assert part in first.out
    for path, text in first.texts.items():
        assert not path.endswith("/MEMORY.md") or cut(text).lost_from == 0
    second = dream(repo, "--force")
    assert (second.code, second.texts) == (Exit.DONE, first.texts)
    assert "nothing to do" in second.out
    assert "changed" not in second.out


@pytest.mark.parametrize("name", find_cases())
def test_a_case_says_what_it_shows_and_shows_it(name: str) -> None:
    assert read_case(name)["shows"]
    before, after = (read_texts(CASES / name / part) for part in ("before", "after"))
    same = all(after.get(path) == text for path, text in before.items() if not path.startswith("files/"))
    created = any(path.endswith(STATE_NAME) for path in after)
    assert created is not (same and len(after) == len([path for path in before if not path.startswith("files/")]))


def test_another_machine_dreams_the_same_bytes() -> None:
    environment = {"TZ": "Pacific/Auckland", "LC_ALL": "C", "PYTHONHASHSEED": "7", "LANG": "tr_TR.UTF-8"}
    done = subprocess.run(
        [sys.executable, "-X", "utf8=0", "-m", "tests.cases.golden", "--shuffled"],
        env=os.environ | environment,
        cwd=CASES.parents[1],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    results = json.loads(done.stdout)
    assert results == {name: read_texts(CASES / name / "after") for name in find_cases()}
