"""Pull requests at Gitea and Forgejo: GitHub's paths with differences."""

import urllib.parse
from collections.abc import Sequence
from dataclasses import replace

from memci.forge.github import GitHub
from memci.forge.http import quote, reading
from memci.forge.protocol import Draft

# Older servers have no field for it; the title has always said so.
_DRAFT = "WIP: "
_COLOUR = "#7057ff"


class Gitea(GitHub):
    """One repository at Gitea or Forgejo."""

    name = "gitea"
    _limit = "limit"

    def edit_pull(self, number: int, *, title: str, body: str, base: str) -> None:
        """Give a pull request another text, and the branch to merge into; a draft stays one."""
        with reading("a pull request"):
            old = str(self._client.get(f"{self._root}/pulls/{number}").value["title"])
        title = f"{_DRAFT}{title}" if old.startswith(_DRAFT) else title
        super().edit_pull(number, title=title, body=body, base=base)

    def add_labels(self, number: int, labels: Sequence[str]) -> None:
        """Add labels to those that are there; they are named by number and must exist."""
        with reading("labels"):
            known = {str(item["name"]): int(item["id"]) for item in self._pages("/labels", {})}
            for label in labels:
                if label not in known:
                    wanted = {"name": label, "color": _COLOUR}
                    made = self._client.send("POST", f"{self._root}/labels", wanted, again=False).value
                    known[label] = int(made["id"])
        numbers = [known[label] for label in labels]
        self._client.send("POST", f"{self._root}/issues/{number}/labels", {"labels": numbers})

    def remove_label(self, number: int, label: str) -> None:
        """Take one label away."""
        with reading("labels"):
            for item in self._client.get(f"{self._root}/issues/{number}/labels").value:
                if item["name"] == label:
                    self._client.send("DELETE", f"{self._root}/issues/{number}/labels/{int(item['id'])}")

    def compare_url(self, base: str, branch: str, title: str) -> str:
        """Return the page on which a person can open the pull request."""
        return f"{self._web}/compare/{quote(base)}...{quote(branch)}?{urllib.parse.urlencode({'title': title})}"

    def _describe(self, draft: Draft) -> dict[str, object]:
        title = f"{_DRAFT}{draft.title}" if draft.draft else draft.title
        return super()._describe(replace(draft, title=title, draft=False))
