import dataclasses
import datetime as dt

import pytest

from memci.guards.rules.retire_proof import GUARD
from memci.model.finding import Finding
from memci.model.plan import Evidence, EvidenceKind, Operation, OperationKind
from memci.model.session import Signal, SignalKind
from tests.build import topic_text
from tests.guards.attacks_flagged import flag_all
from tests.guards.scene import FILES, by, change, check, edit, finding, make_context, said

DEAD = finding("path-missing", "project_invoices.md", 7, "gone", key="billing/render_pdf.py")
OVER = finding("date-expired", "project_freeze.md", 7, "over")
MOVED = finding("path-moved", "project_invoices.md", 7, "moved", key="billing/render_pdf.py")
FORGET = said("forget the rule about commit messages, imperative mood and 60 characters", kind=SignalKind.FORGET)
SWITCH = said("from now on install dependencies with pnpm, never with npm", reverses=True)
OTHER = said("use tabs for indentation", reverses=True)
INVOICES = "Invoices are rendered by `billing/render_pdf.py`."
LAYOUT = "The layout was agreed with accounting and must stay A4."


def update(
    file: str, *changes: tuple[str, str], by_what: Signal | Finding, kind: OperationKind = OperationKind.UPDATE
) -> Operation:
    return change(kind, file, {file: edit(file, *changes)}, by(by_what))


@pytest.mark.parametrize(
    "operation",
    [
        # More is said, nothing is lost.
        update("user_zone.md", ("starts late.", "starts late.\nNo meetings."), by_what=OTHER),
        update("user_zone.md", ("starts late.", "starts late, ends late."), by_what=OTHER),
        # Other form, same words.
        update("user_zone.md", ("Works from Lisbon, starts late.", "- works from Lisbon, starts late"), by_what=OTHER),
        # Proved by the repository, by the calendar, by the person.
        update("project_invoices.md", (f"{INVOICES} ", ""), by_what=DEAD, kind=OperationKind.RETIRE),
        update("project_freeze.md", ("Merge freeze until 2026-03-05 for the mobile release.\n\n", ""), by_what=OVER),
        change(OperationKind.RETIRE, "feedback_commits.md", {"feedback_commits.md": None}, by(FORGET)),
        # A reason goes with its rule.
        change(OperationKind.RETIRE, "feedback_installing.md", {"feedback_installing.md": None}, by(SWITCH)),
        # Said in a topic that is quoted.
        change(
            OperationKind.RETIRE,
            "feedback_errors.md",
            {"feedback_errors.md": None},
            by(("feedback_error_wrapping.md", "Wrap errors with `%w`")),
        ),
    ],
)
def test_nothing_lost_or_proved_wrong_passes(operation: Operation) -> None:
    assert check(GUARD, operation, make_context(FORGET, SWITCH, OTHER, findings=[DEAD, OVER])) is None


@pytest.mark.parametrize(
    "operation",
    [
        change(OperationKind.RETIRE, "user_zone.md", {"user_zone.md": None}, by(OTHER)),
        change(OperationKind.RETIRE, "user_zone.md", {"user_zone.md": None}, by(FORGET)),
        update("project_invoices.md", (f" {LAYOUT}", ""), by_what=DEAD),
        update("project_invoices.md", (f"{INVOICES} ", ""), by_what=MOVED),
        update("project_freeze.md", ("Release manager for mobile is Ana.", ""), by_what=OVER),
        update("project_deploys.md", ("need an approval", "need no approval"), by_what=OTHER),
        update("project_deploys.md", ("never run", "run"), by_what=OTHER),
        update("user_zone.md", ("starts late.", "starts late.\nMore."), by_what=FORGET, kind=OperationKind.RETIRE),
        change(
            OperationKind.RETIRE, "feedback_errors.md", {"feedback_errors.md": None}, by(("user_zone.md", "Works from"))
        ),
        # The rest of the sentence takes it back.
        update(
            "project_deploys.md",
            ("Deploys need an approval by Marta.", "Nobody says that deploys need an approval by Marta."),
            by_what=OTHER,
        ),
    ],
)
def test_an_unproved_loss_is_refused(operation: Operation) -> None:
    assert check(GUARD, operation, make_context(FORGET, SWITCH, OTHER, findings=[DEAD, OVER, MOVED]))


