"""Cited lines: whether they are where they were when they were cited."""

import re
from collections.abc import Collection
from pathlib import Path

from memci.drift.blocks import BlockState, find_block
from memci.drift.past import Past
from memci.drift.worktree import MAX_BYTES, iter_worktree
from memci.model import Claim, Reason, Unreadable, Verdict, VerdictKind


def judge_lines(claim: Claim, path: str, root: Path, past: Past | None, named: Collection[str]) -> Verdict:
    """Judge `path:12-30` in a file that is there; `named` are the symbols that the memory names beside it."""
    ((_, data),) = iter_worktree(root, [path], MAX_BYTES)
    if isinstance(data, Unreadable):
        return Verdict(claim, VerdictKind.VERIFIED, target=path)
    now = data.decode("utf-8", "replace")
    first, last = claim.lines
    count = now.count("\n") + (not now.endswith("\n") and now != "")
    before = past.texts.get(claim) if past else None
    if before is not None:
        block = find_block(before, now, first, last)
        if block.state is BlockState.MOVED and _is_meant(before, first, last, named):
            target = f"{claim.text}:{write_range(*block.lines)}"
            return Verdict(claim, VerdictKind.MOVED, Reason.LINES_MOVED, target, held_at=path, proven=True)
    if last > count:
        lines = f"{path} has {count} lines"
        return Verdict(claim, VerdictKind.MISSING, Reason.SHORTER, held_at=lines)
    return Verdict(claim, VerdictKind.VERIFIED, target=path)


def _is_meant(text: str, first: int, last: int, named: Collection[str]) -> bool:
    """Whether the cited lines had what is named beside them; if not, they were off from the start."""
    block = "\n".join(text.split("\n")[first - 1 : last])
    return not named or any(re.search(rf"\b{re.escape(name)}\b", block) for name in named)


def write_range(first: int, last: int) -> str:
    """Write lines as people cite them: `12` or `12-30`."""
    return str(first) if first == last else f"{first}-{last}"
