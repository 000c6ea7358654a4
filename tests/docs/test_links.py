import re

import pytest

from tools.docs.reading import ROOT, list_anchors, list_links, list_pages, read_page

_ELSEWHERE = ("https://", "mailto:")


@pytest.mark.parametrize("page", list_pages())
def test_every_link_leads_somewhere(page: str) -> None:
    assert [
        link for link in list_links(page) if not link.startswith(_ELSEWHERE) and not leads_somewhere(page, link)
    ] == []


def leads_somewhere(page: str, link: str) -> bool:
    path, _, anchor = link.partition("#")
    target = ((ROOT / page).parent / path).resolve() if path else ROOT / page
    if not target.exists() or not target.is_relative_to(ROOT):
        return False
    return not anchor or anchor in list_anchors(str(target.relative_to(ROOT)))


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached, waiting = set[str](), {"README.md"}
    while waiting:
        page = waiting.pop()
        reached.add(page)
        for link in (link for link in list_links(page) if "://" not in link):
            target = ((ROOT / page).parent / link.partition("#")[0]).resolve()
            if target.suffix == ".md" and target.is_relative_to(ROOT):
                waiting |= {str(target.relative_to(ROOT))} - reached
    assert set(list_pages()) <= reached


def test_every_picture_is_shown_and_is_there() -> None:
    shown = {name for page in list_pages() for name in re.findall(r"images/([\w.-]+\.png)", read_page(page))}
    assert shown == {path.name for path in (ROOT / "docs" / "images").iterdir()}
