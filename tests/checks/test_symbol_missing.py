import pytest

from tests.citations.scripted import Files, make_tests, tell

BEFORE: Files = {
    "src/tax.py": (
        "def compute_tax(amount):\n    return amount\n\n\n"
        "def reset_session():\n    pass\n\n\n"
        "class LegacyCart:\n    def empty_cart(self):\n        pass\n\n\n"
        "def kept_name():\n    pass\n\n\n"
        "def renamed_before():\n    pass\n"
    ),
    "web/pay.ts": "export function payInvoice() {}\nexport function keptCall() {}\n",
    "core/lib.rs": "pub mod wire {\n    pub fn read_frame() {}\n}\n",
    "old/keeper.py": "def moved_name():\n    pass\n",
}
AFTER: Files = {
    # A comment, a docstring, a document and the title of a test keep no name alive.
    "src/tax.py": (
        '"""Replaces compute_tax."""\n\n# was: compute_tax, reset_session\n'
        "def kept_name():\n    pass\n\n\ndef renamed_after():\n    pass\n"
    ),
    "web/pay.ts": "// payInvoice is gone\nexport function keptCall() {}\n",
    "web/pay.test.ts": "it('replaces payInvoice', () => { keptCall(); });\n",
    "core/lib.rs": "pub mod wire {}\n",
    "docs/tax.md": "`compute_tax` and payInvoice are explained here.\n",
    "new/keeper.py": "def moved_name():\n    return 1\n",
    "old/keeper.py": None,
}
GONE = "is gone: removed in <step 1> on 2026-11-01 (step 1)"

LEFT_ALONE = [
    "Kept: `kept_name()`, `keptCall`, `src.tax.kept_name`.",
    "Moved, but there: `moved_name()`.",
    "Never there: `compute_duty()`, `BTreeMap::new`, `someLibrary.callIt`.",
    "`compute_tax()` was removed.",
    "We used to call `compute_tax()`.",
    "Never call `reset_session()`.",
    "`compute_tax()` is not supported.",
    "There is no `compute_tax()`.",
    "~~`compute_tax()` rounds up.~~",
    "## Resolved\n\n- `compute_tax()` rounded the wrong way.",
    "Common words: `string`, `None`, `true`, `main()`.",
    "Planned: `compute_tax()` will be added.",
]

REPORTED = [
    ("Taxes come from `compute_tax()`.", 1, f"compute_tax {GONE}"),
    ("Taxes come from `compute_tax(amount)`.", 1, f"compute_tax {GONE}"),
    ("\n\n- Carts are a `LegacyCart`.", 3, f"LegacyCart {GONE}"),
    ("Emptied by `LegacyCart.empty_cart`.", 1, f"LegacyCart.empty_cart {GONE}"),
    ("Frames come from `wire::read_frame`.", 1, f"wire::read_frame {GONE}"),
    ("Paid by `payInvoice`.", 1, f"payInvoice {GONE}"),
    ("Renamed in place: `renamed_before`.", 1, f"renamed_before {GONE}"),
    ("Says `src/tax.py::compute_tax`.", 1, f"compute_tax {GONE}"),
]


test_leaves_alone, test_reports = make_tests("symbol-missing", BEFORE, LEFT_ALONE, REPORTED, AFTER)


@pytest.mark.parametrize("kind", ["user", "feedback"])
def test_people_and_their_feedback_are_not_asked_for_names(kind: str) -> None:
    body = "Likes `compute_tax()`."
    assert tell(BEFORE, [body], AFTER, kind=kind)[body] == []
