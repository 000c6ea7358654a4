import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.citations.wording.mentions import classify_wording, is_banner
from memci.citations.wording.paragraph import sentence_bounds
from memci.model.citation import Wording
from tests.gate import in_gate

PLAIN, NEGATED, PLANNED, HISTORICAL = Wording.PLAIN, Wording.NEGATED, Wording.PLANNED, Wording.HISTORICAL
PROHIBITED, STRUCK, HEDGED = Wording.PROHIBITED, Wording.STRUCK, Wording.HEDGED


def wording_of(line: str, name: str, heading: str = "") -> Wording:
    start = line.index(name)
    return classify_wording(line, start, start + len(name), heading)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Login is in `auth/login.py`.", "auth/login.py"),
        ("- ~~`a.py`~~ `b.py` reads the rows", "b.py"),
        ("- ✅ `b.py` reads the rows", "b.py"),
        ("**No-key path:** `read_rows` opens it.", "read_rows"),
        ("Old clients need auth (`auth.py`).", "auth.py"),
        ("Old clients need `serve --legacy-auth`.", "--legacy-auth"),
        ("The old `a.py` lives on in `b.py`.", "b.py"),
        ("The old `a.py` calls home; `b.py` does not.", "b.py"),
        ("Legacy `a.mk` proves that runs must read `b.py`.", "b.py"),
        ("The old `a.py` was ported to `b.py`.", "b.py"),
        ("Compare the legacy `a.py` and the new `b.py`.", "b.py"),
        ("The legacy `a.py` is slow, see the notes (`b.py`).", "b.py"),
        ("- Parser (deprecated): use `b.py`", "b.py"),
        ("- Parser (in two steps): `b.py` reads", "b.py"),
        ("`MAX_TRIES` is 3, see `b.py`.", "MAX_TRIES"),
        ("It feels like `b.py` is slow.", "b.py"),
        ("`a.py` was deleted; use `b.py`.", "b.py"),
        ("`a.py` was deleted, use `b.py`.", "b.py"),
        ("`a.py` was deleted. `b.py` does its work.", "b.py"),
        ("We moved `a.go` to `b.go`.", "b.go"),
        ("`migrate.py` moved files to the archive on each run.", "migrate.py"),
        ("`api.py` handles login, the cache was removed.", "api.py"),
        ("`purge` runs after files are deleted.", "purge"),
        ("`foo_bar()` does not validate its input.", "foo_bar"),
        ("`foo_bar()` no longer blocks.", "foo_bar"),
        ("`load_all` is used to warm the cache.", "load_all"),
        ("`a()` → `b()` → `c()` is the order of calls.", "a"),
        ("`start_up()` → `read_config()`", "start_up"),
        ("There is no cache in `b.py`.", "b.py"),
        ("Todo el código está en `b.py`.", "b.py"),
        ("Create the node: `make_node()`", "make_node"),
        ("It is passed without brackets (see `b.py`).", "b.py"),
        ("Create the tests in `tests/`.", "tests/"),
        ("Der Login steht in `auth/login.py`.", "auth/login.py"),
        ("`a.py` wurde gelöscht; nutze `b.py`.", "b.py"),
        ("`a.py` 已删除，改用 `b.py`。", "b.py"),
        ("`a.py` を削除した。`b.py` を使う。", "b.py"),
        ("`a.py`는 삭제됨. `b.py`를 사용한다.", "b.py"),
        ("`a.py` удалён; используй `b.py`.", "b.py"),
        ("Se eliminó `a.py`, ahora `b.py`.", "b.py"),
        ("The legacy client needs a token; `b.py` makes it.", "b.py"),
        ("The old parser is slow. The new parser (`b.py`) is not.", "b.py"),
        ("Rows are read once. The parser (`b.py`) keeps them.", "b.py"),
        ("`APP_TIER` is absent from `b.env`.", "APP_TIER"),
        ("Fixed widths are in `b.py`.", "b.py"),
        ("The cause is `b.py`.", "b.py"),
        ("| Timeouts | 30 | peers.rs |", "peers.rs"),
        ("**Note:** `b.py` reads it", "b.py"),
        ("## Parser (2 phases, see b.md)", "b.md"),
        ("`a.ps1` 를 실행한다. 그리고 `b.ps1` 를 하던 대로 둔다.", "a.ps1"),
    ],
)
def test_leaves_plain(line: str, name: str) -> None:
    assert wording_of(line, name) is PLAIN


