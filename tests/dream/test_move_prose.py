from collections.abc import Mapping

import pytest

from memci.dream.move_prose import move_content
from memci.memory.topic import parse_topic
from memci.model.memory import Frontmatter
from memci.model.plan import Operation
from tests.build import SCOPE
from tests.dream.scenes import changed_in, dream_over, feedback, read, run_phase

# List items that cite a file stay in the index, so that it stays over its limit of lines.
FULL = "\n## Files\n" + "".join(f"- `docs/file_{number}.md` — read it\n" for number in range(210))
TOPIC = feedback("Never push to main.", "push")
HOST = "Ships from the bastion host"
MORE = "Ask Ana first.\nShe knows the host.\n"
POINTER = "- [Push](push.md) — never push to main\n"


def move(files: Mapping[str, str]) -> dict[str, str]:
    """Return the files that change when the client cannot load the whole index, without what fills it up."""
    end = "\r\n" if "\r\n" in files["MEMORY.md"] else "\n"
    filler = FULL.replace("\n", end)
    scope = read({**files, "MEMORY.md": files["MEMORY.md"] + filler})
    texts: dict[str, str] = {}
    for proposal in run_phase(move_content(scope), scope):
        assert isinstance(proposal, Operation)
        texts |= {path.name: (text or "").removesuffix(filler) for path, text in proposal.texts.items()}
    return texts


def test_content_that_the_client_loads_stays_where_it_is() -> None:
    index = f"# Memory\n\n## Deploys\n\nNever ship on a Friday.\n- ask Ana first\n\n## Rules\n{POINTER}"
    assert changed_in(dream_over({"MEMORY.md": index, "push.md": TOPIC})) == {}


def test_lines_between_sections_do_not_keep_content_in_the_index() -> None:
    hosts = "".join(f"Host {number} is in rack {number}.\n" for number in range(220))
    index = f"# Memory\n\n---\n\n## Hosts\n{hosts}\n---\n\n## Racks\n{hosts.replace('Host', 'Rack')}\n---\n"
    changed = changed_in(dream_over({"MEMORY.md": index}))
    assert str(changed["MEMORY.md"]).count("\n") <= 200
    assert str(changed["project_hosts.md"]).endswith(f"\n\n{hosts}")


def test_content_with_rules_leaves_last() -> None:
    rules, hosts = f"Never ship on a Friday.\n{MORE}", f"The bastion.\n{MORE}"
    scope = read({"MEMORY.md": f"# Memory\n\n## Shipping\n{rules}\n## Hosts\n{hosts}\n{FULL}"})
    moved = [item.file.name for item in run_phase(move_content(scope), scope) if isinstance(item, Operation)]
    assert moved == ["project_hosts.md", "project_shipping.md"]


@pytest.mark.parametrize(
    "index",
    [
        "",
        f"# Memory\n\n{POINTER}",
        f"# Memory\n\n## Rules\n\n{POINTER}\n---\n",
        f"<!-- kept by hand -->\n{POINTER}",
        f"---\nname: index\n---\n{POINTER}",
        "# Memory\n\n| Topic | What |\n|---|---|\n| [Push](push.md) | never to main |\n",
        # What points to a document of the repository does what a pointer does.
        f"# Memory\n\n## References\n{POINTER}- `docs/HISTORY.md` — phases\n- [Specs](../../docs/specs/) — why\n",
        # What introduces the index, placeholders, and what stands below a heading that tells nothing.
        f"Persistent memory across sessions.\n{MORE}\n{POINTER}",
        f"# Memory\n\n## Deploys\n(none yet)\n\n## Hosts\n\nTBD\n\n{POINTER}",
        f"# Memory\n\nShips from the bastion.\n{MORE}\n## Notes\nShips from the bastion.\n{MORE}",
        # A table that holds a pointer is furniture of the index, also where a row has none.
        "# Memory\n\n| Topic | What |\n|---|---|\n| [Push](push.md) | never to main |\n| Deploys | on Mondays |\n",
    ],
)
def test_an_index_of_pointers_is_left_alone(index: str) -> None:
    scope = read({"MEMORY.md": index + FULL, "push.md": TOPIC})
    assert run_phase(move_content(scope), scope) == []


def test_a_scope_without_an_index_is_left_alone() -> None:
    scope = read({"push.md": TOPIC})
    assert run_phase(move_content(scope), scope) == []


def test_a_section_becomes_a_topic_and_its_heading_stays_above_the_pointer() -> None:
    index = f"# Memory\n\n## Deploys\n\nShips from the bastion host.\n{MORE}\n## Rules\n{POINTER}"
    assert move({"MEMORY.md": index, "push.md": TOPIC}) == {
        "MEMORY.md": f"# Memory\n\n## Deploys\n\n- [Deploys](project_deploys.md) — {HOST}\n\n## Rules\n{POINTER}",
        "project_deploys.md": (
            f"---\nname: deploys\ndescription: {HOST}\nmetadata:\n  type: project\n---\n\n"
            f"Ships from the bastion host.\n{MORE}"
        ),
    }


def test_the_pointer_names_the_headings_that_moved() -> None:
    content = "### Hosts\nThe bastion.\n### Who may\nAna.\n### When\nOn Mondays.\n"
    after = move({"MEMORY.md": f"# Memory\n\n## Deploys (PR #12, 2026-03-05)\n{content}"})
    pointer = "- [Deploys (PR #12, 2026-03-05)](project_deploys_pr.md) — Hosts, Who may, When\n"
    assert after["MEMORY.md"].endswith(pointer)


