"""Each case is a history in git, and what may and may not be said about it."""

import functools
from pathlib import Path

import pytest

from tests.citations.scripted import SCOPE, Files, Moved, Scripted, Told, begin, run_check, tell
from tests.gate import in_gate

STEP_1 = "in <step 1> on 2026-11-01 (step 1)"
STEP_2 = "in <step 2> on 2026-11-01 (step 2)"


def code(name: str, count: int = 24) -> str:
    """Return lines that are in no other file."""
    return "".join(f"{name}_{number} = compute_{name}({number})\n" for number in range(1, count + 1))


@pytest.fixture
def scripted(tmp_path: Path) -> Scripted:
    return begin(tmp_path / "repo")


# One repository for what must be left alone: every tricky case is there at once.
BEFORE: Files = {
    ".gitignore": "out/\n",
    "core/src/session.rs": "pub fn open_session() {}\n",
    "web/src/session.rs": "pub fn other() {}\n",
    "tsconfig.json": '{"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["app/*"]}}}\n',
    "app/hooks/useCart.ts": "export const useCart = () => 1;\n",
    "pubspec.yaml": "name: shop\n",
    "lib/src/cart.dart": "class Cart {}\n",
    "package.json": '{"scripts": {"build": "tsc"}, "devDependencies": {"vitest": "2"}}\n',
    "data/run.json": "{}\n",
    "state.jsonl": "{}\n",
    "src/save.py": "write('state.jsonl')\n",
    "src/gone.py": code("gone") + "def reset_session():\n    pass\n\n\ndef support_it():\n    pass\n",
    "src/index.ts": "export const a = 1;\n",
    "lib/index.ts": "export const b = 1;\n",
    "db/old/001.sql": "create table a (b int);\n",
}
AFTER: Files = {
    ".gitignore": "out/\ndata/\n",
    "data/run.json": None,
    "state.jsonl": None,
    "src/gone.py": None,
    "lib/index.ts": None,
    "db/old/001.sql": None,
}
LEFT_ALONE = [
    # 1: relative to a package, or to a base named just before
    "See `src/session.rs`.",
    "In `core`, see `src/session.rs`.",
    # 2: placeholders
    "See `iteration-NN-slug.md`, `results/<sha>`, `idx_{table}`, `path/to/file`, `src/<name>.py`.",
    # 4: planned or hedged
    "Create: `src/gone.py`.",
    "Sessions will live in `src/gone.py`.",
    "Read `src/gone.py` if it exists.",
    "`src/gone.py` ist geplant.",
    # 5: negated
    "`support_it()` is not supported.",
    # 6: history
    "`reset_session()` was removed.",
    "~~Call `reset_session()`.~~",
    "## Resolved\n\n`reset_session()` leaked memory.",
    "## Fichiers modifiés\n\n- `reset_session()` vide la session",
    "## Problemes corriges\n\n- `reset_session()` vide la session",
    "## 変更ファイル\n\n- `src/gone.py`",
    "- `src/gone.py` — 100 % (2026-02-22)",
    # 7: a rule against a dead name
    "Never call `reset_session()`.",
    # 9: one of several of that name is still there
    "Exported by `index.ts`.",
    # 11: not in this repository
    "See `~/src/gone.py`, `/opt/app/src/gone.py`, `$HOME/src/gone.py`, `C:\\app\\src\\gone.py`.",
    "In the other repository, `src/gone.py` starts it.",
    # 12: no paths
    "`/admin/users`, `thread/read`, `origin/main`, `feat/gone.py-move`, `/compact`, `unit/integration`.",
    # 13: aliases
    "Carts: `@/hooks/useCart.ts` and `package:shop/src/cart.dart`.",
    # 14: ignored, even if it was committed once
    "Results are in `data/run.json` and `out/report.json`.",
    # or if code still writes it
    "The state is kept in `state.jsonl`.",
    # 15: names from elsewhere
    "Uses `BTreeMap`, `HashMap::new`, `useEffect`, `numpy.asarray`.",
    # 16: programs of dependencies
    "Test with `npm run build`, `pnpm vitest`, `npx vitest`.",
]


