import json
from pathlib import Path

import pytest

from benchmarks.drift.score import Label, Reported, Score, hash_token, main, read_labels, score

LABELS = [
    Label("o/a", "M.md", 3, hash_token("src/gone.py"), right=True),
    Label("o/a", "M.md", 3, hash_token("src/plan.py"), right=False),
    Label("o/a", "M.md", 9, hash_token("reset"), right=True),
    Label("o/b", "M.md", 1, hash_token("x"), right=True),
]


def test_a_token_is_told_from_others_of_its_line() -> None:
    assert score(LABELS, [Reported("o/a", "M.md", 3, "src/gone.py")]) == Score(1, 2, 0, 1, 0)
    assert score(LABELS, [Reported("o/a", "M.md", 3)]) == Score(1, 2, 1, 1, 0)


def test_what_nobody_judged_is_counted_apart() -> None:
    assert score(LABELS, [Reported("o/a", "M.md", 3, "other"), Reported("o/a", "N.md", 3)]) == Score(0, 2, 0, 1, 2)


def test_a_repository_without_a_report_counts_if_it_was_covered() -> None:
    assert score(LABELS, [], ["o/b"]) == Score(0, 1, 0, 0, 0)


def test_reads_json_lines_and_reports_of_memci(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    label = next(label for label in read_labels() if label.right)
    finding = {"rule": "path-missing", "severity": "warning", "file": label.file, "line": label.line}
    own = tmp_path / f"{label.repository.replace('/', '+')}.json"
    own.write_text(json.dumps({"findings": [finding, finding | {"rule": "secret", "line": 99999}]}))
    lines = tmp_path / "tool.jsonl"
    lines.write_text(json.dumps({"repository": label.repository, "file": label.file, "line": label.line}) + "\n")
    main([str(own)])
    first = capsys.readouterr().out
    main([str(lines)])
    assert capsys.readouterr().out == first
    assert "reported, no label     0\n" in first


def test_the_labels_have_no_text_of_others() -> None:
    for label in read_labels():
        assert len(label.key) == 12
        assert set(label.key) <= set("0123456789abcdef")
