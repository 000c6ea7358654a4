from memci.checks.citation_findings import plan_repairs
from memci.checks.rule import Material
from memci.model.citation import Claim, ClaimKind, Reason, Verdict, VerdictKind
from tests.build import NOW, SCOPE, snapshot_of
from tests.citations.scripted import Files, make_tests

LINES = [f"value_{number} = compute({number})\n" for number in range(1, 41)]
BEFORE: Files = {
    "app/router.py": "".join(LINES),
    "app/short.py": "".join(line.replace("value", "short") for line in LINES),
    "app/edited.py": "".join(line.replace("value", "edited") for line in LINES),
    "a/index.ts": "one = 1\n",
    "b/index.ts": "".join(LINES),
    "app/same.py": "one = 1\ntwo = 2\n",
    "app/twice.py": "start = 1\nreturn_it()\nmiddle = 2\nreturn_it()\n",
    "app/ends.js": "function one() {\n  return 1;\n}\n// two\n",
}
AFTER: Files = {
    "app/router.py": "import os\nimport sys\n\n" + "".join(LINES),
    "app/short.py": "".join(line.replace("value", "short") for line in LINES[:10]),
    "app/edited.py": "".join(line.replace("value", "edited") for line in LINES).replace("compute(12)", "compute(0)"),
    "app/twice.py": "start = 1\nadded = 0\nreturn_it()\nreturn_it()\nreturn_it()\n",
    "app/ends.js": "// zero\nfunction one() {\n  return 1;\n}\n// two\n",
}

LEFT_ALONE = [
    "Not changed: `app/same.py:1-2`.",
    "Still behind: `app/short.py:3`.",
    "Edited in place, so nobody knows: `app/edited.py:12`.",
    "More of them than before: `app/twice.py:2`.",
    "`app/short.py:30` was removed.",
    "~~The loop is `app/short.py:30`.~~",
    "One of two, the longer one: `index.ts:30`.",
    "No such file ever: `app/never.py:3`.",
    "Off from the start: `value_20` in `app/router.py:12`.",
    "Off from the start, called in passing: computeValue (app/router.py:12).",
    "Only used in there, not cited by where it begins: `value_16` (`app/router.py:12-16`).",
    "Nothing tells what is meant: `app/router.py:12`.",
    "The end of something: `app/ends.js:3`.",
    "A part of it is left: `app/short.py:8-12`.",
    "A time: 12:30, and a port: `localhost:8080`.",
]

REPORTED = [
    ("The loop is `app/short.py:30`.", 1, "app/short.py:30 is not there: app/short.py has 10 lines"),
    ("\nThe loop is `app/short.py:12-14`.", 2, "app/short.py:12-14 is not there: app/short.py has 10 lines"),
    ("It computes the route: `app/router.py:12`.", 1, "app/router.py:12 is now app/router.py:15"),
    ("It computes the route: `app/router.py:12-14`.", 1, "app/router.py:12-14 is now app/router.py:15-17"),
    ("The route is `value_12` (`app/router.py:12`).", 1, "app/router.py:12 is now app/router.py:15"),
    (
        "The value is [computed](app/router.py#L12-L14).",
        1,
        "app/router.py:12-14 is now app/router.py:15-17",
    ),
]


test_leaves_alone, test_reports = make_tests("line-out-of-range", BEFORE, LEFT_ALONE, REPORTED, AFTER)


def test_the_text_of_a_link_gets_the_lines_of_its_target() -> None:
    body = "It is at [app/router.py:12](app/router.py#L12), not 12.\n"
    snapshot = snapshot_of({"a.md": body})
    claim = Claim(ClaimKind.LINES, "app/router.py", SCOPE / "a.md", 1, body.index("(") + 2, lines=(12, 12))
    verdict = Verdict(claim, VerdictKind.MOVED, Reason.LINES_MOVED, "app/router.py:15", proven=True)
    (fix,) = plan_repairs(Material(snapshot, NOW, verdicts=(verdict,))).values()
    assert fix.edits[0].new == "It is at [app/router.py:15](app/router.py#L15), not 12.\n"
