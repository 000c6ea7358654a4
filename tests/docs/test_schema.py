"""What editors and runners read: the schema of the settings, and the problem matcher."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from memci.report.check_github import render_github
from tests.commands.run import memci
from tests.report.results import finding, result
from tests.repository import make_repository
from tools.docs.reading import ROOT, list_blocks
from tools.docs.settings import list_keys

SCHEMA = ROOT / "docs" / "memci.schema.json"


def validate(path: Path) -> int:
    command = [sys.executable, "-m", "check_jsonschema", "--schemafile", str(SCHEMA), str(path)]
    return subprocess.run(command, capture_output=True, check=False).returncode


def test_every_key_is_in_the_schema() -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    assert list(schema["properties"]) == list(list_keys())


def test_what_init_writes_names_the_schema_and_fits_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_repository(tmp_path)
    assert memci(capsys, tmp_path, "init", "--github").code == 0
    settings = tmp_path / ".memci.yml"
    first = settings.read_text().splitlines()[0]
    assert first == f"# yaml-language-server: $schema={json.loads(SCHEMA.read_text())['$id']}"
    assert validate(settings) == 0


def test_the_documented_settings_fit_and_others_do_not(tmp_path: Path) -> None:
    (block,) = [one for one in list_blocks("yaml", page="docs/configuration.md") if "ignore:" in one.text]
    settings = tmp_path / "settings.yml"
    settings.write_text(block.text + "severity: {index-orphan: error}\n")
    assert validate(settings) == 0
    for wrong in ("fail-on: grave\n", "unknown: 1\n", "ignore: [{rule: secret}]\n", "severity: {nothing: error}\n"):
        settings.write_text(wrong)
        assert validate(settings) == 1


def test_the_problem_matcher_finds_every_finding() -> None:
    (matcher,) = json.loads((ROOT / "docs/problem-matcher.json").read_text(encoding="utf-8"))["problemMatcher"]
    (pattern,) = matcher["pattern"]
    log = render_github(result(finding(), finding("date-relative", "a: b [c]", "x y.md", 7)))
    found = [one for line in log.splitlines() if (one := re.match(pattern["regexp"], line))]
    keys = ("severity", "file", "line", "message", "code")
    assert [tuple(one[pattern[key]] for key in keys) for one in found] == [
        ("error", ".claude/memory/MEMORY.md", "1", "leads nowhere", "index-dangling"),
        ("warning", "x y.md", "7", "a: b [c]", "date-relative"),
    ]