@pytest.mark.parametrize("heading", ["Never:\n\n", "## Never\n\n", "```\n"])
def test_what_stands_above_a_line_belongs_to_it(heading: str) -> None:
    operation = update("project_deploys.md", ("- Deploys need", f"{heading}- Deploys need"), by_what=OTHER)
    assert check(GUARD, operation, make_context(OTHER))


def test_lines_that_stay_keep_their_order() -> None:
    files = {**FILES, "a.md": topic_text("## Do\n\n- Run the tests first.\n\n## Do not\n\n- Push to the main branch.")}
    swapped = topic_text("## Do\n\n- Push to the main branch.\n\n## Do not\n\n- Run the tests first.")
    assert check(
        GUARD, change(OperationKind.UPDATE, "a.md", {"a.md": swapped}, by(OTHER)), make_context(OTHER, files=files)
    )


def test_a_reason_may_stay_below_its_rule_and_another_one() -> None:
    rule, new = "Install dependencies with npm install, never with pnpm.", "Caches are kept for a week."
    signal = said("caches are kept for a week")
    both = edit("feedback_installing.md", (rule, f"{rule}\n\n{new}"))
    operation = change(OperationKind.UPDATE, "feedback_installing.md", {"feedback_installing.md": both}, by(signal))
    assert check(GUARD, operation, make_context(signal)) is None
    torn = edit("feedback_installing.md", (f"{rule}\n\n", f"{rule}\n\n**Why:** so.\n\n{new}\n\n"))
    operation = change(OperationKind.UPDATE, "feedback_installing.md", {"feedback_installing.md": torn}, by(signal))
    assert check(GUARD, operation, make_context(signal))


def test_a_merge_keeps_every_line() -> None:
    kept = FILES["feedback_errors.md"] + "Sentinel errors are compared with `errors.Is`.\n"
    quoted = by(("feedback_errors.md", "Wrap errors"))
    texts = {"feedback_errors.md": kept, "feedback_error_wrapping.md": None}
    assert check(GUARD, change(OperationKind.MERGE, "feedback_errors.md", texts, quoted), make_context()) is None
    texts["feedback_errors.md"] = FILES["feedback_errors.md"]
    assert check(GUARD, change(OperationKind.MERGE, "feedback_errors.md", texts, quoted), make_context())


def test_whole_lines_may_move_below_their_heading() -> None:
    files = {**FILES, "a.md": topic_text("## Do\n\n- Run the tests first.\n- Tag the release.\n\n## Do not\n\n- Push.")}
    moved = topic_text("## Do\n\n- Tag the release.\n- Run the tests first.\n\n## Do not\n\n- Push.")
    operation = change(OperationKind.UPDATE, "a.md", {"a.md": moved}, by(OTHER))
    assert check(GUARD, operation, make_context(OTHER, files=files)) is None


RULE = "Deploys need an approval by Marta."


@pytest.mark.parametrize(
    ("text", "old", "new", "passes"),
    [
        ("the coverage threshold in ci is 85", "threshold in ci is 80%.", "threshold in ci is 85%.", True),
        ("the linter threshold is 85", "threshold in ci is 80%.", "of the linter is 85.", False),
        ("ben approves the deploys now, not marta", RULE, "Deploys need an approval by Ben.", True),
        ("ben likes the approval of deploys", RULE, "Deploys need an approval by Ben.", False),
        ("are deploys still approved by marta now?", RULE, "Deploys need an approval.", False),
    ],
)
def test_a_newer_fact_replaces_a_line_and_a_rule_only_by_a_change(
    text: str, old: str, new: str, *, passes: bool
) -> None:
    file = "project_deploys.md" if old == RULE else "project_coverage.md"
    signal = said(text)
    context = make_context(signal)
    operation = flag_all(update(file, (old, new), by_what=signal), context)
    assert (check(GUARD, operation, context) is None) is passes


def test_a_quoted_line_may_be_reworded() -> None:
    line = "Release manager for mobile is Ana."
    for new, passes in (("Ana is the release manager for mobile.", True), ("Mobile has a release manager.", False)):
        texts = {"project_freeze.md": edit("project_freeze.md", (line, new))}
        operation = change(OperationKind.UPDATE, "project_freeze.md", texts, by(OTHER, ("project_freeze.md", line)))
        assert (check(GUARD, operation, make_context(OTHER)) is None) is passes


