"""What holds for every dream, whatever the memory and whatever people said."""

import os
import random
from collections import Counter
from dataclasses import replace
from pathlib import PurePosixPath

from hypothesis import example, given, settings
from hypothesis import strategies as st

from memci.memory.client_limit import MAX_LINES, MAX_UNITS, count_units
from memci.memory.index import parse_index
from memci.memory.topic import parse_topic
from memci.model.memory import TopicType
from memci.model.plan import ScopePlan
from memci.model.session import Signal, SignalKind
from tests.build import SCOPE, topic_text
from tests.dream.scenes import dream_over, say, texts_of

# A night's run takes thousands: MEMCI_DREAMS=20000 (`make fuzz`).
EXAMPLES = int(os.environ.get("MEMCI_DREAMS", settings().max_examples))
RULES = (
    "Never mock the database in integration tests",
    "Mock the database in integration tests",
    "Always use pnpm in the web folder",
    "Never use pnpm in the web folder",
    "Use pnpm in the web folder and commit the lockfile",
    "Squash all commits before merging",
    "Releases go out on Monday mornings",
    "# comments stay out of the chart",
    "不要在集成测试里使用模拟数据库",
    "Никогда не мокай базу данных",
)
LINES = (
    *(f"{rule}." for rule in RULES[:7]),
    *(f"- {rule}" for rule in RULES[:7]),
    "## Billing",
    "**Why:** it broke once.",
    "**How to apply:** look first.",
    "",
    "```sh\nmake check\n```",
    "| a | b |\n|---|---|\n| one | two |",
    "> somebody said so",
    "See [[other]] and `missing.md`.",
    "The freeze ends tomorrow.",
)
HEADS = (
    "---\nname: {0}\ndescription: about {0} in the shop\nmetadata:\n  type: {1}\n---\n\n",
    "---\nname: {0}\ndescription: about {0} in the shop\ntype: {1}\nowner: me\n---\n",
    "---\nname: {0}\ntype: rule\n---\n",
    "---\nname: {0}\ndescription: bad: yaml {0}\ntype: {1}\n---\n",
    "---\nname: {0}\npinned: true\ndescription: about {0}\ntype: {1}\n---\n",
    "",
)
NAMES = ("alpha", "bravo", "carts", "deploys", "errors", "freeze")
INDEX_LINES = (
    *(f"- [{name.title()}]({name}.md) — about {name} in the shop" for name in NAMES),
    "- [Gone](gone.md) — was here",
    "- [Out](/etc/passwd) — not ours",
    "# Memory",
    "## Section",
    "",
    "The bastion is the only way in.",
    "See [Alpha](alpha.md) and [Bravo](bravo.md).",
    "<!-- by hand -->",
)

bodies = st.lists(st.sampled_from(LINES), min_size=1, max_size=4).map("\n".join)
topics = st.dictionaries(
    st.sampled_from(NAMES), st.tuples(st.sampled_from(HEADS), st.sampled_from(list(TopicType)), bodies), max_size=4
)
indexes = st.none() | st.lists(st.sampled_from(INDEX_LINES), max_size=7).map(lambda rows: "\n".join(rows) + "\n")
said = st.builds(
    say,
    st.sampled_from(RULES),
    kind=st.sampled_from([SignalKind.CORRECTION, SignalKind.PREFERENCE, SignalKind.FORGET]),
    type=st.sampled_from([TopicType.FEEDBACK, TopicType.PROJECT]),
    why=st.sampled_from(["", "it broke the build once"]),
    reverses=st.booleans(),
)


@st.composite
def scopes(draw: st.DrawFn) -> dict[str, str]:
    files = {f"{name}.md": head.format(name, kind) + body + "\n" for name, (head, kind, body) in draw(topics).items()}
    index = draw(indexes)
    end = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    files |= {"MEMORY.md": index} if index is not None else {}
    return {name: text.replace("\n", end) for name, text in files.items()}


signals = st.lists(said, max_size=3).map(
    lambda found: [replace(signal, uuid=f"u{number}") for number, signal in enumerate(found)]
)


def check_ledger(plan: ScopePlan) -> None:
    old = [
        (path, number)
        for path, text in plan.before.items()
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip()
    ]
    assert Counter((entry.file, entry.line) for entry in plan.ledger.entries) == Counter(old)
    assert all(entry.reason for entry in plan.ledger.retired)


def check_files(plan: ScopePlan) -> None:
    named = {path for operation in plan.operations for path, text in operation.texts.items() if text is None}
    assert set(plan.before) - set(plan.after) <= named
    made = {path for operation in plan.operations for path in operation.texts}
    assert {path for path in plan.after if plan.before.get(path) != plan.after[path]} <= made


def check_index(plan: ScopePlan, files: dict[str, str]) -> None:
    index_path = SCOPE / "MEMORY.md"
    text = plan.after.get(index_path, "")
    paths = [path for path in plan.after if path != index_path]
    index = parse_index(index_path, text, [parse_topic(path, plan.after[path]) for path in paths])
    assert len(index.lines) <= MAX_LINES
    assert count_units(text) <= MAX_UNITS
    plain = [(line.pointers[0].path, line.line) for line in index.lines if line.plain]
    # What shares a line with something else is for people to sort out.
    asked = " ".join(need.reason for need in plan.needs_person)
    assert all(f"MEMORY.md:{line}" in asked for path, line in plain if path and path not in plan.after)
    shown = {pointer.path for pointer in index.pointers}
    left = "".join(need.reason for need in plan.needs_person)
    assert all(path in shown or path.name in left for path in paths), files


def make_topic(name: str, *lines: str) -> str:
    return HEADS[0].format(name, TopicType.USER) + "\n".join(lines) + "\n"


FORGOTTEN = {
    "bravo.md": make_topic(
        "bravo", "Never mock the database in integration tests.", "Always use pnpm in the web folder."
    ),
    "carts.md": make_topic("carts", "Always use pnpm in the web folder.", "Never use pnpm in the web folder."),
}


@settings(max_examples=EXAMPLES)
@given(scopes(), signals)
# What is left of one topic stands in the other.
@example(FORGOTTEN, [say("Never mock the database in integration tests", kind=SignalKind.FORGET)])
def test_every_dream_keeps_its_promises_and_is_still_the_second_time(files: dict[str, str], told: list[Signal]) -> None:
    plan = dream_over(files, *told)
    check_ledger(plan)
    check_files(plan)
    check_index(plan, files)
    again = dream_over(texts_of(plan))
    assert again.after == plan.after, again.operations


@settings(max_examples=EXAMPLES // 3)
@given(scopes(), signals, st.randoms(use_true_random=False))
def test_the_order_of_files_does_not_matter(files: dict[str, str], told: list[Signal], chance: random.Random) -> None:
    names = list(files)
    chance.shuffle(names)
    assert dream_over({name: files[name] for name in names}, *told) == dream_over(files, *told)


def test_a_topic_that_nobody_spoke_of_is_never_touched() -> None:
    files = {"a.md": topic_text("Squash all commits before merging."), "MEMORY.md": "- [A](a.md) — what it says\n"}
    plan = dream_over(files, *(say(rule, uuid=f"u{number}") for number, rule in enumerate(RULES[:1])))
    assert plan.after[SCOPE / "a.md"] == files["a.md"]
    assert PurePosixPath("a.md").name in plan.after[SCOPE / "MEMORY.md"]
