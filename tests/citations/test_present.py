"""How much of the work tree is read for which claims."""

from pathlib import Path, PurePosixPath

import pytest

from memci.citations.verdict import judge_claims, read_present
from memci.model.citation import Claim, ClaimKind, VerdictKind, Wording

TOPIC = PurePosixPath(".claude/memory/a.md")


def symbol(text: str, context: str = "", wording: Wording = Wording.PLAIN) -> Claim:
    return Claim(ClaimKind.SYMBOL, text, TOPIC, 1, 1, wording, context=context)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Return files of which more have `common` than are ever listed, and the last one has `rare`, too."""
    paths = [f"src/m{number:02}.py" for number in range(30)]
    for path in (*paths, "src/last.py", "notes.md"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text("common()\n")
    (tmp_path / "src/last.py").write_text("# mentioned\ncommon(rare)\n")
    return [*paths, "src/last.py", "notes.md"]


def test_what_is_in_the_file_named_with_it_is_not_looked_for_elsewhere(tmp_path: Path, files: list[str]) -> None:
    claims = [symbol("common", "src/last.py"), symbol("rare", "last.py")]
    present = read_present(claims, tmp_path, files, ())
    assert present.names == {"common": ["src/last.py"], "rare": ["src/last.py"]}


def test_a_name_without_a_file_is_looked_for_until_it_is_found(tmp_path: Path, files: list[str]) -> None:
    present = read_present([symbol("common"), symbol("rare"), symbol("mentioned")], tmp_path, files, ())
    assert present.names == {"common": ["src/last.py"], "rare": ["src/last.py"]}
    present = read_present([symbol("common")], tmp_path, files[:30], ())
    assert present.names == {"common": ["src/m00.py"]}


@pytest.mark.parametrize("context", ["src/gone.py", "notes.md", "src/m03.py"])
def test_a_name_that_is_not_in_its_file_is_looked_for_in_many(tmp_path: Path, files: list[str], context: str) -> None:
    (tmp_path / "src/m03.py").write_text("# common\n")
    present = read_present([symbol("common", context), symbol("common", "src/last.py")], tmp_path, files, ())
    assert len(present.names["common"]) == 20
    assert present.cited == {("common", "src/last.py")}


def test_a_claim_holds_in_its_own_file_however_many_others_have_the_name(tmp_path: Path, files: list[str]) -> None:
    claims = [symbol("common", "src/m29.py"), symbol("common", "src/gone.py", Wording.HISTORICAL)]
    (first, _) = judge_claims(claims, tmp_path, None, files, ()).verdicts
    assert (first.kind, first.candidates) == (VerdictKind.VERIFIED, ())