@functools.cache
def told_alone() -> dict[str, list[Told]]:
    return tell(BEFORE, LEFT_ALONE, AFTER)


@pytest.mark.parametrize("body", LEFT_ALONE)
def test_leaves_alone(body: str) -> None:
    assert told_alone()[body] == []


# What the code had only from others, or has not lost.
BORROWED: Files = {
    "src/plugin.cpp": "auto base = Plugin->GetBaseDir();\n",
    "src/build.cs": "#if DEVELOPER_BUILD\nRun();\n#endif\n",
    "ci/push.sh": "git push --force-with-care origin\n",
    "src/grid.ts": "export function cellsWithin() {}\n",
    "src/stream.ts": "import { cellsWithin } from './grid';\n" + code("stream") + "cellsWithin();\n",
    "e2e/flow.yaml": "- waitForTheCart:\n    timeout: 3\n",
    "src/signals.ts": "import {\n  batchWrites,\n} from 'signals';\nbatchWrites(() => {\n});\n",
    "src/own.ts": code("own") + "export function ownCells() {}\n",
    "src/user.ts": "everywhereUsed();\n",
    "src/everywhere.ts": "export function everywhereUsed() {}\n",
    **{f"lib/many_{number}.ts": "everywhereUsed();\n" for number in range(25)},
}
RETURNED: Files = {
    "src/plugin.cpp": "auto base = 1;\n",
    "src/build.cs": "Run();\n",
    "ci/push.sh": "git push origin\n",
    "e2e/flow.yaml": "- tapOn: cart\n",
    "src/signals.ts": "export const x = 1;\n",
    "core/stream.ts": Moved("src/stream.ts"),
    "core/own.ts": Moved("src/own.ts"),
}
NOT_LOST = [
    "Use `Plugin->GetBaseDir()` for the root.",
    "Only with `DEVELOPER_BUILD`.",
    "Only with `--force-with-care`.",
    "The flow calls `waitForTheCart`.",
    "Group them with `batchWrites()`.",
    "Still in that file, one of many: `everywhereUsed` in `src/user.ts`.",
]


@functools.cache
def told_borrowed() -> dict[str, list[Told]]:
    moved = ("`cellsWithin` in `src/stream.ts`.", "`ownCells` in `src/own.ts`.")
    return tell(BORROWED, (*NOT_LOST, *moved), RETURNED)


@pytest.mark.parametrize("body", NOT_LOST)
def test_leaves_alone_what_was_only_borrowed(body: str) -> None:
    assert told_borrowed()[body] == []


def test_what_may_have_gone_to_a_submodule_is_left_alone(scripted: Scripted) -> None:
    scripted.remember("Call `reset_session()` of `src/gone.py`.")
    scripted.change(BEFORE)
    scripted.change({**AFTER, ".gitmodules": '[submodule "src"]\n'})
    later = scripted.remember("Call `keep()` of `src/kept.py`.")
    scripted.change({"src/kept.py": "def keep():\n    pass\n"})
    scripted.change({"src/kept.py": None})
    assert [told.rule for told in scripted.truth()] == [told.rule for told in scripted.truth(later)] != []


@pytest.mark.parametrize("body", ["`cellsWithin` in `src/stream.ts`.", "`ownCells` in `src/own.ts`."])
def test_a_name_that_moved_with_its_file_is_told_once(body: str) -> None:
    assert [told.rule for told in told_borrowed()[body]] == ["path-moved"]


def test_a_log_of_a_day_tells_what_was(scripted: Scripted) -> None:
    scripted.remember("Text.")
    scripted.repo.write(f"{SCOPE}/2026-10-02.md", "Called `reset_session()` of `src/gone.py`.\n")
    scripted.repo.write(f"{SCOPE}/2026-10-02-login.md", "Called `reset_session()` of `src/gone.py`.\n")
    scripted.repo.write(f"{SCOPE}/login_review_2026_10_02.md", "Called `reset_session()` of `src/gone.py`.\n")
    scripted.change(BEFORE)
    scripted.change(AFTER)
    assert scripted.truth() == []