LIMIT = "A proof passes when no patch is further than 3.0 from the profile."
_DIFF = "commit:164e03f"
CHANGED = "-delta_max = 3.0\n+delta_max = 2.0"


@pytest.mark.parametrize(
    ("new", "answer", "confirmed", "passes"),
    [
        ("A proof passes when no patch is further than 2.0 from the profile.", CHANGED, 1, 1),
        # Nobody confirmed that it replaces the line.
        ("A proof passes when no patch is further than 2.0 from the profile.", CHANGED, 0, 0),
        # Another rule, whatever is confirmed.
        ("A proof passes when a patch is further than 2.0 from the profile.", CHANGED, 1, 0),
        # The repository says nothing about it.
        ("A proof passes when no patch is further than 2.0 from the profile.", "+retries = 5", 1, 0),
    ],
)
def test_a_value_is_exchanged_where_the_repository_has_another_one(
    new: str, answer: str, confirmed: int, passes: int
) -> None:
    files = {**FILES, "proofs.md": topic_text(LIMIT, name="proofs", description="when a proof passes", kind="project")}
    evidence = (Evidence(EvidenceKind.LOOKUP, _DIFF, answer.rsplit("\n", maxsplit=1)[-1]), *by(("proofs.md", LIMIT)))
    operation = change(
        OperationKind.UPDATE, "proofs.md", {"proofs.md": files["proofs.md"].replace(LIMIT, new)}, evidence
    )
    context = dataclasses.replace(make_context(files=files), lookups={_DIFF: answer})
    operation = flag_all(operation, context) if confirmed else operation
    assert (check(GUARD, operation, context) is None) is bool(passes)


def test_a_line_that_stays_may_be_what_holds_instead() -> None:
    rule = "Positions are dictated over the radio as decimal degrees with five places."
    files = {
        **FILES,
        "links.md": topic_text(f"Links are plain.\n\n{rule}", name="links"),
        "radio.md": topic_text("Positions are dictated over the radio in degrees and minutes.", name="radio"),
    }
    signal = said("degrees and minutes of course, the other note about positions is wrong")
    evidence = by(signal, ("radio.md", "Positions are dictated over the radio in degrees and minutes."))
    operation = change(
        OperationKind.UPDATE, "links.md", {"links.md": files["links.md"].replace(f"\n\n{rule}", "")}, evidence
    )
    context = make_context(signal, files=files)
    assert check(GUARD, operation, context)
    assert check(GUARD, flag_all(operation, context), context) is None


@pytest.mark.parametrize(("today", "passes"), [("2026-11-09", True), ("2026-11-01", False)])
def test_a_day_that_is_over_needs_no_other_proof_if_a_reader_agrees(today: str, *, passes: bool) -> None:
    note = "The long night is on Saturday 7 November 2026, doors open until one."
    files = {**FILES, "night.md": topic_text(note, name="night", description="the long night", kind="project")}
    operation = change(OperationKind.RETIRE, "night.md", {"night.md": None}, by(("night.md", note)))
    context = dataclasses.replace(make_context(files=files), today=dt.date.fromisoformat(today))
    assert check(GUARD, operation, context)
    assert (check(GUARD, flag_all(operation, context), context) is None) is passes


@pytest.mark.parametrize(
    ("before", "answer", "passes"),
    [
        ("The notes say that a claim without a receipt is refused. Shall I put the check back?", "dropped", True),
        ("The notes say that a claim without a receipt is refused. Shall I put the check back?", "wanted", False),
    ],
    ids=["dropped", "no change"],
)
def test_an_answer_ends_the_line_that_the_agent_had_just_repeated(before: str, answer: str, *, passes: bool) -> None:
    old = topic_text("A claim without a receipt is refused.", name="claims", description="claims")
    new = old.replace("A claim without a receipt is refused.", "A receipt is not mandatory.")
    signal = dataclasses.replace(said(f"no no. that is not mandatory, we {answer} it last week"), before=before)
    context = make_context(signal, files={**FILES, "project_claims.md": old})
    made = change(OperationKind.UPDATE, "project_claims.md", {"project_claims.md": new}, by(signal))
    assert (check(GUARD, flag_all(made, context), context) is None) is passes


