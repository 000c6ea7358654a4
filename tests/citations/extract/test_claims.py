from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.citations.extract.claims import MAX_CLAIMS, find_claims
from memci.model.citation import Claim, ClaimKind, Wording
from tests.gate import in_gate

TOPIC = PurePosixPath(".claude/agent-memory/reviewer/topic.md")


def claims_in(text: str, path: PurePosixPath = TOPIC) -> list[Claim]:
    return find_claims(path, text)


def cited(text: str) -> list[tuple[ClaimKind, str]]:
    return [(claim.kind, claim.text) for claim in claims_in(text)]


@pytest.mark.parametrize(
    "text",
    [
        # addresses, and places outside of the repository
        "See https://example.com/samples/auth/login.py and `https://example.org/a/b.py`.",
        "docs at example.org/guide/setup.md, images at `ghcr.io/acme/web`, code at `github.com/acme/web/main.go`",
        "[guide](https://example.com/a.py) [top](#heading) [mail](mailto:a@b.de)",
        "`/etc/hosts`, `~/.aws/config`, `$HOME/.cache/token.json`, `../other/run.py`, `/srv/app/a.py`",
        "`C:\\tools\\run.exe`, `C:/tools/run.py`, `\\\\host\\share\\a.py`",
        "Mail ana@example.py or `ana@example.com`.",
        # stand-ins
        "`src/<area>/<name>.py`, `tests/test_<module>.py`, `results/{id}.json`, `logs/YYYY-MM-DD.md`, `it-NN-slug.md`",
        "`path/to/file.py`, `foo/bar.py`, `example.py`, `ComponentName.tsx`, `my-app/index.ts`",
        "`your-file.md`, `xxx.py`",
        "`ALL_X` stands for `ALL_XX`, and `STEP_N` for `STEP_NN_KEY`",
        "- Iterations (as of May):\n  - Iteration 1: `381c7c80`, starts on Monday",
        f"`addr_test{'a1b2c3d4' * 10}`",
        "`...`, `…`, `*`, `**`, `X.tsx`, `a/b/c/run.py`, `src/.../a.py`",
        # look-alikes
        "`/admin/users` `/api/v2/users` `/review` `origin/main` `feature/login` `application/json` `text/html`",
        "`@acme/ui` `lodash/fp` `zod/mini` `and/or` `unit/integration` `client/server` `thread/read`",
        "`s/old_name/new_name/`, 24/7, 9/1, 2026/04/01, read/write, and/or",
        "Node.js, Next.js, `Vue.js`, e.g. this, i.e. that, v1.2.3, `1.2.0`, 3.11",
        "branches begin with `feat/`, `fix/` or `docs/`",
        "`console.log`, `process.env`, `res.json`, `.py`, `.test.ts`, `_test.go`, `_4.jpg`, `notes.txt.bak`",
        # text in code spans
        '`the quick brown fox`, `undefined: Resolve`, `SELECT a FROM b`, `{"a": 1}`, `^[a-z]+\\.py$`, `if x: return y`',
        # words
        "`true`, `null`, `main`, `users`, `Update`, `id`, `print()`, `len(x)`",
        "`TypeScript`, `GitHub`, `camelCase`, `fooBar`",
        "`schema.nullable`, `networks.default`, `kebab-case-name`, `text`, `HTTP`",
        "`PORT`, `API`, `YOUR_API_KEY`, `FOO_BAR`, `${VAR}`, `$?`",
        "`-x`, `-la`, `--`, `-- a comment`, `---`",
        # styles
        "The CSS custom property `--accent` is set in `:root`.",
        "`--color-primary` is blue.",
        # numbers that are no commits
        "The colour is `#1a2b3c4`, the id `3f9c2ab71d`, the number 1234567, the word deadbeef is in commit notes.",
        "commit https://example.com/c/3f9c2ab71d, commit digest sha256:3f9c2ab71d0a",
        # commands of other tools
        "`npm install`, `npm ci`, `cargo build`, `yarn add left-pad`, `python -m pytest`, `uv run pytest`, `bun test`",
        "make sure that npm run things are fine",
        # other repositories
        "In other repositories there is a `src/run.py` and a `load_all()`.",
        # code of other systems
        "```python\nfrom src.app import run_all\nopen('src/a.py')\n```",
        '```json\n{"run": "src/a.py"}\n```',
        "```\nsee src/a.py and load_all()\n```",
        "```sh\ngit push --force-with-lease\ndocker compose up --build\n```",
        "<!-- see src/a.py -->",
        # keys of a document, of which only a plain word could be looked for
        "`networks.front_net.driver`, `volumes.data_dir.type`",
        # pointers are checked by other rules
        "- [Theme](project_theme.md) — colours",
        "- [project_theme.md](./project_theme.md) — colours",
    ],
)
def test_leaves_alone(text: str) -> None:
    assert cited(text) == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("`src/auth/login.py`", ["src/auth/login.py"]),
        ("`./run.sh`", ["run.sh"]),
        ("Update menu_witness.py. It is read by test_menu.py.", ["menu_witness.py", "test_menu.py"]),
        ("colours are in web/theme.css", ["web/theme.css"]),
        ("`Makefile`, `Dockerfile`, `.gitignore`, `go.mod`", ["Makefile", "Dockerfile", ".gitignore", "go.mod"]),
        ("[the code](src/app.ts)", ["src/app.ts"]),
        ("`app/[id]/page.tsx`, `routes/$id.tsx`", ["app/[id]/page.tsx", "routes/$id.tsx"]),
        ("`app/(auth)/page.tsx`", ["app/(auth)/page.tsx"]),
        ("`@/hooks/use-cart.ts`", ["@/hooks/use-cart.ts"]),
        ("`docs/übersicht.md`, `文档/说明.md`", ["docs/übersicht.md", "文档/说明.md"]),
        ("登录在src/login.py，见说明", ["src/login.py"]),
        ("`types.h/.cpp`", ["types.h"]),
        ("run `bash scripts/e2e.sh`", ["scripts/e2e.sh"]),
    ],
)  # fmt: skip
def test_paths(text: str, names: list[str]) -> None:
    assert cited(text) == [(ClaimKind.PATH, name) for name in names]