@pytest.mark.parametrize(
    "heading",
    [
        "How deleted rows are kept",
        "`removed` flag",
        "Layout",
        "Key files",
        "State (2026-03-16)",
        "Sessions API",
        "Fixed widths",
        "Recommended tools",
    ],
)
def test_leaves_plain_below_headings_that_only_contain_such_words(heading: str) -> None:
    assert wording_of("- `src/a.py`", "src/a.py", heading) is PLAIN


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("`a.py` was deleted; use `b.py`.", "a.py"),
        ("On 2026-03-02 we deleted `a.py`; do not bring it back.", "a.py"),
        ("`call_soap()` no longer exists either.", "call_soap"),
        ("`call_soap()` is no longer imported by the store.", "call_soap"),
        ("Removed `a`, `bee` and `cee`.", "cee"),
        ("**Dead code removed**: `one_x()`, `two_x()`", "two_x"),
        ("`a.py` and `b.py` were removed in May.", "a.py"),
        ("`a.py`, which was removed, held the keys.", "a.py"),
        ("`a.py` (removed) held the keys.", "a.py"),
        ("| `a.py` | removed |", "a.py"),
        ("`a.py` — deleted in the cleanup", "a.py"),
        ("We moved `a.go` to `b.go`.", "a.go"),
        ("Renamed `load_cfg` to `read_cfg`.", "load_cfg"),
        ("`a.py` was replaced by `b.py`.", "a.py"),
        ("`a.py` is deprecated in favour of `b.py`.", "a.py"),
        ("We used to deploy with `push.sh`.", "push.sh"),
        ("the legacy `lib/env.sh` parser", "lib/env.sh"),
        ("- 2026-03-05: fixed `load_all`", "load_all"),
        ("- [x] write `a.py`", "a.py"),
        ("`a.py` wurde gelöscht; nutze `b.py`.", "a.py"),
        ("`a.py` gibt es nicht mehr.", "a.py"),
        ("`a.py` 已删除，改用 `b.py`。", "a.py"),
        ("我们删除了 `a.py`。", "a.py"),
        ("将 `a.py` 重命名为 `b.py`。", "a.py"),
        ("`a.py` は削除された。", "a.py"),
        ("以前は `a.py` を使っていた。", "a.py"),
        ("`a.py`는 삭제됨.", "a.py"),
        ("`a.py`를 제거했다.", "a.py"),
        ("`a.py` был удалён.", "a.py"),
        ("`a.py` a été supprimé.", "a.py"),
        ("`a.py` n'existe plus.", "a.py"),
        ("`a.py` fue eliminado.", "a.py"),
        ("`a.py` ya no existe.", "a.py"),
        ("The legacy shell script `a.sh` does it.", "a.sh"),
        ("Old parity reference\n`a.sh:13` changes the directory.", "a.sh"),
        ("`pick.json` rewritten from four patterns to one.", "pick.json"),
        ("It runs `a.sh` (promoted from `b.sh`).", "b.sh"),
        ("`read_rows` — FIXED in round 4", "read_rows"),
        ("despite the older list.tsx note", "list.tsx"),
        ("**Root cause**: `Tick()` runs before `fill_slots()`.", "fill_slots"),
        ("**Symptom:** `fill_slots()` is empty.", "fill_slots"),
        ("A rule.\n**First seen:** 2026-03-19 review: `fill_slots()` fails", "fill_slots"),
        ("Reviewed and approved (2026-07-30) eight updates (a.sh, b.md)", "b.md"),
        ("**原因**：`fill_slots()` 为空", "fill_slots"),
    ],
)
def test_history(line: str, name: str) -> None:
    assert wording_of(line, name) is HISTORICAL