def test_a_note_in_an_archive_is_left_alone(scripted: Scripted) -> None:
    scripted.remember("Text.")
    scripted.repo.write(f"{SCOPE}/_archive/login.md", "Call `reset_session()` of `src/gone.py`.\n")
    scripted.change(BEFORE)
    scripted.change(AFTER)
    assert scripted.truth() == []


def test_a_symbol_beside_a_name_that_many_files_have_did_not_move(scripted: Scripted) -> None:
    scripted.remember("Give `OrderRepo` to the job in `index.ts`.")
    scripted.change({"api/index.ts": "export class OrderRepo {}\n", "web/index.ts": "export const b = 1;\n"})
    scripted.change({"api/index.ts": "export const a = 1;\n", "api/repo.ts": "export class OrderRepo {}\n"})
    assert scripted.truth() == []


def test_of_a_file_that_was_split_no_part_is_called_the_file(scripted: Scripted) -> None:
    first, second = code("first", 30), code("second", 16)
    scripted.remember("Queries are in `src/quiz.py`.")
    scripted.change({"src/quiz.py": first + second})
    scripted.change({"src/quiz.py": None, "src/quiz_subjects.py": first, "src/quiz_sessions.py": second})
    assert [told.rule for told in scripted.truth()] == ["path-missing"]


def test_the_rest_of_a_file_that_was_taken_apart_is_not_the_file(scripted: Scripted) -> None:
    scripted.remember("It is all in `src/whole.py`.")
    scripted.change({"src/whole.py": code("whole", 60)})
    scripted.change({"src/whole.py": "from parts import a_part, another_part\n", "src/part.py": code("whole", 60)})
    scripted.change({"src/whole/__init__.py": Moved("src/whole.py")})
    (told,) = scripted.truth()
    assert (told.rule, "__init__" in told.message) == ("path-missing", False)


@pytest.mark.parametrize(("edited", "expected"), [("other", ["line-out-of-range"]), ("long", [])])
def test_lines_that_were_cited_while_their_file_was_edited_are_left_alone(
    scripted: Scripted, edited: str, expected: list[str]
) -> None:
    scripted.change({"src/long.py": code("long")})
    scripted.remember("`long_10` sets the limit: `src/long.py:10`.")
    scripted.change({f"src/{edited}.py": code(edited, 30)})
    scripted.change({"src/long.py": "import this\n\n" + code("long", 30)})
    assert [told.rule for told in scripted.truth()] == expected


def test_lines_of_another_file_of_that_name_are_left_alone(scripted: Scripted) -> None:
    scripted.remember("The loop is in `state.py`, line 20.")
    scripted.change({"old/state.py": code("state")})
    scripted.change({"old/state.py": None, "new/state.py": "x = 1\n"})
    assert scripted.truth() == []


def test_what_came_back_is_there(scripted: Scripted) -> None:
    scripted.remember("`src/gone.py` has `reset_session()`.")
    scripted.change(BEFORE)
    scripted.change(AFTER)
    scripted.change({"src/gone.py": BEFORE["src/gone.py"]})
    assert scripted.truth() == []


def test_what_was_gone_before_the_line_was_written_was_never_promised(scripted: Scripted) -> None:
    scripted.change(BEFORE)
    scripted.change(AFTER)
    scripted.remember("`src/gone.py` has `reset_session()`.")
    scripted.change({})
    assert scripted.truth() == []


def test_a_line_that_is_not_committed_promises_nothing(scripted: Scripted) -> None:
    scripted.change(BEFORE)
    scripted.change(AFTER)
    scripted.remember("`src/gone.py` has `reset_session()`.")
    assert scripted.truth() == []


def test_a_file_that_is_not_committed_yet_is_there(scripted: Scripted) -> None:
    scripted.remember("`src/gone.py` has `reset_session()`.")
    scripted.change(BEFORE)
    scripted.change(AFTER)
    scripted.repo.write("src/gone.py", "def reset_session(): ...\n")
    assert scripted.truth() == []