def test_labels_code_and_tables_describe_nothing() -> None:
    for first in ("**Maturity:** MVP", "- the stack is old", "`a.py` is what runs it.", "Files:"):
        after = move({"MEMORY.md": f"# Memory\n\n## Deploys\n{first}\n\n{MORE}And more of it.\n"})
        assert after["MEMORY.md"].endswith("- [Deploys](project_deploys.md)\n"), first


def test_a_long_heading_is_not_said_twice() -> None:
    title = "Deploys of the web shop and of the warehouse (PR #12, 2026-03-05)"
    after = move({"MEMORY.md": f"# Memory\n\n## {title}\n- first of all\n{MORE}"})
    assert after["MEMORY.md"].split("\n")[-2].startswith(f"- [{title}](project_deploys_")
    assert after["MEMORY.md"].endswith(".md)\n")


def test_pointers_between_content_stay_in_the_index() -> None:
    index = f"# Memory\n\n## Deploys\nShips from the bastion host.\n{POINTER}{MORE}"
    after = move({"MEMORY.md": index, "push.md": TOPIC})
    assert after["project_deploys.md"].endswith(f"\n\nShips from the bastion host.\n{MORE}")
    assert POINTER in after["MEMORY.md"]


@pytest.mark.parametrize(
    "content",
    [
        "```sh\nmake deploy ENV=prod\n```\nRun it from the bastion.\n",
        "| Host | Use |\n|---|---|\n| bastion | deploys of the shop |\n| a | b |\n| c | d |\n",
        "### Bastion\nShips from the bastion host.\n\n#### Who\nAsk Ana first.\nOr Ben.\n",
    ],
)
def test_fences_tables_and_deeper_headings_move_whole(content: str) -> None:
    after = move({"MEMORY.md": f"# Memory\n\n## Deploys\n\n{content}"})
    topic = parse_topic(SCOPE / "project_deploys.md", after["project_deploys.md"])
    assert topic.body == f"\n{content}"
    assert isinstance(topic.frontmatter, Frontmatter)
    assert not set("`|") & set(topic.description)
    assert after["MEMORY.md"].count("\n") == 5


def test_line_ends_of_the_index_stay_and_the_topic_is_in_one_style() -> None:
    index = f"# Memory\n\n## Deploys\nShips from the bastion host.\n{MORE}\n{POINTER}".replace("\n", "\r\n")
    after = move({"MEMORY.md": index, "push.md": TOPIC})
    text = after.pop("MEMORY.md")
    assert text.count("\n") == text.count("\r\n")
    assert "\r" not in next(iter(after.values()))


def test_sections_that_begin_alike_get_files_and_names_of_their_own() -> None:
    index = f"# Memory\n\n## Deploys\nShips.\n{MORE}\n# Other\n\n## Deploys\nAlways ask Ben.\n{MORE}"
    after = move({"MEMORY.md": index})
    names = [parse_topic(SCOPE / name, text).name for name, text in after.items() if name != "MEMORY.md"]
    assert (len(names), len(set(names))) == (2, 2)


def test_content_in_a_script_that_file_names_do_not_have_moves_too() -> None:
    said = "数据库只能从跳板机访问。\n部署前必须运行测试。\n不要跳过。\n"
    after = move({"MEMORY.md": f"# Memory\n\n## 数据库访问\n{said}"})
    assert after["MEMORY.md"].endswith("- [数据库访问](project_note.md) — 数据库只能从跳板机访问\n")


def many(count: int, size: int = 1) -> str:
    words = (
        "alpha",
        "bravo",
        "charlie",
        "delta",
        "echo",
        "foxtrot",
        "golf",
        "hotel",
        "india",
        "juliet",
        "kilo",
        "lima",
    )
    lines = "".join(f"Line {number} of it tells more.\n" for number in range(size + 2))
    return "# Memory\n" + "".join(f"\n## {word.title()} service\nThe {word} host.\n{lines}" for word in words[:count])


def test_sections_move_until_the_client_loads_the_rest() -> None:
    scope = read({"MEMORY.md": many(12, size=20)})
    moved = run_phase(move_content(scope), scope)
    assert 0 < len(moved) < 12


def test_a_refused_section_does_not_stop_the_others() -> None:
    scope = read({"MEMORY.md": many(3) + FULL})
    proposals = run_phase(move_content(scope), scope, refuse=True)
    assert {item.file.name for item in proposals if isinstance(item, Operation)} == {
        "project_alpha_service.md", "project_bravo_service.md", "project_charlie_service.md",
    }  # fmt: skip


def test_an_index_that_was_emptied_of_content_needs_no_second_pass() -> None:
    plan = dream_over({"MEMORY.md": many(5), "push.md": TOPIC})
    after = {str(path.relative_to(SCOPE)): text for path, text in plan.after.items()}
    assert changed_in(dream_over(after)) == {}


def test_a_section_is_proposed_once_however_often_others_move() -> None:
    scope = read({"MEMORY.md": many(6) + FULL})
    files = [item.file for item in run_phase(move_content(scope), scope) if isinstance(item, Operation)]
    assert len(files) == len(set(files)) == 6
