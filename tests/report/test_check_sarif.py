import json
import shutil
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given

from memci.report.check_result import CheckResult
from memci.report.check_sarif import MAX_RESULTS, render_sarif
from tests.report.results import HOSTILE, INDEX, finding, fixable, result, results

BASE = "https://example.org/memci/"


def _run(run: CheckResult) -> dict[str, Any]:
    log = json.loads(render_sarif(run, version="1.2.3", uri_base=BASE))
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-schema-2.1.0.json")
    [only] = log["runs"]
    assert isinstance(only, dict)
    return only


def _artifact(path: str) -> dict[str, str]:
    [found] = _run(result(finding(path=path)))["results"]
    location = found["locations"][0]["physicalLocation"]["artifactLocation"]
    assert isinstance(location, dict)
    return location


def test_a_result_points_at_its_rule_and_place() -> None:
    run = _run(result(finding("secret", line=7)))
    [found] = run["results"]
    assert run["tool"]["driver"]["rules"][found["ruleIndex"]]["id"] == found["ruleId"] == "secret"
    assert found["level"] == "error"
    assert found["message"] == {"text": "leads nowhere."}
    assert found["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": INDEX, "uriBaseId": "SRCROOT"},
                "region": {"startLine": 7, "startColumn": 1},
            }
        }
    ]
    assert found["partialFingerprints"] == {"memciFingerprint/v1": finding("secret").fingerprint}
    assert (run["columnKind"], run["automationDetails"]["id"]) == ("unicodeCodePoints", "memci/check/")


def test_every_rule_has_what_github_asks_for() -> None:
    rules = {rule["id"]: rule for rule in _run(result())["tool"]["driver"]["rules"]}
    assert len(rules) == 5
    for rule in rules.values():
        assert {"name", "shortDescription", "fullDescription", "help", "helpUri"} < set(rule)
        assert rule["help"]["text"]
        assert rule["help"]["markdown"]
        assert rule["helpUri"].startswith("https://")
        assert rule["name"].lower() != rule["id"]
    assert rules["topic-dangling-link"]["defaultConfiguration"] == {"level": "note"}
    assert rules["index-dangling"]["helpUri"] == BASE + "docs/rules.md#index-dangling"
    assert "security-severity" not in rules["index-dangling"]["properties"]
    assert rules["secret"]["properties"]["security-severity"] == "8.0"
    assert "security" in rules["secret"]["properties"]["tags"]


@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("a b/ü.md", {"uri": "a%20b/%C3%BC.md", "uriBaseId": "SRCROOT"}),
        ("c:x?#%\n.md", {"uri": "c%3Ax%3F%23%25%0A.md", "uriBaseId": "SRCROOT"}),
        ("~/.claude/x.md", {"uri": ".claude/x.md", "uriBaseId": "HOME"}),
        ("/srv/x.md", {"uri": "file:///srv/x.md"}),
    ],
)
def test_paths_become_relative_addresses(path: str, location: dict[str, str]) -> None:
    assert _artifact(path) == location


def test_no_text_of_memory_is_shown_beside_the_message() -> None:
    secret = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    assert secret not in render_sarif(result(fixable(f"token: {secret}\n", secret)), version="1", uri_base=BASE)


def test_links_in_messages_stay_text() -> None:
    [found] = _run(result(finding(message="see [x](http://evil)")))["results"]
    assert found["message"]["text"] == "see \\[x\\](http://evil)."
    [plain] = _run(result(finding(message="see [[x]]")))["results"]
    assert plain["message"]["text"] == "see [[x]]."


@pytest.mark.slow
def test_too_many_results_are_cut_by_severity_and_said() -> None:
    many = [finding("topic-dangling-link", line=line + 1) for line in range(MAX_RESULTS)]
    run = _run(result(*many, finding("secret", path="z.md"), skipped=(("x", "not UTF-8"),)))
    assert len(run["results"]) == MAX_RESULTS
    assert run["results"][0]["ruleId"] == "secret"
    notes = [note["message"]["text"] for note in run["invocations"][0]["toolExecutionNotifications"]]
    assert notes == [
        "1 finding of the lowest severity left out: GitHub accepts 25,000 results in a run.",
        "Not checked: x: not UTF-8.",
    ]


@given(results)
def test_every_result_is_complete_and_unique(run: CheckResult) -> None:
    rendered = _run(run)
    found = rendered["results"]
    assert len(found) == len(run.findings)
    assert len({each["partialFingerprints"]["memciFingerprint/v1"] for each in found}) == len(found)
    for each, original in zip(found, run.findings, strict=True):
        location = each["locations"][0]["physicalLocation"]["artifactLocation"]
        assert location["uri"].isascii()
        assert not set(location["uri"]) & set(" \n?#")
        if location.get("uriBaseId") == "SRCROOT":
            assert unquote(location["uri"], errors="surrogatepass") == str(original.path)
        assert len(each["message"]["text"]) < 22_000


@pytest.mark.e2e
def test_microsofts_validator_has_nothing_to_say(tmp_path: Path) -> None:
    npm = shutil.which("npm")
    if not npm:
        pytest.skip("npm is not installed")
    package = "@microsoft/sarif-multitool@5.7.0"
    install = subprocess.run([npm, "install", "--prefix", tmp_path, package], capture_output=True, check=False)
    if install.returncode:
        pytest.skip(f"npm cannot install {package}")
    found = [finding("secret", text, f"{number} {text[:40]}") for number, text in enumerate(HOSTILE)]
    log = tmp_path / "memci.sarif"
    run = result(*found, fixable("a\n", "b\n"), finding("date-relative"), skipped=(("x", "not UTF-8"),))
    log.write_text(render_sarif(run, version="1.2.3", uri_base=BASE))
    out = tmp_path / "out.sarif"
    tool = next(tmp_path.glob("node_modules/@microsoft/sarif-multitool-*/Sarif.Multitool"))
    subprocess.run(
        [tool, "validate", log, "--rule-kind", "Sarif;Ghas", "--output", out, "--log", "ForceOverwrite"],
        env={"DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1", "HOME": str(tmp_path)},
        capture_output=True,
        check=True,
    )
    [report] = json.loads(out.read_text(encoding="utf-8-sig"))["runs"]
    assert [(each["ruleId"], each["message"]) for each in report["results"]] == []