def test_directories_and_globs() -> None:
    assert cited("`services/api/handlers/` `src/` `src/**/*.py` `*_test.go` `plans/*`") == [
        (ClaimKind.DIRECTORY, "services/api/handlers/"),
        (ClaimKind.DIRECTORY, "src/"),
        (ClaimKind.GLOB, "src/**/*.py"),
        (ClaimKind.GLOB, "*_test.go"),
        (ClaimKind.GLOB, "plans/*"),
    ]


@pytest.mark.parametrize(
    "text", ["`x/*`, `sb_secret_*`, `z.coerce.*`, `*.example.com`, `image/*`, `/api/*`, `@acme/*`, `.*`"]
)
def test_stars_that_are_no_globs(text: str) -> None:
    assert cited(text) == []


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("app/order.py:12 is called twice", (12, 12)),
        ("`app/order.py:12-30`", (12, 30)),
        ("`app/order.py:12:5`", (12, 12)),
        ("`app/order.py#L12-L30`", (12, 30)),
        ("`app/order.py` lines 12-30", (12, 30)),
        ("`app/order.py` (line 12)", (12, 12)),
        ("line 12 of `app/order.py`", (12, 12)),
        ("[order](app/order.py#L12)", (12, 12)),
    ],
)
def test_lines(text: str, lines: tuple[int, int]) -> None:
    assert [(claim.kind, claim.text, claim.lines) for claim in claims_in(text)] == [
        (ClaimKind.LINES, "app/order.py", lines)
    ]


