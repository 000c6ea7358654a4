from pathlib import Path

from tests.citations.scripted import Files, Moved, begin, make_tests, run_check, tell

CODE = "".join(f"value_{number} = compute({number})\n" for number in range(20))
BEFORE: Files = {
    "src/auth/login.py": CODE,
    "src/auth/keep.py": "def keep():\n    pass\n",
    "src/store/read.py": CODE.replace("value", "read"),
    "src/store/write.py": CODE.replace("value", "write"),
    "lib/copied.py": CODE.replace("value", "copied"),
    "lib/config.py": CODE.replace("value", "config"),
}
AFTER: Files = {
    "src/accounts/login.py": Moved("src/auth/login.py"),
    "src/storage/read.py": Moved("src/store/read.py"),
    "src/storage/write.py": Moved("src/store/write.py"),
    "lib/second/copied.py": CODE.replace("value", "copied"),
    # The same name, but another file: no place to send anyone to.
    "tools/config.py": "import sys\n\nsys.exit(1)\n",
    "lib/config.py": None,
}
MOVED = "moved in <step 1> on 2026-11-01 (step 1)"

LEFT_ALONE = [
    "Kept in `src/auth/keep.py`.",
    "By its end, which did not move: `auth/keep.py`.",
    "By its name, which did not change: `login.py`.",
    "Copied, and still there: `lib/copied.py`.",
    "`src/auth/login.py` was renamed.",
    "~~`src/auth/login.py`~~",
    "Do not edit `src/auth/login.py`.",
    "Never there: `src/auth/logout.py`.",
]

REPORTED = [
    ("Login is in `src/auth/login.py`.", 1, f"src/auth/login.py is now src/accounts/login.py: {MOVED}"),
    ("Login is in src/auth/login.py.", 1, f"src/auth/login.py is now src/accounts/login.py: {MOVED}"),
    ("By its end: `auth/login.py`.", 1, f"auth/login.py is now src/accounts/login.py: {MOVED}"),
    ("\nLogin is in `src/auth/login.py:3-5`.", 2, f"src/auth/login.py is now src/accounts/login.py: {MOVED}"),
    ("Storage is `src/store/`.", 1, f"src/store/ is now src/storage/: {MOVED}"),
]


test_leaves_alone, test_reports = make_tests("path-moved", BEFORE, LEFT_ALONE, REPORTED, AFTER)


def test_what_was_put_away_is_not_written_in_its_new_place(tmp_path: Path) -> None:
    scripted = begin(tmp_path)
    guide = scripted.remember("Releases follow `docs/release.md`.")
    state = scripted.remember("Entries wait in `queue/`.")
    scripted.change({"docs/release.md": CODE, "queue/one.yml": CODE.replace("value", "one")})
    scripted.change(
        {"docs/archive/release.md": Moved("docs/release.md"), "done/2026-04/one.yml": Moved("queue/one.yml")}
    )
    (found,) = scripted.truth(guide)
    assert "docs/release.md is now docs/archive/release.md" in found.message
    assert scripted.truth(state) == []
    assert [info.message.partition(" in ")[0] for info in scripted.truth(state, "info")] == [
        "queue/ is now done/2026-04/: moved"
    ]
    run_check(scripted.repo.root, "--fix")
    assert scripted.body(guide) == "Releases follow `docs/release.md`."
    assert scripted.body(state) == "Entries wait in `queue/`."


def test_a_new_name_in_the_same_directory_keeps_the_short_form(tmp_path: Path) -> None:
    scripted = begin(tmp_path)
    short = scripted.remember("- `backend.js` stores.\n- `lib/backend.js` loads.\n- `gone.js` reads.")
    scripted.change({"src/lib/backend.js": CODE, "src/lib/gone.js": CODE.replace("value", "gone")})
    scripted.change({"src/lib/backend.ts": Moved("src/lib/backend.js"), "lib/come.ts": Moved("src/lib/gone.js")})
    run_check(scripted.repo.root, "--fix")
    assert scripted.body(short) == "- `backend.ts` stores.\n- `lib/backend.ts` loads.\n- `lib/come.ts` reads."
    assert scripted.truth(short) == []


def test_a_link_is_not_repaired_by_half(tmp_path: Path) -> None:
    scripted = begin(tmp_path)
    body = "Read [`src/auth/login.py`](../../src/auth/login.py)."
    topic = scripted.remember(body)
    scripted.change(BEFORE)
    scripted.change(AFTER)
    assert [found.rule for found in scripted.truth(topic)] == ["path-moved"]
    run_check(scripted.repo.root, "--fix")
    assert scripted.body(topic) == body


def test_a_file_of_the_same_name_is_not_where_it_moved() -> None:
    body = "Settings are in `lib/config.py`."
    (found,) = tell(BEFORE, [body], AFTER)[body]
    assert found.rule == "path-missing"
    assert "tools" not in found.message