def test_a_path_of_another_branch_is_not_gone(scripted: Scripted) -> None:
    scripted.change({"src/keep.py": "x = 1\n"})
    scripted.repo.run("checkout", "--quiet", "-b", "side")
    scripted.change({"src/side.py": code("side")})
    scripted.repo.run("checkout", "--quiet", "main")
    scripted.remember("The other branch has `src/side.py`.")
    scripted.change({})
    assert scripted.truth() == []


def test_without_git_nothing_is_said(tmp_path: Path) -> None:
    scope = tmp_path / SCOPE
    scope.mkdir(parents=True)
    (scope / "MEMORY.md").write_text("- [A](a.md) — about `src/gone.py`\n")
    (scope / "a.md").write_text("---\nname: a\ndescription: b\nmetadata:\n  type: project\n---\n`src/gone.py:3`\n")
    assert run_check(tmp_path)["findings"] == []


# A history of everything that happens to code.

SHIFTED = code("shifted").split("\n")
STORY: Files = {
    "src/plain.py": code("plain"),
    "src/hops.py": code("hops"),
    "src/three.py": code("left") + code("right") + code("upper"),
    "src/module.py": code("module"),
    "area/one.py": code("one"),
    "area/deep/two.py": code("two"),
    "src/deleted.py": code("deleted"),
    "src/names.py": "def old_name():\n    pass\n\n\ndef commented_name():\n    pass\n",
    "src/shifted.py": "\n".join(SHIFTED),
    "src/rates.py": "def convert_rate(amount, currency):\n    return amount\n\n\nTOTAL = convert_rate(1, 'eur')\n",
    "src/port.py": "import os\n\nport = int(os.environ['SHOP_OLD_PORT'])\n",
    "src/settings.py": "import os\n\nhost = os.environ['SHOP_HOST_NAME']\n",
    "x/twin.py": code("twin_x"),
    "y/twin.py": code("twin_y"),
    "sql/001.sql": "create table shop (id int);\n",
    "src/cli.py": "parser.add_argument('--by-argparse')\n",
    "src/app.py": "@click.option('--by-click')\ndef app(): ...\n",
    "src/args.rs": "#[derive(Parser)]\nstruct Args {\n    #[arg(long)]\n    by_clap: bool,\n}\n",
    "cmd/root.go": 'package cmd\n\nfunc init() {\n\tflags().Bool("by-cobra", false, "")\n}\n',
    "package.json": '{"scripts": {"seed": "node seed.js", "build": "tsc"}}\n',
    "Makefile": "all:\n\techo\n\nship:\n\techo\n",
}
FIRST: Files = {
    "lib/plain.py": Moved("src/plain.py"),
    "src/hopped.py": Moved("src/hops.py"),
    "src/three.py": None,
    "src/left.py": code("left"),
    "src/right.py": code("right"),
    "src/upper.py": code("upper"),
    "src/deleted.py": None,
    "src/names.py": "# commented_name is gone\ndef new_name():\n    pass\n",
    "src/rates.py": "def exchange(amount, currency):\n    return amount * 2\n\n\nTOTAL = exchange(1, 'eur')\n",
    "src/port.py": "import os\n\nport = int(os.environ['SHOP_PORT'])\n",
    "x/pair.py": Moved("x/twin.py"),
    "y/twin.py": None,
    "sql/001.sql": None,
    "src/cli.py": "parser.add_argument('--other')\n",
    "src/app.py": "@click.option('--another')\ndef app(): ...\n",
    "package.json": '{"scripts": {"build": "tsc"}}\n',
}
SECOND: Files = {
    "lib/hopped.py": Moved("src/hopped.py"),
    "src/module.py": None,
    "src/module/__init__.py": "from src.module.part import module_1\n",
    "src/module/part.py": "import os\n",
    "place/one.py": Moved("area/one.py"),
    "place/deep/two.py": Moved("area/deep/two.py"),
    "src/shifted.py": "\n".join(["import os", "import sys", *SHIFTED]),
    "src/settings.py": "host = 'localhost'\n",
    "src/args.rs": "#[derive(Parser)]\nstruct Args {\n}\n",
    "cmd/root.go": "package cmd\n\nfunc init() {\n}\n",
    "Makefile": "all:\n\techo\n",
}
DRIFTED = [
    ("One hop: `src/plain.py`.", "path-moved", f"src/plain.py is now lib/plain.py: moved {STEP_1}"),
    ("Two hops: `src/hops.py`.", "path-moved", f"src/hops.py is now lib/hopped.py: moved {STEP_2}"),
    ("Three things: `src/three.py`.", "path-missing", f"src/three.py is gone: removed {STEP_1}"),
    ("A package now: `src/module.py`.", "path-missing", f"src/module.py is gone: removed {STEP_2}"),
    ("A directory: `area/`.", "path-moved", f"area/ is now place/: moved {STEP_2}"),
    ("A part of it: `area/deep/`.", "path-moved", f"area/deep/ is now place/deep/: moved {STEP_2}"),
    ("Rounding: `src/deleted.py`.", "path-missing", f"src/deleted.py is gone: removed {STEP_1}"),
    ("A pattern (3): `sql/*.sql`.", "path-missing", "sql/*.sql is gone"),
    ("Two of that name, both gone (9): `twin.py`.", "path-missing", "twin.py is gone"),
    ("In place: `old_name()`.", "symbol-missing", f"old_name is gone: removed {STEP_1}"),
    ("Rates: `convert_rate()`.", "symbol-missing", f"convert_rate is now exchange: renamed {STEP_1}"),
    ("Set `SHOP_OLD_PORT`.", "env-missing", f"SHOP_OLD_PORT is now SHOP_PORT: renamed {STEP_1}"),
    ("Only a comment (8): `commented_name`.", "symbol-missing", f"commented_name is gone: removed {STEP_1}"),
    (
        "What is shifted: `src/shifted.py:10-12`.",
        "line-out-of-range",
        "src/shifted.py:10-12 is now src/shifted.py:12-14",
    ),
    ("Set `SHOP_HOST_NAME`.", "env-missing", f"SHOP_HOST_NAME is gone: removed {STEP_2}"),
    ("With `--by-argparse`.", "flag-missing", f"--by-argparse is gone: removed {STEP_1}"),
    ("With `--by-click`.", "flag-missing", f"--by-click is gone: removed {STEP_1}"),
    ("With `--by-clap`.", "flag-missing", f"--by-clap is gone: removed {STEP_2}"),
    ("With `--by-cobra`.", "flag-missing", f"--by-cobra is gone: removed {STEP_2}"),
    ("Run `npm run seed`.", "script-missing", f"npm has no seed: removed {STEP_1}"),
    ("Run `make ship`.", "script-missing", f"make has no ship: removed {STEP_2}"),
]