@pytest.mark.parametrize(
    ("span", "name"),
    [
        ("compute_tax()", "compute_tax"),
        ("compute_tax", "compute_tax"),
        ("useCart()", "useCart"),
        ("CartState", "CartState"),
        ("HTTPServer", "HTTPServer"),
        ("Cart.add_item", "Cart.add_item"),
        ("lexer::scan_all", "lexer::scan_all"),
        ("bail_at!", "bail_at"),
        ("User#full_name?", "User#full_name"),
        ("Plugin->GetBaseDir()", "Plugin->GetBaseDir"),
        ("*chain.UnknownError", "chain.UnknownError"),
        ("resolve_all(flag, out)", "resolve_all"),
        ("CastField<FProperty>", "CastField"),
        ("bAllowConversion=true", "bAllowConversion"),
    ],
)
def test_symbols(span: str, name: str) -> None:
    assert cited(f"`{span}`") == [(ClaimKind.SYMBOL, name)]


@pytest.mark.parametrize(
    ("span", "name"),
    [
        ("BILLING_KEY", "BILLING_KEY"),
        ("$PORT", "PORT"),
        ("${WEB_PORT:-0}", "WEB_PORT"),
        ("DEBUG=1", "DEBUG"),
        ("process.env.PORT", "PORT"),
        ('os.environ["PORT"]', "PORT"),
    ],
)
def test_environment(span: str, name: str) -> None:
    assert cited(f"Set `{span}`.") == [(ClaimKind.ENVIRONMENT, name)]


@pytest.mark.parametrize(
    ("command", "runner", "name"),
    [
        ("npm run seed:dev", "npm", "seed:dev"),
        ("npm test", "npm", "test"),
        ("npm run build", "npm", "build"),
        ("pnpm test:e2e", "pnpm", "test:e2e"),
        ("pnpm --filter web build", "pnpm", "build"),
        ("yarn lint", "yarn", "lint"),
        ("bun run dev", "bun", "dev"),
        ("make reset-db", "make", "reset-db"),
        ("uv run seed", "uv", "seed"),
        ("poetry run seed", "poetry", "seed"),
        ("uv run python -m shop.seed", "python", "shop.seed"),
        ("python -m server", "python", "server"),
    ],
)
def test_scripts(command: str, runner: str, name: str) -> None:
    expected = [(ClaimKind.SCRIPT, name, runner)]
    for text in (f"Run `{command}`.", f"```sh\n$ {command}\n```"):
        found = [claim for claim in claims_in(text) if claim.kind is not ClaimKind.FLAG]
        assert [(claim.kind, claim.text, claim.context) for claim in found] == expected


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("`python -m server --legacy-auth`", [("--legacy-auth", "server")]),
        ("`--max-size <n>`", [("--max-size", "")]),
        ("`--list/--all`", [("--list", ""), ("--all", "")]),
        ("`acme sync --dry-run=yes`", [("--dry-run", "acme")]),
        ("Push with `git push --force-with-lease`, not `--force`.", [("--force-with-lease", "git"), ("--force", "")]),
        ("```\n./scripts/run.sh --fast\ngit log --oneline\n```", [("--fast", "scripts/run.sh")]),
    ],
)
def test_flags(text: str, flags: list[tuple[str, str]]) -> None:
    found = [(claim.text, claim.context) for claim in claims_in(text) if claim.kind is ClaimKind.FLAG]
    assert found == flags


@pytest.mark.parametrize(
    "text",
    [
        "introduced in commit `3f9c2ab71d`",
        "fixed in 3f9c2ab71d",
        "バグはコミット `3f9c2ab71d` から",
        "`3f9c2ab71d` was reverted",
    ],
)
def test_commits(text: str) -> None:
    assert cited(text) == [(ClaimKind.COMMIT, "3f9c2ab71d")]


def test_a_symbol_belongs_to_the_only_file_of_its_sentence() -> None:
    found = claims_in("`compute_tax` in `billing/tax.py` rounds. `load_all` is elsewhere. `a_bc` of `x.py` or `y.py`.")
    assert {claim.text: claim.context for claim in found if claim.kind is ClaimKind.SYMBOL} == {
        "compute_tax": "billing/tax.py",
        "load_all": "",
        "a_bc": "",
    }


