from tests.citations.scripted import Files, Told, make_tests, tell

CODE = "".join(f"value_{number} = compute({number})\n" for number in range(20))
BEFORE: Files = {
    ".gitignore": "out/\n",
    "tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["./web/*"]}}}\n',
    "billing/keep.py": "def keep():\n    pass\n",
    "billing/render_pdf.py": CODE,
    "legacy/first.py": CODE.replace("value", "first"),
    "legacy/second.py": CODE.replace("value", "second"),
    "db/001.sql": "create table a (b int);\n",
    "web/hooks/useCart.ts": "export const useCart = 1;\n",
    "packages/core/src/session.rs": "pub fn session() {}\n",
    "web/hooks/useOld.ts": CODE.replace("value", "old"),
    "Guide.md": "Read me.\n",
    "notes/GUIDE.md": CODE.replace("value", "note"),
    "release/v1.txt": CODE.replace("value", "release"),
    "checks/damage_tests.rs": CODE.replace("value", "damage"),
    "packages/web/src/gone.ts": CODE.replace("value", "gone"),
    "packages/web/src/here.ts": "export const here = 1;\n",
    "cache/state.json": '{"a": 1}\n',
}
AFTER: Files = {
    ".gitignore": "out/\ncache/\n",
    "billing/render_pdf.py": None,
    "legacy/first.py": None,
    "legacy/second.py": None,
    "db/001.sql": None,
    "web/hooks/useOld.ts": None,
    "notes/GUIDE.md": None,
    "release/v1.txt": None,
    "checks/damage_tests.rs": None,
    "packages/web/src/gone.ts": None,
    "cache/state.json": None,
}

LEFT_ALONE = [
    "Kept in `billing/keep.py`.",
    "Kept in `billing/keep.py`, everything else of `billing/` too.",
    "By its end: `src/session.rs`.",
    "In `packages/core`, see `src/session.rs`.",
    "By its name: `session.rs`.",
    "An alias: `@/hooks/useCart.ts`.",
    "On a disk that does not tell the case: `GUIDE.md`.",
    "Branches: `feature/*`, `fix/*`, `release/*`.",
    "Name files after what they test: `damage_tests.rs`, `edge_cases.rs`.",
    "Never there: `billing/never.py`, `nowhere/`, `nowhere/*.sql`.",
    "`billing/render_pdf.py` was removed.",
    "~~`billing/render_pdf.py` draws the invoices.~~",
    "There is no `billing/render_pdf.py`.",
    "Never edit `billing/render_pdf.py`.",
    "TODO: create `billing/render_pdf.py`.",
    "The invoices will live in `billing/render_pdf.py`.",
    "Read `billing/render_pdf.py` if it exists.",
    "`billing/render_pdf.py` wurde gelöscht.",
    "Placeholders: `path/to/render_pdf.py`, `results/<sha>.json`, `notes/iteration-NN.md`.",
    "Outside: `/home/me/billing/render_pdf.py`, `~/billing/render_pdf.py`, `$HOME/billing/render_pdf.py`.",
    "Above: `../billing/render_pdf.py`.",
    "Ignored: `out/report.json`, and `cache/state.json` though it was committed once.",
    "No paths: `/admin/users`, `thread/read`, `origin/main`, `unit/integration`, `and/or`.",
    "An address: https://example.org/billing/render_pdf.py",
]

REPORTED = [
    (
        "An alias: `@/hooks/useOld.ts`.",
        1,
        "@/hooks/useOld.ts is gone: removed in <step 1> on 2026-11-01 (step 1)",
    ),
    (
        "Drawn by `billing/render_pdf.py`.",
        1,
        "billing/render_pdf.py is gone: removed in <step 1> on 2026-11-01 (step 1)",
    ),
    (
        "\nSome text.\n\nDrawn by billing/render_pdf.py.",
        4,
        "billing/render_pdf.py is gone: removed in <step 1> on 2026-11-01 (step 1)",
    ),
    ("Drawn by `render_pdf.py`.", 1, "render_pdf.py is gone: removed in <step 1> on 2026-11-01 (step 1)"),
    (
        "Drawn in `billing/render_pdf.py:12`.",
        1,
        "billing/render_pdf.py is gone: removed in <step 1> on 2026-11-01 (step 1)",
    ),
    ("Everything old is in `legacy/`.", 1, "legacy/ is gone: removed in <step 1> on 2026-11-01 (step 1)"),
    ("Migrations are `db/*.sql`.", 1, "db/*.sql is gone"),
    ("In `packages/web/`, see `src/gone.ts`.", 1, "src/gone.ts is gone: removed in <step 1> on 2026-11-01 (step 1)"),
    (
        "Run `python billing/render_pdf.py`.",
        1,
        "billing/render_pdf.py is gone: removed in <step 1> on 2026-11-01 (step 1)",
    ),
]


test_leaves_alone, test_reports = make_tests("path-missing", BEFORE, LEFT_ALONE, REPORTED, AFTER)


def test_what_went_with_its_directory_is_told_once() -> None:
    files: Files = {f"plans/{name}.md": CODE.replace("value", name) for name in "abcdefg"}
    body = "\n".join(f"- `plans/{name}.md` — a plan" for name in "abcdefg")
    told = tell(files, [body], dict.fromkeys(files))[body]
    gone = "plans/a.md is gone: removed in <step 1> on 2026-11-01 (step 1)"
    assert told == [Told("path-missing", 1, f"{gone}; so are 6 more of plans/ on lines 8, 9, 10, 11, 12, 13")]


def test_a_few_files_of_one_directory_are_told_one_by_one() -> None:
    files: Files = {f"plans/{name}.md": CODE.replace("value", name) for name in "abcde"}
    body = "\n".join(f"- `plans/{name}.md` — a plan" for name in "abcde")
    assert [one.line for one in tell(files, [body], dict.fromkeys(files))[body]] == [1, 2, 3, 4, 5]
