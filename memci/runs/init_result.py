"""Renders what `memci init` wrote, or would write."""

from memci.report.escape import json_text, visible
from memci.runs.init import Start


def render_start_json(done: Start) -> str:
    """Return the result as JSON."""
    files = [
        {"path": str(piece.path), "written": bool(piece.text) and not done.dry_run, "kept": piece.kept}
        | ({"text": piece.text} if done.dry_run and piece.text else {})
        for piece in done.pieces
    ]
    return json_text(
        {
            "schema": "memci/init/1",
            "dry_run": done.dry_run,
            "forge": done.forge,
            "schedule": done.cron,
            "scopes": done.scopes,
            "files": files,
            "next": list(done.steps),
        }
    )


def render_start(done: Start, *, quiet: bool) -> str:
    """Return the result as text."""
    lines: list[str] = []
    for piece in done.pieces:
        verb = "kept " if piece.kept else "would write" if done.dry_run else "wrote"
        lines.append(f"{verb}  {visible(str(piece.path))}" + (f": it {piece.kept}" if piece.kept else ""))
        if done.dry_run and piece.text:
            lines += [f"| {line}" for line in piece.text.rstrip("\n").split("\n")]
    if quiet:
        return "\n".join(lines) + "\n"
    if not done.scopes:
        lines += ["", "There is no memory here yet. Agents with `memory: project` make it in .claude/agent-memory."]
    minute, hour = map(int, done.cron.split(" ")[:2])
    fresh = done.forge != "gitlab" and not done.pieces[0].kept
    when = f"The dream runs every night at {hour:02}:{minute:02} UTC. " if fresh else ""
    lines += ["", f"{when}What is left to do:"]
    lines += [f"  {number}. {visible(step)}" for number, step in enumerate(done.steps, 1)]
    return "\n".join(lines) + "\n"