def test_a_symbol_behind_its_file() -> None:
    found = claims_in("`src/lexer.rs::scan_all` and `tests/test_a.py::TestA::test_b`")
    assert [(claim.text, claim.context) for claim in found] == [
        ("src/lexer.rs", ""),
        ("scan_all", "src/lexer.rs"),
        ("tests/test_a.py", ""),
        ("test_b", "tests/test_a.py"),
    ]


def test_a_path_keeps_the_directory_named_before_it() -> None:
    (claim,) = claims_in("In `packages/web` the entry is `src/main.tsx`.")
    assert (claim.text, claim.context) == ("src/main.tsx", "packages/web")


@pytest.mark.parametrize("root", ["~/.tool/", "/home/ana/shop/", "C:/shop/", "$HOME/shop/"])
def test_trees_of_a_machine_are_left_alone(root: str) -> None:
    assert cited(f"```\n{root}\n├── src/\n│   └── login.py\n└── README.md\n```") == []


def test_everything_below_a_banner_is_history() -> None:
    text = "# Title\n\n> **RESOLVED** 2026-07-07: done\n\n`src/a.py` does it.\n"
    assert [claim.wording for claim in claims_in(text)] == [Wording.HISTORICAL]
    later = "`src/a.py` does it.\n\n> **RESOLVED** 2026-07-07: done\n"
    assert [claim.wording for claim in claims_in(later)] == [Wording.PLAIN]


def test_what_follows_a_recommendation_in_its_list_is_one_too() -> None:
    text = "- Recommendation: shorten it\n- Cap `one_block` at 6\n\n## Next\n\n- Read `two_block`\n"
    assert [claim.wording for claim in claims_in(text)] == [Wording.PLANNED, Wording.PLAIN]


@pytest.mark.parametrize("text", ["`a.${tier}.yml`", "`a.${YOUR_TIER}.yml`", "`a.${TIER}.yml`", "`a.$APP_TIER`"])
def test_leaves_what_is_inserted_alone(text: str) -> None:
    assert cited(text) == []


def test_a_variable_that_is_inserted_is_cited() -> None:
    assert cited("Reads `a.${APP_TIER}.yml`.") == [(ClaimKind.ENVIRONMENT, "APP_TIER")]


def test_trees_are_joined() -> None:
    text = "```\nshop/\n├── src/\n│   ├── auth/\n│   │   └── login.py  # entry\n│   └── …\n└── README.md\n```"
    assert [(claim.line, claim.column, claim.text, claim.context) for claim in claims_in(text)] == [
        (3, 5, "src/", "shop/"),
        (4, 9, "src/auth/", "shop/"),
        (5, 13, "src/auth/login.py", "shop/"),
        (7, 5, "README.md", "shop/"),
    ]


def test_lines_and_columns_count_in_the_file() -> None:
    (claim,) = find_claims(TOPIC, "first\r\n\n  see `a/b.py`\n", first_line=7)
    assert (claim.line, claim.column) == (9, 8)


@pytest.mark.parametrize(
    ("text", "wording"),
    [
        ("# Deleted files\n\n## In March\n\n- `src/a.py`\n", Wording.HISTORICAL),
        ("# Deleted files\n\n# Layout\n\n- `src/a.py`\n", Wording.PLAIN),
        ("These were removed:\n\n- `src/a.py`\n", Wording.HISTORICAL),
        ("Removed files:\n- `src/a.py`\n", Wording.HISTORICAL),
        ("Removed files:\n- `x`\n\nThe rest is in `src/a.py`.\n", Wording.PLAIN),
        ("- Planned:\n  - `src/a.py`\n", Wording.PLANNED),
        ("- Planned:\n  - `x`\n- `src/a.py`\n", Wording.PLAIN),
        ("## TODO\n```\nx\n├── src/a.py\n```\n", Wording.PLANNED),
        ("The loader, which was long and\nslow, is gone; we deleted\n`src/a.py` in May.", Wording.HISTORICAL),
    ],
)  # fmt: skip
def test_what_stands_above_speaks_for_a_claim(text: str, wording: Wording) -> None:
    assert [claim.wording for claim in claims_in(text)] == [wording]


