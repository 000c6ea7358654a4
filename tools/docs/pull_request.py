"""Renders the text of a real pull request: a dream over the example with the recorded replies of a model."""

import tempfile
from dataclasses import replace
from pathlib import Path

from memci.git.workspace import open_workspace
from memci.report.forge_links import ForgeLinks
from memci.report.pull_request_body import render_body, render_title
from memci.runs.validate import join_bundles, read_bundles
from tools.docs.sandbox import SHOP, make_sandbox

_INTRODUCTION = """# A pull request

This is what a reviewer gets: the text of the pull request for [the example](../examples/shop/README.md), made with the
recorded replies of a model. `make docs` makes it again. The addresses are made up, so the links lead nowhere.
It begins like this on [a wide screen](images/pull-request.png) and on [a phone](images/pull-request-phone.png).

Title: **{title}**

---

"""


def render_pull_request() -> str:
    """Dream over the example, replay the bundle as `memci publish` does, and render the text."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name).resolve()
        sandbox = make_sandbox(directory)
        sessions = directory / "home" / ".claude" / "projects" / "-home-me-shop"
        dream = f"memci dream --replay {SHOP / 'replies'} --transcripts {sessions} --force --bundle ../bundle"
        (done,) = sandbox.run([dream])
        assert done.code == 0, done.out
        workspace = open_workspace(sandbox.repository)
        assert workspace.repository is not None
        bundles, lost = read_bundles([directory / "bundle"])
        joined = join_bundles(bundles, lost, workspace, workspace.repository)
        links = ForgeLinks("github", "https://forge.example.com/spoke/shop", "memci/dream", bundles[0].run.base)
        body = render_body(replace(joined.story, links=links))
    return _INTRODUCTION.format(title=render_title(joined.plans)) + body
