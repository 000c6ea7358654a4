"""Pull requests at Gitea and Forgejo: GitHub's paths with differences."""

import urllib.parse
from collections.abc import Sequence
from dataclasses import replace

from memci.forge.answers import ForgeLabel, convert
from memci.forge.github import GitHub
from memci.forge.http import quote
from memci.forge.protocol import Draft

# Older servers have no field for drafts, only this prefix of the title.
_DRAFT = "WIP: "
_COLOUR = "#7057ff"


class Gitea(GitHub):
    """One repository at Gitea or Forgejo."""

    name = "gitea"

    def edit_pull(self, number: int, *, title: str, body: str, base: str) -> None:
        """Give a pull request another text, and the branch to merge into; a draft stays one."""
        old = self._client.read(f"{self._root}/pulls/{number}", str, "a pull request", "title")
        title = f"{_DRAFT}{title}" if old.startswith(_DRAFT) else title
        super().edit_pull(number, title=title, body=body, base=base)

    def add_labels(self, number: int, labels: Sequence[str]) -> None:
        """Add labels to those that are there; they are named by number and must exist."""
        path = f"{self._root}/labels"
        known = {label.name: label.id for label in self._client.list(path, ForgeLabel, "labels")}
        for name in labels:
            if name not in known:
                made = self._client.send("POST", path, {"name": name, "color": _COLOUR}, again=False)
                known[name] = convert(made, ForgeLabel, "a label").id
        numbers = [known[label] for label in labels]
        self._client.send("POST", f"{self._root}/issues/{number}/labels", {"labels": numbers})

    def remove_label(self, number: int, label: str) -> None:
        """Take one label away."""
        path = f"{self._root}/issues/{number}/labels"
        for item in self._client.read(path, list[ForgeLabel], "labels"):
            if item.name == label:
                self._client.send("DELETE", f"{path}/{item.id}")

    def compare_url(self, base: str, branch: str, title: str) -> str:
        """Return the page on which a person can open the pull request."""
        return f"{self._web}/compare/{quote(base)}...{quote(branch)}?{urllib.parse.urlencode({'title': title})}"

    def _describe(self, draft: Draft) -> dict[str, object]:
        title = f"{_DRAFT}{draft.title}" if draft.draft else draft.title
        return super()._describe(replace(draft, title=title, draft=False))