@pytest.mark.parametrize(
    ("line", "name", "wording"),
    [
        ("Next step: create `redis.ts` beside the other.", "redis.ts", PLANNED),
        ("The cache will live in `cache/redis.ts`.", "cache/redis.ts", PLANNED),
        ("TODO: move this to `lib/b.py`", "lib/b.py", PLANNED),
        ("- [ ] remove `old_flag`", "old_flag", PLANNED),
        ("`a.py` ist geplant.", "a.py", PLANNED),
        ("`a.py` 尚未创建。", "a.py", PLANNED),
        ("`a.py` は追加予定。", "a.py", PLANNED),
        ("Планируется `a.py`.", "a.py", PLANNED),
        ("`a.py` sera ajouté.", "a.py", PLANNED),
        ("`a.py` todavía no está.", "a.py", PLANNED),
        ("There is no `foo_bar` here.", "foo_bar", NEGATED),
        ("`foo_bar()` is not supported.", "foo_bar", NEGATED),
        ("`foo_bar` does **not** exist", "foo_bar", NEGATED),
        ("Use `one_x`, not `two_x`.", "two_x", NEGATED),
        ("`a.py` existiert nicht.", "a.py", NEGATED),
        ("`a.py` 不存在。", "a.py", NEGATED),
        ("`a.py` は存在しない。", "a.py", NEGATED),
        ("`a.py`는 존재하지 않는다.", "a.py", NEGATED),
        ("`a.py` не существует.", "a.py", NEGATED),
        ("`a.py` n'existe pas.", "a.py", NEGATED),
        ("`a.py` no existe.", "a.py", NEGATED),
        ("Never edit `gen/x.py` by hand.", "gen/x.py", PROHIBITED),
        ("Don't use `foo_bar` in tests.", "foo_bar", PROHIBITED),
        ("Do not use `.dev.env` for this.", ".dev.env", PROHIBITED),
        ("Use `one_x` instead of `two_x`.", "two_x", PROHIBITED),
        ("`two_x` must not be called.", "two_x", PROHIBITED),
        ("`gen/x.py` nicht bearbeiten.", "gen/x.py", PROHIBITED),
        ("不要修改 `gen/x.py`。", "gen/x.py", PROHIBITED),
        ("`gen/x.py` は編集しないこと。", "gen/x.py", PROHIBITED),
        ("`gen/x.py` 수정 금지", "gen/x.py", PROHIBITED),
        ("Нельзя менять `gen/x.py`.", "gen/x.py", PROHIBITED),
        ("Ne pas modifier `gen/x.py`.", "gen/x.py", PROHIBITED),
        ("Nunca edites `gen/x.py`.", "gen/x.py", PROHIBITED),
        ("a helper, e.g. `foo_bar`", "foo_bar", HEDGED),
        ("tokens like `A_B`, `C_D` and `E_F`", "C_D", HEDGED),
        ("It does NOT interpolate `A_B` there.", "A_B", NEGATED),
        ("settings such as `a_b` and `c_d`", "c_d", HEDGED),
        ("Read `local.yml` if it exists.", "local.yml", HEDGED),
        ("Namen wie z.B. `foo_bar`", "foo_bar", HEDGED),
        ("例如 `foo_bar`", "foo_bar", HEDGED),
        ("例えば `foo_bar`", "foo_bar", HEDGED),
        ("예를 들어 `foo_bar`", "foo_bar", HEDGED),
        ("например `foo_bar`", "foo_bar", HEDGED),
        ("par exemple `foo_bar`", "foo_bar", HEDGED),
        ("por ejemplo `foo_bar`", "foo_bar", HEDGED),
        ("~~`a.py` holds the keys~~ not any more", "a.py", STRUCK),
        ("Update menu.py when ~~old/menu.txt~~ changes", "old/menu.txt", STRUCK),
    ],
)
def test_other_wordings(line: str, name: str, wording: Wording) -> None:
    assert wording_of(line, name) is wording


