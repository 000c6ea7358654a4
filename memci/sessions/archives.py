"""Reads compressed transcripts and bundles member by member in memory; nothing is ever unpacked to disk.

A bundle is used as a whole or not at all: links, special members, names that lead out of it, broken data and bombs
make it refused, no matter what was read before.
"""

import gzip
import io
import lzma
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

from memci.sessions.json_lines import File, Stream
from memci.sessions.read_result import ReadLimits

TAR_NAMES = (".tar", ".tar.gz", ".tgz", ".tar.zst", ".tzst")
ZIP_NAMES = (".zip",)
MAGICS = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PK\x03\x04", b"BZh", b"\xfd7zXZ")
# A small file of similar records compresses very well.
_SLACK = 1 << 20
# The standard library reads headers whole; a name never needs more.
_MAX_HEADER = 1 << 20
# The window of `zstd -19` has 8 MB; one of 2 GB could exhaust memory.
_MAX_WINDOW_LOG = 26
# The type of a file in a zip: not given, or regular.
_REGULAR = (0, 0o10)


class RefusedError(Exception):
    """A file that is refused, with the reason."""


@contextmanager
def refusing() -> Iterator[None]:
    """Turn the exceptions of broken archives into a refusal."""
    try:
        yield
    except (tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError) as error:
        raise RefusedError(f"it is broken: {error}") from error
    except (NotImplementedError, RuntimeError, ValueError, OverflowError, MemoryError) as error:
        # Encrypted members, unknown methods, invalid numbers: the libraries have no common error.
        raise RefusedError(f"it cannot be unpacked: {error}") from error
    except _zstd_errors() as error:
        raise RefusedError(f"it is broken: {error}") from error


def _zstd_errors() -> tuple[type[Exception], ...]:
    # Evaluated only when something is raised; without zstd data the library is never loaded.
    module = sys.modules.get("compression.zstd") or sys.modules.get("backports.zstd")
    return (module.ZstdError,) if module else ()


class Unpacked:
    """A decompressed stream with a limit on its size."""

    def __init__(self, stream: Stream, allowed: int) -> None:
        self._stream = stream
        self.left = allowed

    def read(self, size: int = -1, /) -> bytes:
        """Return up to `size` bytes, never very many at once."""
        with refusing():
            return self._count(self._stream.read(size if 0 <= size < _SLACK else _SLACK))

    def readline(self, size: int, /) -> bytes:
        """Return up to `size` bytes, at most one line."""
        with refusing():
            return self._count(self._stream.readline(size))

    def peek(self, size: int, /) -> bytes:
        """Return about `size` bytes without consuming them."""
        with refusing():
            return self._stream.peek(size)

    def _count(self, data: bytes) -> bytes:
        self.left -= len(data)
        if self.left < 0:
            raise RefusedError("it unpacks to more than it can honestly hold")
        return data


def unpack_limit(size: int, limits: ReadLimits) -> int:
    """Return how large a compressed file may become."""
    return min(size * limits.ratio + _SLACK, limits.bundle_bytes)


def decompress(file: File, name: str, allowed: int) -> Unpacked:
    """Return the content of a file with the name of a compressed one."""
    if not name.endswith((".zst", ".tzst")):
        return Unpacked(gzip.GzipFile(fileobj=file), allowed)
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    options: dict[int, int] = {zstd.DecompressionParameter.window_log_max: _MAX_WINDOW_LOG}
    with refusing():
        return Unpacked(zstd.ZstdFile(file, options=options), allowed)


class _Header(tarfile.TarInfo):
    """A header that is refused if it is huge, before the library reads it into memory."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        """Read a header."""
        header = super().frombuf(buf, encoding, errors)
        if header.type not in tarfile.REGULAR_TYPES and header.size > _MAX_HEADER:
            raise RefusedError("it has a header of more than a megabyte")
        return header


def read_members(file: File, name: str, size: int, limits: ReadLimits) -> Iterator[tuple[str, Unpacked]]:
    """Yield names and contents of the members of a bundle; each must be read before the next is requested."""
    with refusing():
        yield from read_zip(file, size, limits) if name.endswith(ZIP_NAMES) else read_tar(file, name, size, limits)


def read_tar(file: File, name: str, size: int, limits: ReadLimits) -> Iterator[tuple[str, Unpacked]]:
    """Yield names and contents of the regular members of a tar."""
    plain = name.endswith(".tar")
    source = Unpacked(file, size) if plain else decompress(file, name, unpack_limit(size, limits))
    # In this mode the library only calls `read`.
    with tarfile.open(fileobj=source, mode="r|", tarinfo=_Header) as archive:  # type: ignore[call-overload]
        for count, member in enumerate(archive):
            _check_name(member.name, count, limits)
            if member.isdir():
                continue
            if not member.isreg() or member.issparse():
                raise RefusedError(f"it holds a link or a special member: {member.name}")
            content = archive.extractfile(member)
            if isinstance(content, io.BufferedReader):
                yield member.name, Unpacked(content, member.size)
    # The library stops at the end mark, but the checksum of the compression is at the end.
    while source.read(_SLACK):
        pass


def read_zip(file: File, size: int, limits: ReadLimits) -> Iterator[tuple[str, Unpacked]]:
    """Yield names and contents of the members of a zip."""
    left = unpack_limit(size, limits)
    with zipfile.ZipFile(file) as archive:
        members = archive.infolist()
        for count, member in enumerate(members):
            _check_name(member.filename, count, limits)
            if member.external_attr >> 28 not in _REGULAR and not member.is_dir():
                raise RefusedError(f"it holds a link or a special member: {member.filename}")
        for member in members:
            if not member.is_dir():
                with archive.open(member) as content:
                    if not isinstance(content, zipfile.ZipExtFile):
                        continue
                    # The sizes in the directory are not trusted; the stream counts.
                    stream = Unpacked(content, left)
                    yield member.filename, stream
                    left = stream.left


def _check_name(name: str, count: int, limits: ReadLimits) -> None:
    if count >= limits.files:
        raise RefusedError(f"it holds more than {limits.files} members")
    if name.startswith("/") or ".." in name.split("/"):
        raise RefusedError(f"it holds a name that leads out of it: {name}")
