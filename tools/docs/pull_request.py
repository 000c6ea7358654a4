"""Renders the texts of real pull requests: dreams over the example, with recorded replies of a model and without."""

import tempfile
from dataclasses import replace
from pathlib import Path

from memci.git.workspace import open_workspace
from memci.report.pull_request_body import render_body, render_title
from memci.report.summary_parts import ForgeLinks
from memci.runs.validate import join_bundles, read_bundles
from tools.docs.sandbox import SHOP, make_sandbox

_INTRODUCTION = """# A pull request

This is what a reviewer gets: the text of the pull request for [the example](../examples/shop/README.md), made with the
recorded replies of a model, and below it [the one without a model](#without-a-model). `make docs` makes them again.
The addresses are made up, so the links lead nowhere.
They begin like this on a [wide](images/pull-request.png) [screen](images/pull-request-local.png) and on a
[phone](images/pull-request-phone.png).

## With a model
"""


def render_pull_request() -> str:
    """Return the page: both pull requests, each behind a line."""
    model, local = _render(f"--replay {SHOP / 'replies'}"), _render("--engine local")
    return f"{_INTRODUCTION}\n{model}\n## Without a model\n\n{local}"


def _render(engine: str) -> str:
    """Dream over the example, replay the bundle as `memci publish` does, and render title and text."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name).resolve()
        sandbox = make_sandbox(directory)
        sessions = directory / "home" / ".claude" / "projects" / "-home-me-shop"
        dream = f"memci dream {engine} --transcripts {sessions} --force --bundle ../bundle"
        (done,) = sandbox.run([dream])
        assert done.code == 0, done.out
        workspace = open_workspace(sandbox.repository)
        assert workspace.repository is not None
        bundles, lost = read_bundles([directory / "bundle"])
        joined = join_bundles(bundles, lost, workspace, workspace.repository)
        links = ForgeLinks("github", "https://forge.example.com/spoke/shop", "memci/dream", bundles[0].run.base)
        body = render_body(replace(joined.story, links=links))
    return f"Title: **{render_title(joined.plans)}**\n\n---\n\n{body}"