def test_a_block_that_calls_a_thing_gone_need_not_repeat_it() -> None:
    text = "The legacy `lib/a.sh` does it. So `lib/a.sh:4` counts, and `lib/b.sh` too.\n\nRun `lib/a.sh`.\n"
    found = [(claim.text, claim.wording) for claim in claims_in(text)]
    assert found == [
        ("lib/a.sh", Wording.HISTORICAL),
        ("lib/a.sh", Wording.HISTORICAL),
        ("lib/b.sh", Wording.PLAIN),
        ("lib/a.sh", Wording.PLAIN),
    ]


def test_a_name_that_is_gone_in_one_place_may_be_there_in_another() -> None:
    text = "We removed `--depth` from the parser. Pass `--depth` to the loader.\n"
    assert [claim.wording for claim in claims_in(text)] == [Wording.HISTORICAL, Wording.PLAIN]


def test_daily_logs_are_history() -> None:
    (claim,) = claims_in("Login is in `src/a.py`.", PurePosixPath("memory/logs/2026/03/2026-03-05.md"))
    assert claim.wording is Wording.HISTORICAL


def test_no_more_claims_than_the_limit() -> None:
    found = claims_in("`src/a.py` removed " * 10_000)
    assert len(found) == MAX_CLAIMS


_PIECES = st.sampled_from(
    ["`", "``", "src/a.py", "load_all()", "--flag ", "$X_Y", "\n", "\r\n", "- ", "```\n", "├── ", "a/", "](", ")",
     ":12", "commit ", "3f9c2ab71d", "*", "::", "# ", "| ", "删除", "\x00", "\ud800", "npm run x", " && ",
     "~~", "<!--", "."]
)  # fmt: skip


@given(st.lists(_PIECES, max_size=40).map("".join))
def test_positions_point_at_the_text(text: str) -> None:
    lines = text.split("\n")
    for claim in claims_in(text):
        # In a drawn tree the directories stand on other lines.
        name = claim.text.rstrip("/").rpartition("/")[2]
        assert lines[claim.line - 1].startswith((claim.text, name), claim.column - 1)


@pytest.mark.parametrize(
    "unit",
    in_gate(["`a/b.py` ", "a/b.py ", "`", "](", "a/", "├── a/\n", "```\n", "- ", "`--x` ", "deadbee1 ", "a.", "*/",
     "a:1", "(a", "\n# ", "  - a:\n", "`f(", "`a=b ", "npm run ", "::", "a_", "$", "&&", "`x`, "], 6),
)  # fmt: skip
def test_hostile_texts_are_read_in_linear_time(unit: str) -> None:
    assert len(claims_in(unit * (65_536 // len(unit)))) <= MAX_CLAIMS
    assert len(claims_in("`" + unit * (65_536 // len(unit)) + "`")) <= MAX_CLAIMS


def test_what_belongs_to_an_item_that_is_done_is_history() -> None:
    text = "1. ~~Rows~~ ✅\n\n   It is in `src/rows.py`.\n2. Read `src/table.py`."
    assert [(claim.text, claim.wording) for claim in claims_in(text)] == [
        ("src/rows.py", Wording.HISTORICAL),
        ("src/table.py", Wording.PLAIN),
    ]


def test_a_line_with_its_number_is_no_supposition() -> None:
    (claim,) = claims_in("Each declares its own wrapper, e.g. in `src/table.py:12`.")
    assert (claim.kind, claim.wording) == (ClaimKind.LINES, Wording.PLAIN)


def test_a_bar_of_a_tree_is_not_its_root() -> None:
    text = "```\nshop/\n├── src/\n│   └── login.py\n│\n└── lib/\n```"
    assert [claim.context for claim in claims_in(text)] == ["shop/"] * 3
