import gzip
import io
import os
import struct
import tarfile
import zipfile
from pathlib import Path

import pytest
from backports import zstd

from memci.sessions.read_result import FileStatus, Reading, ReadLimits
from memci.sessions.read_turns import read_transcripts
from tests.sessions.build import dump, user

LINES = dump(user("always squash"))


def read(place: Path, limits: ReadLimits | None = None) -> Reading:
    return read_transcripts([str(place)], repository=None, limits=limits)


def make_tar(*members: tuple[str, bytes | str], kind: bytes = tarfile.SYMTYPE) -> bytes:
    """Return a tar; a member whose content is a text is a link, or what `kind` says."""
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        for name, content in members:
            member = tarfile.TarInfo(name)
            if isinstance(content, str):
                member.type, member.linkname = kind, content
                archive.addfile(member)
            else:
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))
    return target.getvalue()


def make_zip(*members: tuple[str, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return target.getvalue()


TAR = make_tar(("s/a.jsonl", LINES), ("readme.md", b"x"))
GOOD = {
    "a.jsonl.gz": gzip.compress(LINES),
    "a.jsonl.zst": zstd.compress(LINES),
    "a.tar": TAR,
    "a.tar.gz": gzip.compress(TAR),
    "a.tgz": gzip.compress(TAR),
    "a.tar.zst": zstd.compress(TAR),
    "a.zip": make_zip(("s/", b""), ("s/a.jsonl", LINES), (".git/config", b"x")),
    "odd.zip": make_zip(("..\\..\\a.jsonl", LINES), ("C:\\x.jsonl", b""), ("a\nb.jsonl", b""), ("A.jsonl", b"")),
}


@pytest.mark.parametrize("name", GOOD)
def test_reads_what_is_packed(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(GOOD[name])
    reading = read(tmp_path)
    assert [turn.text for turn in reading.turns] == ["always squash"]
    assert {report.status for report in reading.files} == {FileStatus.USED}
    assert all(report.name.isprintable() for report in reading.files)
    # Nothing is unpacked to the disk.
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_sub_agents_member_is_the_models(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(make_zip(("x/subagents/agent-1.jsonl", LINES)))
    assert read(tmp_path).turns == ()


def test_a_bundle_without_transcripts_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.tar").write_bytes(make_tar((".git/config", b"x"), ("inner.zip", b"x")))
    (report,) = read(tmp_path).files
    assert (report.status, report.reason) == (FileStatus.NOT_READ, "2 members that are no transcripts")


def make_lying_zip() -> bytes:
    content = bytearray(make_zip(("a.jsonl", LINES), ("b.jsonl", b"0" * 50_000)))
    struct.pack_into("<I", content, content.rfind(b"PK\x01\x02") + 24, 10)
    return bytes(content)


def make_zip_with_link() -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("a.jsonl", LINES)
        link = zipfile.ZipInfo("b.jsonl")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    return target.getvalue()


def make_huge_header() -> bytes:
    header = tarfile.TarInfo("a.jsonl")
    header.type, header.size = tarfile.XHDTYPE, 2 << 20
    return header.tobuf() + bytes(2 << 20) + TAR


BAD = {
    "up.tar": make_tar(("a.jsonl", LINES), ("../evil.jsonl", b"{}")),
    "absolute.tar": make_tar(("a.jsonl", LINES), ("/root/evil.jsonl", b"x")),
    "link.tar": make_tar(("a.jsonl", LINES), ("b.jsonl", "/etc/passwd")),
    "hard.tar": make_tar(("a.jsonl", LINES), ("b.jsonl", "a.jsonl"), kind=tarfile.LNKTYPE),
    "pipe.tar": make_tar(("a.jsonl", LINES), ("b.jsonl", ""), kind=tarfile.FIFOTYPE),
    "header.tar": make_huge_header(),
    "cut.tar": make_tar(("a.jsonl", LINES), ("b.jsonl", os.urandom(50_000)))[:30_000],
    "cut.tar.gz": gzip.compress(make_tar(("a.jsonl", LINES), ("b.jsonl", os.urandom(50_000))))[:30_000],
    "sum.tar.gz": gzip.compress(TAR)[:-8] + b"12345678",
    "cut.jsonl.gz": gzip.compress(LINES + os.urandom(50_000))[:30_000],
    "cut.jsonl.zst": zstd.compress(LINES + os.urandom(50_000))[:30_000],
    "garbage.jsonl.zst": LINES,
    "garbage.jsonl.gz": LINES,
    "garbage.zip": LINES,
    "lying.zip": make_lying_zip(),
    "link.zip": make_zip_with_link(),
    "up.zip": make_zip(("a.jsonl", LINES), ("x/../../b.jsonl", LINES)),
    "bomb.zip": make_zip(("a.jsonl", LINES), ("b.jsonl", b"0" * 20_000_000)),
    "bomb.jsonl.gz": gzip.compress(LINES + b"\0" * 20_000_000),
    "bomb.jsonl.zst": zstd.compress(LINES + b"\0" * 20_000_000),
    "bomb.tar.gz": gzip.compress(make_tar(("a.jsonl", LINES), ("b.bin", b"\0" * 20_000_000))),
}


@pytest.mark.parametrize("name", BAD)
def test_refuses_the_whole_of_a_bad_file(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(BAD[name])
    reading = read(tmp_path)
    assert reading.turns == ()
    assert reading.sessions == ()
    (report,) = reading.files
    assert report.status is FileStatus.REFUSED
    assert report.reason


def test_refuses_too_many_members(tmp_path: Path) -> None:
    (tmp_path / "a.tar").write_bytes(make_tar(*((f"{number}.jsonl", b"") for number in range(20))))
    assert read(tmp_path, ReadLimits(files=10)).files[0].status is FileStatus.REFUSED


def test_refuses_more_than_a_bundle_may_hold(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(make_zip(("a.jsonl", LINES), ("b.jsonl", os.urandom(5_000))))
    assert read(tmp_path, ReadLimits(bundle_bytes=2_000)).files[0].status is FileStatus.REFUSED
