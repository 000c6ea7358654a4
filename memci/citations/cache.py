"""Which names old blobs have in their code, so that a blob is not read twice."""

import json
import zlib
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from memci import __version__

# Changes whenever the same blob could give another answer within one version of memci.
_FORMAT = 2
# Some 500,000 files; reading more would take a good part of what it saves.
MAX_BYTES = 64_000_000


class NameCache(NamedTuple):
    """The answers of earlier runs."""

    names: tuple[str, ...] = ()
    # Per blob and file name: the numbers of the names that it has, each with what the code does with it.
    blobs: Mapping[str, Sequence[int]] = MappingProxyType({})


def name_blob(oid: str, path: str) -> str:
    """Return what a content is remembered by: how it is read depends on the name of its file, too."""
    return f"{oid}/{path.rpartition('/')[2]}"


def render_cache(cache: NameCache) -> bytes:
    """Return what to keep for the next run; nothing if it is too much."""
    content = {"names": cache.names, "blobs": cache.blobs}
    body = json.dumps(content, separators=(",", ":")).encode("ascii")
    data = f"{_render_head(body)}\n".encode() + body
    return data if len(data) <= MAX_BYTES else b""


def parse_cache(data: bytes) -> NameCache:
    """Read a cache; one that is damaged or from another version is empty."""
    head, _, body = data.partition(b"\n")
    if head != _render_head(body).encode():
        return NameCache()
    content = json.loads(body)
    return NameCache(tuple(content["names"]), content["blobs"])


def _render_head(body: bytes) -> str:
    return f"memci {__version__} names {_FORMAT} {zlib.crc32(body):08x}"