@pytest.mark.parametrize(
    ("heading", "wording"),
    [
        ("Deleted files", HISTORICAL),
        ("Removed:", HISTORICAL),
        ("Pipeline (REMOVED in May)", HISTORICAL),
        ("Recommendations", PLANNED),
        ("4. Small files — RESOLVED", HISTORICAL),
        ("History", HISTORICAL),
        ("Changelog", HISTORICAL),
        ("2026-03-05 session", HISTORICAL),
        ("Gelöschte Dateien\nHistorie", HISTORICAL),
        ("历史", HISTORICAL),
        ("히스토리", HISTORICAL),
        ("TODO", PLANNED),
        ("TODOs", PLANNED),
        ("Todo:", PLANNED),
        ("Next steps", PLANNED),
        ("Overview\nPending", PLANNED),
        ("Examples", HEDGED),
    ],
)
def test_headings_speak_for_what_is_below(heading: str, wording: Wording) -> None:
    assert wording_of("- `src/a.py`", "src/a.py", heading) is wording


@pytest.mark.parametrize(
    "block",
    [
        "",
        "Resolved in May: the parser",
        "**Removed** `a.py`.",
        "**Resolved issues** are in `a.py`.",
        "**Deleted rows** are kept",
        "**History API**: pages",
        "RESOLVED_AT is a column",
        "> Stale files are listed",
    ],
)
def test_is_no_banner(block: str) -> None:
    assert not is_banner(block)


@pytest.mark.parametrize(
    "block",
    [
        "> **✅ 已解决(2026-07-07)**:list",
        "> [!WARNING]\n> Superseded by [[b]]",
        "> Archived 2026-05",
        "**RESOLVED** 2026-05-01",
        "**Status:** Superseded by b",
        "> **Status: RESOLVED**",
        "> ⚠️ **DEPRECATED** — see [[b]]",
        "**해결됨** (2026-05-01)",
    ],
)
def test_a_banner_calls_everything_below_it_history(block: str) -> None:
    assert is_banner(block)


def test_a_sentence_ends_where_people_end_it() -> None:
    line = "Use e.g. `a.b`. Then `c.d`! And `e`; `f`"
    assert [line[slice(*sentence_bounds(line, line.index(name)))].strip() for name in ("a.b", "c.d", "`e`", "`f`")] == [
        "Use e.g. `a.b`.",
        "Then `c.d`!",
        "And `e`;",
        "`f`",
    ]


@given(st.text(alphabet="`~→()[],.;:- \nax无\x00\ud800", max_size=80), st.data())
def test_any_text_has_a_wording(line: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(line)))
    assert isinstance(classify_wording(line, start, data.draw(st.integers(start, len(line))), line), Wording)


@pytest.mark.parametrize(
    "unit",
    in_gate(
        [
            "`",
            "`a",
            "~~",
            "removed ",
            "not yet ",
            "→",
            "(",
            "e.g",
            " \n",
            "a.",
            "a/",
            "was ",
            "无",
            "**",
            "2026-",
            "- [x",
            "the ",
            "> ",
            "\n**",
            "가",
        ],
        6,
    ),
)
def test_hostile_texts_are_read_in_linear_time(unit: str) -> None:
    line = unit * (65_536 // len(unit))
    for place in range(0, len(line), 64):
        assert isinstance(classify_wording(line, place, place + 1, "removed"), Wording)
    assert not is_banner(line)


@pytest.mark.parametrize(
    ("line", "wording"),
    [
        ("8. ~~Graphique vide~~ ✅ fait le 08/07/2026 — `open_all` ouvre tout", HISTORICAL),
        ("- ✅ **UX-4 — Actions** (complet le **2026-07-23**) : `open_all` ouvre tout", HISTORICAL),
        ("- [x] `open_all` ouvre tout", HISTORICAL),
        ("- ❌ Criar `open_all` antes do resto", PROHIBITED),
    ],
)
def test_reads_the_mark_of_an_item(line: str, wording: Wording) -> None:
    assert wording_of(line, "open_all") is wording
