import pytest

from tools.docs.generate import PAGES, PARTS, render_page
from tools.docs.reading import list_pages, read_page


@pytest.mark.parametrize("page", sorted({*list_pages(), *PAGES}))
def test_generated_pages_parts_and_outputs_are_up_to_date(page: str) -> None:
    assert read_page(page) == render_page(page), "run `make docs`"


@pytest.mark.parametrize("part", PARTS)
def test_every_part_stands_somewhere_once(part: str) -> None:
    assert sum(read_page(page).count(f"<!-- begin {part} -->\n") for page in list_pages()) == 1
