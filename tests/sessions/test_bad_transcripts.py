"""Bad transcripts as `memci signals` meets them; the ids are those of the case list."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memci.errors import Exit
from tests.commands.dreams import SAID, make_shop, write_session
from tests.commands.run import Done, memci
from tests.repository import make_repository

Capture = pytest.CaptureFixture[str]
# Runs memci and says on the last line how many KiB it held at most.
PEAK = (
    "import sys; from memci.cli import main; code = main(sys.argv[1:]); "
    # Not ru_maxrss: it begins with what the process had that started this one.
    "print(open('/proc/self/status').read().partition('VmHWM:')[2].split()[0], file=sys.stderr); sys.exit(code)"
)


def signals(capsys: Capture, root: Path, place: Path) -> Done:
    return memci(capsys, root, "signals", "--transcripts", str(place), "--format", "json")


def test_a_line_of_100_megabytes_is_skipped_with_its_size_and_never_held(tmp_path: Path) -> None:
    # T06
    repo = make_shop(tmp_path / "shop")
    place = write_session(tmp_path / "sessions", "s1", SAID).parent
    with (place / "big.jsonl").open("wb") as file:
        file.write(b'{"type":"user","message":{"role":"user","content":"')
        for _ in range(100):
            file.write(b"a" * 1_000_000)
        file.write(b'"}}\n')
    arguments = ["-C", str(repo.root), "signals", "--transcripts", str(place), "--format", "json"]
    done = subprocess.run([sys.executable, "-c", PEAK, *arguments], capture_output=True, text=True, check=False)
    result = json.loads(done.stdout)
    assert done.returncode == Exit.DEGRADED
    assert [signal["text"] for signal in result["signals"]] == [SAID]
    (told,) = [file["reason"] for file in result["files"] if "big" in file["name"]]
    assert told == "a line of 100000055 bytes is too long"
    assert int(done.stderr.split()[-1]) < 200 * 1_024


@pytest.mark.skipif(os.geteuid() == 0 and not shutil.which("setpriv"), reason="the superuser may read everything")
def test_a_file_without_permission_is_reported_and_the_others_are_used(tmp_path: Path) -> None:
    # T33
    repo = make_shop(tmp_path / "shop")
    place = write_session(tmp_path / "sessions", "s1", SAID).parent
    closed = write_session(tmp_path / "sessions", "s2", "always squash before merging")
    closed.chmod(0)
    arguments = ["-C", str(repo.root), "signals", "--transcripts", str(place), "--format", "json"]
    command = [sys.executable, "-c", "import sys; from memci.cli import main; sys.exit(main(sys.argv[1:]))", *arguments]
    # The superuser may read everything, unless he gives up that right.
    other = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []
    done = subprocess.run([*other, *command], capture_output=True, text=True, check=False)
    result = json.loads(done.stdout)
    assert done.returncode == Exit.DEGRADED
    assert [signal["text"] for signal in result["signals"]] == [SAID]
    (told,) = [(file["status"], file["reason"]) for file in result["files"] if file["name"].endswith(closed.name)]
    assert told == ("not read", "Permission denied")


def test_a_session_of_another_project_is_left_out_and_reported(capsys: Capture, tmp_path: Path) -> None:
    # T37: of a directory that is not on this machine nobody can tell whose it is.
    repo = make_shop(tmp_path / "shop")
    other = make_repository(tmp_path / "other")
    other.write("a.txt", "x")
    other.commit()
    path = write_session(tmp_path / "sessions", "s1", SAID)
    assert len(signals(capsys, repo.root, path.parent).json["signals"]) == 1
    records = [json.loads(line) | {"cwd": str(other.root)} for line in path.read_text().split("\n") if line]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    done = signals(capsys, repo.root, path.parent)
    assert (done.code, done.json["signals"]) == (Exit.DEGRADED, [])
    (told,) = [(file["status"], file["reason"]) for file in done.json["files"]]
    assert told == ("foreign", "its session ran in another repository")
