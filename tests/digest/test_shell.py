"""What command lines do."""

import pytest

from memci.digest.shell import (
    classify_command,
    extract_errors,
    find_outcomes,
    find_pull_requests,
    first_line,
    is_read_only,
    parse_commits,
    strip_cd,
)


@pytest.mark.parametrize(
    "command",
    [
        "ls -la src",
        "grep -rn 'x' . | head -5",
        "cat a.txt; git status",
        "git -C x log --oneline",
        "sed -n '1,5p' a 2>&1",
    ],
)
def test_commands_that_change_nothing_only_look(command: str) -> None:
    assert is_read_only(command)


@pytest.mark.parametrize(
    "command",
    [
        "make test",
        "cat a > b",
        "find . -name x -delete",
        "sed -i 's/a/b/' x",
        "git commit -m x",
        "ls && rm x",
        "x" * 5_000,
    ],
)
def test_other_commands_do_something(command: str) -> None:
    assert not is_read_only(command)


@pytest.mark.parametrize(
    ("command", "program"),
    [
        ("go test ./...", "go test"),
        ("npm run build -- --watch", "npm run build"),
        ("CI=1 python -m pytest -q", "python -m pytest"),
        ("cd app && ./gradlew check", "gradlew check"),
        ("timeout 60 npm test", "npm test"),
        ("git add -A && git commit -m x", "git add"),
        ("/usr/bin/make", "make"),
        ("", ""),
    ],
)
def test_a_command_is_named_after_its_program_and_purpose(command: str, program: str) -> None:
    assert classify_command(command) == program


def test_the_change_into_the_directory_of_the_session_is_left_out() -> None:
    assert strip_cd("cd /home/ines/shop && make", "/home/ines/shop") == "make"
    assert strip_cd("cd /home/ines/other && make", "/home/ines/shop") == "cd /home/ines/other && make"


def test_a_long_command_is_shown_by_its_first_line() -> None:
    assert first_line("cat > x <<'EOF'\na\nb\nEOF") == "cat > x <<'EOF' […3 more lines]"


@pytest.mark.parametrize("output", ["", "hello\nworld", "the tests passed through my mind", "x" * 400 + " 3 passed"])
def test_what_sums_nothing_up_is_no_outcome(output: str) -> None:
    assert find_outcomes(output) == []


@pytest.mark.parametrize(
    "line",
    [
        "3 passed, 1 failed in 0.12s",
        "Ran 12 tests in 0.1s",
        "Tests:       1 failed, 3 passed, 4 total",
        "ok  \texample.org/pkg\t0.4s",
        "test result: ok. 5 passed; 0 failed",
        "12 examples, 0 failures",
        "BUILD SUCCESSFUL in 3s",
        "Found 3 errors in 2 files",
    ],
)
def test_test_runners_are_understood(line: str) -> None:
    assert find_outcomes(f"noise\n{line}\n") == [line.strip()]


def test_an_error_is_told_by_its_telling_lines() -> None:
    output = "Exit code 2\nbuilding\nsrc/a.c:3: error: no semicolon\nlinking\nmake: *** failed\n"
    assert extract_errors(output) == "src/a.c:3: error: no semicolon\nmake: *** failed"
    assert extract_errors("<tool_use_error>odd</tool_use_error>") == "odd"
    assert extract_errors("") == ""


def test_commits_are_found_in_what_git_says_or_was_told() -> None:
    assert parse_commits("git commit -m x", "[main 1234abc] Round half up\n", failed=False) == ["1234abc Round half up"]
    assert parse_commits("git commit -q -m 'Round half up'", "", failed=False) == ["Round half up"]
    assert parse_commits("git commit -m \"$(cat <<'EOF'\nTitle\n\nBody\nEOF\n)\"", "", failed=False) == ["Title"]
    assert parse_commits("git commit -m 'x'", "nothing to commit", failed=True) == []
    assert parse_commits("cat log", "[main 1234abc] Round half up\n", failed=False) == []


def test_pull_requests_are_found_once() -> None:
    address = "https://forge.example/team/shop/pull/12"
    assert find_pull_requests(f"created {address}\n{address}\n") == [address]