@functools.cache
def told_story() -> dict[str, list[Told]]:
    return tell(STORY, [body for body, _, _ in DRIFTED], FIRST, SECOND)


@pytest.mark.parametrize(("body", "rule", "message"), DRIFTED)
def test_names_the_commit_and_the_new_place(body: str, rule: str, message: str) -> None:
    assert told_story()[body] == [Told(rule, 1, message)]


@pytest.mark.parametrize(
    "later",
    [
        {"lib/mine.py": code("mine")},
        {"lib/mine.py": None},
    ],
    ids=["edited", "removed"],
)
def test_a_name_is_followed_into_the_file_that_was_renamed(later: Files) -> None:
    body = "Calls `old_name()`."
    before = {"src/mine.py": code("mine") + "def old_name(): ...\n"}
    told = tell(before, [body], {"lib/mine.py": Moved("src/mine.py")}, later)
    assert told[body] == [Told("symbol-missing", 1, f"old_name is gone: removed {STEP_2}")]


def test_a_name_that_was_renamed_together_with_its_file_is_told_with_the_new_one() -> None:
    rate = "def {}(amount, currency):\n    return amount * RATES[currency]\n"
    before = {"src/rates.py": code("rates") + rate.format("convert_rate")}
    after = {"src/rates.py": None, "src/exchange.py": code("rates") + rate.format("exchange")}
    body = "Rates: `convert_rate()`."
    assert tell(before, [body], after)[body] == [
        Told("symbol-missing", 1, f"convert_rate is now exchange: renamed {STEP_1}")
    ]


