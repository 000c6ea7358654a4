import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.redaction.hidden import Hidden, _is_plain, _watch, find_hidden, strip_hidden

ENGLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
# Characters whose verdict depends on their neighbours, and neighbours that matter.
TRICKY = (
    "a1#\n"
    + ENGLAND
    + "\u200b\u200c\u200d\ufe0e\ufe0f\u0301\u0302\U0001f469\U0001f4bb\U0001f3fd\u2764\u0915\u094d\u05d0\u200e\u200f"
)
TRICKY += "\u061c\u4e00\U000e0100\U000e01ef\u1820\u180b\u180e\u20e3\ufeff\u0e01\u0627\u0600\u3164"
TRICKY += "\x00\x85\ud800\ue000\ufdd0\u2028"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain\ttext\r\nand more",
        "Zoë Nuñez, 東京, Привет, e\u0301",
        "family 👩\u200d👩\u200d👧\u200d👦 and 👩🏽\u200d💻",
        "❤\ufe0f\u200d🔥 ☎\ufe0e ©\ufe0f ↔\ufe0f 1\ufe0f\u20e3 #\ufe0f\u20e3",
        f"flags 🇩🇪 and {ENGLAND}",
        "می\u200cخواهم",
        "क\u094d\u200dष",
        "ภาษา\u200bไทย",
        "שלום C++\u200f!",
        "葛\U000e0100城市",
        "ᠠ\u180b",
        "no-break\u00a0space, ideographic\u3000space, thin\u2009space",
        "\ufeffstarts with a byte order mark",
        "newer emoji \U0001fae8\U0001fadf",
        "number sign \u0600\u0661",
    ],
)
def test_leaves_alone(text: str) -> None:
    assert find_hidden(text) == []
    assert strip_hidden(text) == text


@pytest.mark.parametrize(
    ("text", "kind", "code_points"),
    [
        ("a\u200bb", "zero-width", ("U+200B",)),
        ("a\u200db", "zero-width", ("U+200D",)),
        ("a\u2060\u2063b", "zero-width", ("U+2060", "U+2063")),
        ("a\ufeffb", "zero-width", ("U+FEFF",)),
        ("a\u202eb", "bidi", ("U+202E",)),
        ("a\u200eb", "bidi", ("U+200E",)),
        ("a\u061cb", "bidi", ("U+061C",)),
        ("a\U000e0041\U000e0042b", "tag", ("U+E0041", "U+E0042")),
        ("\U0001f3f4\U000e0070\U000e007f", "tag", ("U+E0070", "U+E007F")),
        ("a\ufe0fb", "variation-selector", ("U+FE0F",)),
        ("1\ufe0f2", "variation-selector", ("U+FE0F",)),
        ("😀\ufe0f\ufe0e", "variation-selector", ("U+FE0E",)),
        ("😀\U000e0168\U000e0169", "variation-selector", ("U+E0168", "U+E0169")),
        ("葛\U000e01ef", "variation-selector", ("U+E01EF",)),
        ("soft\u00adhyphen", "format", ("U+00AD",)),
        ("a\u3164b", "filler", ("U+3164",)),
        ("a\u034fb", "filler", ("U+034F",)),
        ("a\u180eb", "zero-width", ("U+180E",)),
        ("a\ufff9b", "format", ("U+FFF9",)),
        ("a\u206ab", "format", ("U+206A",)),
        ("a\ue0b0b", "private-use", ("U+E0B0",)),
        ("a\u0378b", "unassigned", ("U+0378",)),
        ("a\uffffb", "unassigned", ("U+FFFF",)),
        ("a\x00\x1bb", "control", ("U+0000", "U+001B")),
        ("a\x85b", "control", ("U+0085",)),
        ("a\ud800b", "surrogate", ("U+D800",)),
        ("a\u2028b", "line-separator", ("U+2028",)),
        ("a" + "\u0301" * 6, "stacked-mark", ("U+0301",)),
    ],
)
def test_finds(text: str, kind: str, code_points: tuple[str, ...]) -> None:
    (found,) = find_hidden(text)
    assert (found.kind, found.code_points) == (kind, code_points)
    assert strip_hidden(text) == text[: found.start] + text[found.end :]


def test_joins_neighbours_of_one_kind() -> None:
    assert find_hidden("ab\u200b\u200b\u200bc\u202e") == [
        Hidden(2, 5, "zero-width", ("U+200B",)),
        Hidden(6, 7, "bidi", ("U+202E",)),
    ]


def test_every_tag_and_selector_behind_a_letter_is_found() -> None:
    codes = [0xE0001, *range(0xE0020, 0xE0080), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]
    assert [code for code in codes if not find_hidden("a" + chr(code))] == []


@given(st.text(st.one_of(st.sampled_from(TRICKY), st.characters(codec=None))))
def test_stripping_leaves_nothing_to_strip(text: str) -> None:
    clean = strip_hidden(text)
    assert find_hidden(clean) == []
    assert strip_hidden(clean) == clean


@given(st.text(st.sampled_from(TRICKY)))
def test_stripping_removes_what_was_found_and_nothing_else(text: str) -> None:
    hidden = {at for run in find_hidden(text) for at in range(run.start, run.end)}
    assert strip_hidden(text) == "".join(c for at, c in enumerate(text) if at not in hidden)


@pytest.mark.parametrize("unit", ["\u200b", "a\u0301", "א\u200f", "👩\u200d", "\U000e0041", "\x00"])
def test_hostile_text_is_read_in_one_pass(unit: str) -> None:
    assert strip_hidden(unit * 65_536) == strip_hidden(strip_hidden(unit * 65_536))


@pytest.mark.parametrize("character", [chr(code) for code in range(128)])
def test_only_control_characters_can_hide_something_in_ascii(character: str) -> None:
    assert _is_plain(f"a{character}b") is (_watch(character) is None)
