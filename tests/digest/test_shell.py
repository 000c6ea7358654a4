"""What command lines do."""

from memci.digest.tool_calls import first_line, last_lines, parse_commits, strip_cd


def test_the_change_into_the_directory_of_the_session_is_left_out() -> None:
    assert strip_cd("cd /home/ines/shop && make", "/home/ines/shop") == "make"
    assert strip_cd("cd /home/ines/other && make", "/home/ines/shop") == "cd /home/ines/other && make"


def test_a_long_command_is_shown_by_its_first_line() -> None:
    assert first_line("cat > x <<'EOF'\na\nb\nEOF") == "cat > x <<'EOF' […3 more lines]"


def test_an_output_is_shown_by_its_last_lines() -> None:
    output = "Exit code 2\nbuilding\n\nsrc/a.c:3: error: no semicolon\nlinking\nmake: *** failed\n"
    assert last_lines(output, 2) == "linking\nmake: *** failed"
    assert last_lines("<tool_use_error>odd</tool_use_error>") == "odd"
    assert last_lines("") == ""


def test_commits_are_found_in_what_git_says_or_was_told() -> None:
    assert parse_commits("git commit -m x", "[main 1234abc] Round half up\n", failed=False) == ["1234abc Round half up"]
    assert parse_commits("git commit -q -m 'Round half up'", "", failed=False) == ["Round half up"]
    assert parse_commits("git commit -m \"$(cat <<'EOF'\nTitle\n\nBody\nEOF\n)\"", "", failed=False) == ["Title"]
    assert parse_commits("git commit -m 'x'", "nothing to commit", failed=True) == []
    assert parse_commits("cat log", "[main 1234abc] Round half up\n", failed=False) == []