@pytest.mark.parametrize(
    ("path", "files", "candidates"),
    [
        ("src/three.py", FIRST, "perhaps it went to src/left.py, src/right.py, src/upper.py;"),
        ("src/module.py", SECOND, "perhaps it went to src/module/__init__.py, src/module/part.py;"),
        ("src/deleted.py", {"src/deleted.py": None}, "correct the line"),
    ],
)
def test_candidates_come_from_the_removing_commit_only(
    scripted: Scripted, path: str, files: Files, candidates: str
) -> None:
    scripted.remember(f"See `{path}`.")
    scripted.change(STORY)
    wanted = {one: text for one, text in files.items() if one == path or isinstance(text, str)}
    scripted.change(wanted)
    # The same name, in another commit: never a candidate.
    scripted.change({f"elsewhere/{Path(path).name}": "import this\n"})
    (found,) = run_check(scripted.repo.root)["findings"]
    assert found["suggestion"].startswith(candidates)
    assert found["fix"] is None


def test_the_fix_edits_renames_and_nothing_that_is_not_proven(scripted: Scripted) -> None:
    paths = {body: scripted.remember(body) for body, rule, _ in DRIFTED if rule != "line-out-of-range"}
    for files in (STORY, FIRST, SECOND):
        scripted.change(files)
    run_check(scripted.repo.root, "--fix")
    assert {body: now for body, path in paths.items() if (now := scripted.body(path)) != body} == {
        "One hop: `src/plain.py`.": "One hop: `lib/plain.py`.",
        "Two hops: `src/hops.py`.": "Two hops: `lib/hopped.py`.",
        "A directory: `area/`.": "A directory: `place/`.",
        "A part of it: `area/deep/`.": "A part of it: `place/deep/`.",
        "Rates: `convert_rate()`.": "Rates: `exchange()`.",
        "Set `SHOP_OLD_PORT`.": "Set `SHOP_PORT`.",
    }
    assert_still(scripted)


@pytest.mark.parametrize(
    ("body", "fixed"),
    in_gate(
        [
            ("Lines: `shifted_10`, `src/shifted.py:10-12`.", "Lines: `shifted_10`, `src/shifted.py:12-14`."),
            ("With shifted_10: src/shifted.py:10.", "With shifted_10: src/shifted.py:12."),
            ("See [compute_shifted](src/shifted.py#L10-L12).", "See [compute_shifted](src/shifted.py#L12-L14)."),
            ("What is shifted, but may mean another: `src/shifted.py:10`.",) * 2,
            ("Of two lines not one alone: `shifted_10` (src/shifted.py:10,20).",) * 2,
            (
                "From `shifted_9` (`src/shifted.py:9`) to `shifted_20` (`src/shifted.py:20`).",
                "From `shifted_9` (`src/shifted.py:11`) to `shifted_20` (`src/shifted.py:22`).",
            ),
            ("From `src/plain.py` to `src/hops.py:3`.", "From `lib/plain.py` to `lib/hopped.py:3`."),
            (
                "`shifted_2` in `src/shifted.py:2` and `src/plain.py`, not proven `src/deleted.py`.",
                "`shifted_2` in `src/shifted.py:4` and `lib/plain.py`, not proven `src/deleted.py`.",
            ),
        ],
        3,
    ),
)
def test_the_fix_writes_every_new_place_of_a_line_once(scripted: Scripted, body: str, fixed: str) -> None:
    path = scripted.remember(body)
    for files in (STORY, FIRST, SECOND):
        scripted.change(files)
    run_check(scripted.repo.root, "--fix")
    assert scripted.body(path) == fixed
    assert_still(scripted)


def assert_still(scripted: Scripted) -> None:
    """Check that a second fix changes nothing, and neither does one after the commit."""
    once = scripted.repo.run("diff")
    assert scripted.repo.run("status", "--porcelain", "--", f":!{SCOPE}") == ""
    assert run_check(scripted.repo.root, "--fix")["summary"]["fixed"] == 0
    assert scripted.repo.run("diff") == once
    scripted.repo.commit("fixed")
    assert run_check(scripted.repo.root, "--fix")["summary"]["fixed"] == 0
    assert scripted.repo.run("status", "--porcelain") == ""