@pytest.mark.parametrize(
    ("new", "passes"),
    [
        # What the topic is about tells that it replaces the line.
        ("Export files of the ledger are numbered by the day.", 1),
        # True, and about something else.
        ("Ana waters the plants of the office.", 0),
    ],
)
def test_other_words_may_replace_a_line_if_its_topic_is_about_them(new: str, passes: int) -> None:
    line = "The next four-digit counter is taken."
    description = "how export files of the ledger get their names"
    files = {**FILES, "exports.md": topic_text(line, name="exports", description=description, kind="project")}
    signal = said("we number the export files of the ledger by the day, and ana waters the plants of the office")
    context = make_context(signal, files=files)
    texts = {"exports.md": files["exports.md"].replace(line, new)}
    operation = flag_all(change(OperationKind.UPDATE, "exports.md", texts, by(signal)), context)
    assert (check(GUARD, operation, context) is None) is bool(passes)


@pytest.mark.parametrize(
    ("line", "words", "new", "passes"),
    [
        (
            "She does not read Finnish.",
            "stop translating finnish for me, i passed the exam and read everything here myself",
            "She reads everything in Finnish herself.",
            1,
        ),
        (
            "The meters follow summer time: one hour is missing in March.",
            "that note in the memory is wrong, meters never switch to summer time",
            "",
            1,
        ),
        (
            "Never read Finnish mails to customers.",
            "yesterday the customer sent us another finnish mail",
            "She reads Finnish mails.",
            0,
        ),
        ("The meters follow summer time.", "that note about meters in summer time is not wrong", "", 0),
    ],
)
def test_a_persons_own_later_words_are_proof(line: str, words: str, new: str, passes: int) -> None:
    body = f"Priya looks after the meters.\n\n{line}"
    files = {**FILES, "user_priya.md": topic_text(body, name="priya", description="who Priya is")}
    signal = said(words)
    context = make_context(signal, files=files)
    texts = {"user_priya.md": files["user_priya.md"].replace(line, new)}
    operation = flag_all(change(OperationKind.UPDATE, "user_priya.md", texts, by(signal)), context)
    assert (check(GUARD, operation, context) is None) is bool(passes)


def test_what_a_line_says_between_semicolons_may_be_kept_apart() -> None:
    how = "**How to apply:** tell her what it does to the farthest house; she reads code, but late in the evening."
    said_so = "Start with what the customer notices; tell her what it does to the farthest house."
    files = {**FILES, "user_riikka.md": topic_text(f"Riikka leads.\n\n{how}", name="riikka", description="who she is")}
    signal = said("start with what the customer notices")
    context = make_context(signal, files=files)
    for rest, passes in ((" She reads code, but late in the evening.", True), ("", False)):
        texts = {"user_riikka.md": files["user_riikka.md"].replace(how, f"**How to apply:** {said_so}{rest}")}
        operation = change(OperationKind.UPDATE, "user_riikka.md", texts, by(signal))
        assert (check(GUARD, operation, context) is None) is passes


def test_a_name_in_latin_letters_tells_what_words_in_another_script_replace() -> None:
    line = "Reports are DOCX, because customers copy tables out of them."
    new = "Reports are PDF/A since November 2026; Word is not sent out any more."
    files = {**FILES, "report-format.md": topic_text(line, name="report-format", description="what is sent out")}
    signal = said("報告書の形式は11月からPDF/Aです。Wordはもう出しません")
    context = make_context(signal, files=files)
    for text, passes in ((new, True), ("The kitchen has a new kettle.", False)):
        texts = {"report-format.md": files["report-format.md"].replace(line, text)}
        operation = flag_all(change(OperationKind.UPDATE, "report-format.md", texts, by(signal)), context)
        assert (check(GUARD, operation, context) is None) is passes


