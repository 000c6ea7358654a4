import random
import string
from pathlib import PurePosixPath

import pytest

from memci.checks.rules.secret import RULE
from memci.memory.topic import parse_topic
from memci.model.finding import Severity
from tests.build import BODY_LINE, SCOPE, findings_in, material, scope_of, topic

# Generated, so that no scanner flags this file.
VALUE = "".join(random.Random(3).choices(string.ascii_letters + string.digits, k=36))
TOKEN = "gh" + "p_" + VALUE


@pytest.mark.parametrize(
    "body",
    [
        "The base image is pinned to sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.",
        "Tenant 3f2b8c1e-6d4a-4e0b-9a57-1c2d3e4f5a6b must never be migrated.",
        "The password policy asks for 16 characters. Api keys are stored in the vault under `kv/payments`.",
        "Set `API_KEY=<your key>` first; tokens begin with `ghp_`.",
    ],
)
def test_leaves_alone(body: str) -> None:
    assert findings_in(RULE.check, body) == []


def test_reports_file_line_column_and_kind() -> None:
    (finding,) = RULE.check(material(scope_of(topic(f"fact\n\n- clone with {TOKEN}"))))
    assert (finding.path, finding.line, finding.column) == (SCOPE / "topic.md", BODY_LINE + 2, 14)
    assert finding.severity is Severity.ERROR
    assert "github-token" in finding.message
    assert "rotate" in finding.suggestion


def test_reports_a_secret_in_the_frontmatter() -> None:
    text = f"---\nname: a\ndescription: token {TOKEN}\n---\nx\n"
    (finding,) = RULE.check(material(scope_of(parse_topic(PurePosixPath("a.md"), text))))
    assert finding.line == 3


def test_reports_a_secret_that_yaml_puts_together() -> None:
    text = f'---\nname: a\ndescription: "token \\x{ord(TOKEN[0]):02x}{TOKEN[1:]}"\n---\nx\n'
    (finding,) = RULE.check(material(scope_of(parse_topic(PurePosixPath("a.md"), text))))
    assert finding.line == 3
    assert VALUE not in repr(finding)


def test_never_repeats_the_value() -> None:
    (finding,) = RULE.check(material(scope_of(topic(f"see {TOKEN}"))))
    assert VALUE not in repr(finding)
    assert VALUE[:8] not in finding.message + finding.suggestion + finding.key


def test_two_secrets_of_one_kind_are_two_findings() -> None:
    found = list(RULE.check(material(scope_of(topic(f"{TOKEN}\n{TOKEN[::-1]} {TOKEN}")))))
    assert [finding.line - BODY_LINE + 1 for finding in found] == [1, 2]
    assert len({finding.fingerprint for finding in found}) == 2
