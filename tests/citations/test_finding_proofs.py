"""A finding is joined with the commit that broke its claim, and with the lines of that commit."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from memci.citations import finding_proofs
from memci.citations.finding_proofs import FindingProof, explain_findings, list_proved
from memci.config import Config
from memci.dream.check_memory import check_snapshot, read_snapshot, verify_claims
from memci.git.commit_contents import PatchLine, iter_patch
from memci.git.repository import Repository
from memci.git.workspace import open_workspace
from memci.memory.scopes import find_scopes
from memci.model.finding import Finding
from tests.bad_inputs.stage import secret
from tests.build import NOW
from tests.citations.scripted import SCOPE, Moved, Scripted, begin

TAX = "def compute_tax(amount):\n    return amount * 0.19\n\n\ndef other():\n    return 1\n"


@pytest.fixture
def scripted(tmp_path: Path) -> Scripted:
    return begin(tmp_path / "repo")


def prove(scripted: Scripted) -> tuple[Mapping[str, FindingProof], list[Finding]]:
    """Check the memory; return the proofs, and the findings of all rules."""
    workspace = open_workspace(scripted.repo.root)
    assert workspace.repository is not None
    snapshot = read_snapshot(workspace.tree, find_scopes(workspace.tree, workspace.root))
    judged = verify_claims(workspace, snapshot)
    findings = check_snapshot(snapshot, Config(), NOW, judged).findings
    proofs = explain_findings(findings, judged, workspace.repository, (SCOPE,))
    return proofs, list(findings)


def one(proofs: Mapping[str, FindingProof], findings: list[Finding], rule: str) -> FindingProof:
    return proofs[next(finding.fingerprint for finding in findings if finding.rule == rule)]


def test_findings_without_a_commit_have_no_proof(scripted: Scripted) -> None:
    scripted.change({"src/tax.py": TAX})
    scripted.remember("Taxes come from `compute_tax()`. Released last week.")
    scripted.repo.write(f"{SCOPE}/orphan.md", "no head\n")
    scripted.repo.commit()
    proofs, findings = prove(scripted)

    assert proofs == {}
    assert findings
    assert not any(finding.claim for finding in findings)


def test_a_removed_name_has_its_commit_and_what_replaced_it(scripted: Scripted) -> None:
    scripted.change({"src/tax.py": TAX, "src/use.py": "from tax import compute_tax\n"})
    scripted.remember("Taxes come from `compute_tax()`.")
    scripted.repo.commit()
    scripted.repo.write(f"{SCOPE}/notes.md", "compute_tax is gone, says the memory\n")
    files = {"src/tax.py": TAX.replace("compute_tax", "levy"), "src/use.py": "from tax import levy\n"}
    commit = scripted.change(files, f"rename it {secret()}")
    proofs, findings = prove(scripted)
    proof = one(proofs, findings, "symbol-missing")

    assert (proof.commit, proof.date, proof.new_place) == (commit[:10], "2026-11-01", "")
    assert proof.subject == "rename it [REDACTED:github-token]"
    assert proof.hunk == (
        "-def compute_tax(amount):",
        "+def levy(amount):",
        "-from tax import compute_tax",
        "+from tax import levy",
    )


def test_a_moved_file_has_its_new_place(scripted: Scripted) -> None:
    scripted.change({"src/tax.py": TAX, "run.sh": "python src/tax.py\n"})
    scripted.remember("Taxes are computed in `src/tax.py`.")
    scripted.repo.commit()
    scripted.change({"lib/tax.py": Moved("src/tax.py"), "run.sh": "python lib/tax.py\n"}, "move")
    proofs, findings = prove(scripted)
    proof = one(proofs, findings, "path-moved")

    assert proof.new_place == "lib/tax.py"
    assert proof.hunk == ("renamed src/tax.py -> lib/tax.py", "-python src/tax.py", "+python lib/tax.py")


def test_a_deleted_file_is_said_to_be_deleted(scripted: Scripted) -> None:
    scripted.change({"src/tax.py": TAX, "src/b.py": "b = 1\n"})
    scripted.remember("Taxes are computed in `src/tax.py`.")
    scripted.repo.commit()
    scripted.change({"src/tax.py": None}, "drop")
    proofs, findings = prove(scripted)

    assert one(proofs, findings, "path-missing").hunk == ("deleted src/tax.py",)


def test_a_secret_on_a_line_with_the_name_is_redacted_and_few_lines_are_kept(scripted: Scripted) -> None:
    uses = "".join(f"print(compute_tax({number}))\n\n" for number in range(40))
    scripted.change({"src/tax.py": TAX + f"KEY = '{secret()}'  # compute_tax\n", "src/use.py": uses})
    scripted.remember("Taxes come from `compute_tax()`.")
    scripted.repo.commit()
    scripted.change({"src/tax.py": "x = 1\n", "src/use.py": "x = 1\n"}, "drop")
    proofs, findings = prove(scripted)
    hunk = one(proofs, findings, "symbol-missing").hunk

    assert 2 <= len(hunk) <= 8
    assert hunk[0] == "-def compute_tax(amount):"
    assert not any(secret() in line for line in hunk)


def test_each_commit_is_read_once_and_not_too_many(scripted: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    scripted.change({f"src/tax_{letter}.py": f"def tax_{letter}(a):\n    return a\n" for letter in "abcd"})
    for letter in "abcd":
        scripted.remember(f"Taxes come from `tax_{letter}()`.")
    scripted.repo.commit()
    scripted.change({"src/tax_a.py": "x = 1\n", "src/tax_b.py": "y = 1\n"})
    scripted.change({"src/tax_c.py": "x = 2\n"})
    scripted.change({"src/tax_d.py": "x = 3\n"})
    monkeypatch.setattr(finding_proofs, "_MAX_COMMITS", 2)
    read: list[str] = []

    def count(repository: Repository, commit: str, seconds: float) -> Iterator[PatchLine]:
        read.append(commit)
        return iter_patch(repository, commit, seconds)

    monkeypatch.setattr(finding_proofs, "iter_patch", count)
    proofs, _ = prove(scripted)

    assert len(proofs) == 4
    assert len(read) == len(set(read)) == 2
    assert sorted(bool(proof.hunk) for proof in proofs.values()) == [False, True, True, True]


def test_the_message_of_the_breaking_commit_is_evidence(scripted: Scripted) -> None:
    scripted.change({"src/tax.py": TAX})
    scripted.remember("Taxes come from `compute_tax()`.")
    scripted.repo.commit()
    scripted.repo.write("src/tax.py", "def other():\n    return 1\n")
    scripted.repo.commit(message="Drop compute_tax\n\nThe tax service answers\nwithin a second.")
    proof = one(*prove(scripted), "symbol-missing")
    assert (proof.subject, proof.explanation) == ("Drop compute_tax", "The tax service answers within a second.")
    assert list_proved(proof)[-2:] == ("Drop compute_tax", "The tax service answers within a second.")


def test_a_changed_value_has_its_commit_and_the_new_value(scripted: Scripted) -> None:
    scripted.change({"src/client.py": "MAX_RETRIES = 5\nWAIT = 1\n"})
    scripted.remember("`MAX_RETRIES` is 5 in `src/client.py`.")
    scripted.repo.commit()
    changed = scripted.change({"src/client.py": "MAX_RETRIES = 8\nWAIT = 1\n"}, "raise the limit")
    proof = one(*prove(scripted), "value-changed")

    assert changed.startswith(proof.commit)
    assert (proof.subject, proof.hunk) == ("raise the limit", ("-MAX_RETRIES = 5", "+MAX_RETRIES = 8"))
    assert "+MAX_RETRIES = 8" in list_proved(proof)