@pytest.mark.parametrize(
    ("words", "passes"),
    [
        ("oh and we ship on wednesdays from next week on, mondays are over, nobody is awake then", 1),
        ("sevkiyat günü artık çarşamba, pazartesi değil", 1),
        ("the shop is closed on wednesdays", 0),
        ("on mondays we ship before 07:00 and on saturdays we wash the van", 0),
    ],
)
def test_a_day_that_is_named_beside_its_new_one_is_exchanged(words: str, passes: int) -> None:
    line = "We ship on Mondays before 07:00, never on a Sunday."
    files = {**FILES, "ship.md": topic_text(line, name="ship", description="when we ship")}
    context = make_context(said(words), files=files)
    texts = {"ship.md": files["ship.md"].replace("Mondays", "Wednesdays")}
    operation = flag_all(change(OperationKind.UPDATE, "ship.md", texts, by(said(words))), context)
    assert (check(GUARD, operation, context) is None) is bool(passes)


def test_a_number_of_a_replaced_line_that_nothing_speaks_of_has_to_stay() -> None:
    line = "Mustafa decides on claims after a repair, up to 1.500 kr. on his own."
    files = {**FILES, "claims.md": topic_text(line, name="claims", description="who decides on claims")}
    signal = said("claims after a repair go to Asger, he has them since november")
    context = make_context(signal, files=files)
    for new, passes in (
        ("Asger decides on claims after a repair.", False),
        ("Asger decides on claims after a repair, up to 1.500 kr. on his own.", True),
    ):
        texts = {"claims.md": files["claims.md"].replace(line, new)}
        operation = flag_all(change(OperationKind.UPDATE, "claims.md", texts, by(signal)), context)
        assert (check(GUARD, operation, context) is None) is passes


def test_several_lines_together_may_say_what_one_said() -> None:
    line = "The screen at the stand is touched with gloves: buttons of 64 px or more, nothing that needs a pointer."
    new = (
        "Buttons at the stand have 64 px or more: the screen is touched with gloves.\n\n"
        "Nothing on the screen at the stand needs a pointer."
    )
    files = {**FILES, "stand.md": topic_text(line, name="stand", description="the screen at the stand")}
    context = make_context(said("the kettle is in the kitchen"), files=files)
    proof = Evidence(EvidenceKind.MEMORY, f"{context.scope}/stand.md", line)
    for text, passes in ((new, True), (new.replace("64 px or more", "some size"), False)):
        texts = {"stand.md": files["stand.md"].replace(line, text)}
        operation = flag_all(change(OperationKind.UPDATE, "stand.md", texts, (proof,)), context)
        assert (check(GUARD, operation, context) is None) is passes


def test_what_another_topic_says_in_other_words_may_go_if_a_reader_agrees() -> None:
    line = "When the anemometer shows nothing for six hours and it is colder than -2 °C, it is iced."
    other = "Six hours of no wind below -2 °C mean rime on the anemometer, not calm: the value does not count."
    files = {
        **FILES,
        "rime.md": topic_text(f"{line}\n\nIt is in the valley.", name="rime", description="rime"),
        "icing.md": topic_text(other, name="icing", description="an anemometer that stands still"),
    }
    context = make_context(files=files)
    proof = Evidence(EvidenceKind.MEMORY, f"{context.scope}/icing.md", other)
    texts = {"rime.md": files["rime.md"].replace(f"{line}\n\n", "")}
    operation = change(OperationKind.RETIRE, "rime.md", texts, (proof,))
    assert check(GUARD, operation, context)
    assert check(GUARD, flag_all(operation, context), context) is None


@pytest.mark.parametrize(
    ("line", "passes"),
    [("Add `--fix-ean` when bar codes have twelve digits.", 1), ("Never pass `--fix-ean` to the import.", 0)],
)
def test_what_the_repository_does_not_have_may_go_if_it_is_no_rule_and_a_reader_agrees(line: str, passes: int) -> None:
    files = {**FILES, "import.md": topic_text(f"The import is nightly.\n\n{line}", name="import", description="import")}
    proof = Evidence(EvidenceKind.LOOKUP, "name:--fix-ean", "not in the repository at e5b1337fab")
    context = dataclasses.replace(make_context(files=files), lookups={proof.source: proof.quote})
    texts = {"import.md": files["import.md"].replace(f"\n\n{line}", "")}
    operation = change(OperationKind.RETIRE, "import.md", texts, (proof,))
    assert check(GUARD, operation, context)
    assert (check(GUARD, flag_all(operation, context), context) is None) is bool(passes)
