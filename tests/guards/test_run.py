from pathlib import PurePosixPath

from hypothesis import given
from hypothesis import strategies as st

from memci.guards.run import find_refusal
from memci.model.plan import Evidence, EvidenceKind, Operation, OperationKind
from tests.guards.scene import FILES, INDEX, at, finding, make_context, said

SIGNAL = said("never push directly to main, always open a pull request")
FINDING = finding("path-missing", "project_invoices.md", 7, "gone", key="billing/render_pdf.py")
CONTEXT = make_context(SIGNAL, findings=[FINDING], guides="- Use tabs.\n")
_PATHS = st.sampled_from(
    (*map(at, FILES), INDEX, at("new.md"), at("\0"), PurePosixPath("CLAUDE.md"), PurePosixPath("/"), PurePosixPath("."))
)
_LINES = (
    "---",
    "name: a",
    "description: b",
    "metadata:",
    "  type: user",
    "",
    "```",
    "<!--",
    "- [a](user_zone.md)",
    "# x",
    "\ud800",
    "\0",
    "Never push to main.",
)
_TEXTS = st.one_of(
    st.none(),
    st.text(max_size=30),
    st.lists(st.sampled_from(_LINES), max_size=9).map("\n".join),
    st.tuples(st.sampled_from(sorted(FILES.values())), st.sampled_from(_LINES)).map("\n".join),
)
_EVIDENCE = st.builds(
    Evidence,
    st.sampled_from(EvidenceKind),
    st.sampled_from((SIGNAL.id, FINDING.fingerprint, str(at("user_zone.md")), "", "\0", "..")),
    st.sampled_from((SIGNAL.text, "gone", "Works from Lisbon", "", "\ud800")),
)
_OPERATIONS = st.builds(
    Operation,
    st.sampled_from(OperationKind),
    _PATHS,
    st.dictionaries(_PATHS, _TEXTS, max_size=3),
    st.sampled_from(("why", "", "\ud800", "a\nb")),
    st.lists(_EVIDENCE, max_size=3).map(tuple),
)


@given(_OPERATIONS)
def test_every_operation_gets_the_same_answer_twice_and_none_is_too_odd(operation: Operation) -> None:
    refusal = find_refusal(operation, CONTEXT)
    assert find_refusal(operation, CONTEXT) == refusal
    if refusal is None:
        assert operation.evidence
        assert all(path.parent == CONTEXT.scope for path in operation.texts)
