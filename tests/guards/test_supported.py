import dataclasses
import datetime as dt

import pytest

from memci.guards.evidence_support import judge_statement
from memci.guards.evidence_text import EvidenceText, make_source
from memci.guards.read_evidence import read_proof, read_signal
from memci.guards.rules.supported import GUARD
from memci.guards.run import find_refusal
from memci.guards.short_texts import check_name, check_unflagged, find_unsaid
from memci.model.plan import Evidence, EvidenceKind, Operation, OperationKind
from memci.model.session import Mention
from tests.build import topic_text
from tests.guards.attacks_flagged import flag_all
from tests.guards.scene import SAID_AT, by, change, check, create, edit, make_context, said

PUSH = said("never push directly to main, always open a pull request and wait for Ana")


def test_a_translated_reason_may_leave_the_denial_of_its_rule_out() -> None:
    said_so = "for dato: den på tavla må være 9. november, ikke 09/11, folk fra utlandet leser det feil"
    source = make_source([said_so], quoted=[said_so])
    assert judge_statement("People from abroad read the other form wrongly.", source, explains=True).refusal == ""


def test_how_a_rule_is_applied_may_name_its_steps_from_the_other_end() -> None:
    source = make_source(["we release before 10:00.", "what is not merged on Wednesday evening waits a week."])
    how = "What is not merged before the release waits a week."
    assert judge_statement(how, source, explains=True).refusal == ""
    assert judge_statement(how, source).refusal


def test_weekdays_may_be_cut_short_in_english_too() -> None:
    source = make_source(["thu and fri i am on the boat all day with no network"])
    assert judge_statement("On Thursday and Friday she is on the boat all day with no network.", source).refusal == ""
    assert "`Monday`" in judge_statement("On Monday she is on the boat all day with no network.", source).refusal


@pytest.mark.parametrize(
    ("said_so", "statement"),
    [
        ("KZD1'in saati kaymış, gece GPS'ten düzeliyor", "The clock of KZD1 corrects itself from GPS at night."),
        ("-20'de pil kaldırmıyo logger geri gelmiyo", "At -20 °C the battery cannot take it, the logger stays off."),
    ],
)
def test_a_name_or_number_may_have_an_ending_behind_an_apostrophe(said_so: str, statement: str) -> None:
    assert judge_statement(statement, make_source([said_so], quoted=[said_so])).refusal == ""


def test_a_date_in_code_is_a_part_of_it() -> None:
    command = "`go run ./cmd/backfill -station KZD1 -from 2026-01-31 < card.csv` reads the card of a logger."
    assert judge_statement(command, make_source([command])).refusal == ""
    later = command.replace("01-31", "02-28")
    assert judge_statement(later, make_source([command])).refusal


def test_all_the_same_is_no_rule_for_everything() -> None:
    source = make_source(["check it in and hang it on the waiting rack with a yellow label"])
    said_so = "It is checked in all the same and hung on the waiting rack with a yellow label."
    assert judge_statement(said_so, source).refusal == ""
    assert judge_statement(said_so.replace("It is", "All are").replace(" all the same", ""), source).refusal


def test_several_unknown_names_are_told_at_once() -> None:
    source = make_source(["write the report by hand"])
    refusal = judge_statement("Write the report with Nordwind, `mk9` and Skarv by hand.", source).refusal
    assert all(name in refusal for name in ("`Nordwind`", "`mk9`", "`Skarv`"))


def test_over_languages_an_article_is_no_number() -> None:
    source = make_source(["al refugio una sola factura al mes, 3 copias"], quoted=["una sola factura al mes"])
    assert judge_statement("The refugio gets one single factura a month.", source).refusal == ""


@pytest.mark.parametrize("text", ["When a text may say that a car is late", "Cars, where they stand and what we do"])
def test_what_a_description_asks_is_neither_affirmed_nor_denied(text: str) -> None:
    source = make_source(["a text does not say that a car is late, cars never stand there, we do not do it"])
    assert judge_statement(text, source, within=text, lead=True).refusal == ""
    assert judge_statement("A text may say that a car is late", source, within=text, lead=True).refusal


def test_a_how_from_the_repository_may_join_the_rule_of_a_topic() -> None:
    how = "**How to apply:** The threshold of the coverage is `MIN_COVERAGE` in `ci/limits.toml`."
    text = edit("project_coverage.md", ("80%.", f"80%.\n\n{how}"))
    found = "`MIN_COVERAGE` in ci/limits.toml is the threshold of the coverage"
    shown = Evidence(EvidenceKind.LOOKUP, "lines:ci/limits.toml:1-3", found)
    context = dataclasses.replace(make_context(), lookups={shown.source: f"{found}\nMIN_COVERAGE = 80"})
    change_it = change(OperationKind.UPDATE, "project_coverage.md", {"project_coverage.md": text}, (shown,))
    assert check(GUARD, change_it, context) is None
    rule = text.replace(how, how.removeprefix("**How to apply:** "))
    assert check(
        GUARD, change(OperationKind.UPDATE, "project_coverage.md", {"project_coverage.md": rule}, (shown,)), context
    )


def test_a_renamed_word_of_a_rule_contradicts_its_reason_no_more_than_the_rule_did() -> None:
    old = "Pages get their data from `useFleet()` only; components do not fetch."
    why = "**Why:** three components that each fetched made old machines stutter."
    file, source = "project_pages.md", "lines:src/buses.ts:1-2"
    before = topic_text(f"{old}\n\n{why}", name="pages", description="where pages get their data", kind="project")
    shown = Evidence(EvidenceKind.LOOKUP, source, "export function useBuses() {")
    context = dataclasses.replace(make_context(files={file: before}), lookups={source: shown.quote})

    def write(new: str) -> Operation:
        evidence = (*by((file, old)), shown)
        return flag_all(change(OperationKind.UPDATE, file, {file: before.replace(old, new)}, evidence), context)

    renamed = old.replace("useFleet", "useBuses")
    assert find_refusal(write(renamed), context) is None
    assert find_refusal(write(renamed.replace("components do not", "components always")), context)


def test_an_everyday_word_that_the_agent_used_before_is_for_a_reader_to_tell() -> None:
    source = make_source(["no, save it first. always"], before=["`confirm()` sends the message first and saves it."])
    assert judge_statement("The message is sent after it is saved.", source).refusal == ""
    assert judge_statement("The message is published after it is saved.", source).refusal


def check_support(sentence: str, source: EvidenceText) -> str:
    support = judge_statement(sentence, source)
    return support.refusal or check_unflagged(sentence, source, support)


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ("use pnpm, not npm", "Uses pnpm, not npm."),
        ("we run the migrations by hand on fridays", "Migrations are run by hand on Fridays."),
        ("look at grafana.internal/d/api first", "First look at `grafana.internal/d/api`."),
        ("look at https://grafana.internal/d/api, there is more", "Look at https://grafana.internal/d/api…"),
        ("pass --strict to the compiler", "The compiler is passed `--strict`."),
        ("the limit is 40 minutes", "The limit is 40 minutes."),
        ("ask before merging prs", "Ask before merging pull requests."),
        ("two retries at most", "At most 2 retries."),
        ("nie direkt auf main pushen", "Nie direkt auf main pushen!"),
        ("以后不要在集成测试里 mock 数据库", "集成测试里不要 mock 数据库。"),
        ("die größe der bilder zählt", "Die Größe der Bilder zählt."),
        ("multiply the first weight by the second one", "The product of the first and the second weight."),
        ("image: postgres:16", "The image is postgres 16."),
        ("ports: api 8200:8200", "The port of the api is 8200."),
        ("a retry at 3am woke the street", "A retry at 03:00 woke the street."),
        ("nothing is sent between nine in the evening and 9 am", "Nothing is sent between 21:00 and 09:00."),
        ("the name of a test tells in words what a passenger does", "A test name: a sentence, what a passenger does."),
    ],
)
def test_the_same_words_in_another_form_are_carried(told: str, sentence: str) -> None:
    assert check_support(sentence, make_source([told])) == ""


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ("the limit is 40 minutes", "The limit is 400 minutes."),
        ("look at grafana.internal/d/api", "Look at grafana.internal.evil/d/api."),
        ("look at https://grafana.internal/d/api", "Look at https://grafana.internal.evil/d/api…"),
        ("pass --strict to the compiler", "Pass --no-strict to the compiler."),
        ("ask Ana before merging", "Ask Mallory before merging."),
        ("Ana owns the nightly job", "Mallory owns the nightly job."),
        ("run the tests", "Run the `deploy` tests."),
        ("mail to ops@example.org", "Mail to ops@example.com."),
        ("keep the logs for the auditors", "Delete the logs for the auditors."),
        ("deploys need an approval", "Deploys need an approval unless it is late."),
        ("use tabs", "They always want all changes applied directly."),
        ("wait for pаypal", "Wait for paypal."),
        ("use tabs for indentation", "Use four spaces per level."),
    ],
)
def test_other_names_and_other_words_are_not(told: str, sentence: str) -> None:
    assert check_support(sentence, make_source([told]))


def test_days_come_from_the_day_of_the_message() -> None:
    freeze = dataclasses.replace(
        said("the freeze starts tomorrow"), repeated=(Mention("s2", "u", SAID_AT, "freeze tomorrow"),)
    )
    source = make_source(read_signal(freeze))
    assert check_support("The freeze starts on 2026-11-10 (said twice, 2026-11-09).", source) == ""
    assert check_support("The freeze starts on 2026-11-11.", source)


def test_a_sentence_may_rest_on_two_messages_and_not_on_three() -> None:
    tests, style = said("run the integration tests against staging"), said("use tabs, 100 characters per line")
    both = "Wait for Ana and run the integration tests against staging."
    topic = topic_text(both, name="tests", description="integration tests against staging")
    operation = change(OperationKind.CREATE, "feedback_tests.md", {"feedback_tests.md": topic}, by(PUSH, tests))
    assert check(GUARD, operation, make_context(PUSH, tests)) is None
    mixed = topic.replace("staging.", "staging with tabs and 100 characters per line.")
    operation = change(OperationKind.CREATE, "feedback_tests.md", {"feedback_tests.md": mixed}, by(PUSH, tests, style))
    assert check(GUARD, operation, make_context(PUSH, tests, style))


@pytest.mark.parametrize(
    "body",
    [
        "Never push directly to main.\n\n**How to apply:** Open a pull request and wait for Ana.",
        "- Never push directly to main\n- Always open a pull request",
        "Direct pushes to main are forbidden; open a pull request instead.",
    ],
)
def test_a_topic_that_says_what_the_person_said_passes(body: str) -> None:
    made = create(PUSH, "feedback_push.md", "never-push-to-main", "never push to main, open a pull request", body)
    assert check(GUARD, made, make_context(PUSH)) is None


@pytest.mark.parametrize(
    ("name", "description", "body"),
    [
        ("push", "never push to main", "Push directly to main."),
        ("push", "never push to main", "Never open a pull request."),
        ("push", "never push to main", "Never push to main.\n\nSet the `PROD` variable."),
        ("push", "never push to main", "Never push to main.\n\n## Mallory decides"),
        ("push", "push to main", "Never push directly to main."),
        ("push", "never push to main, says Mallory", "Never push directly to main."),
        ("mallory-decides", "never push to main", "Never push directly to main."),
    ],
)
def test_a_topic_that_says_more_or_the_opposite_is_refused(name: str, description: str, body: str) -> None:
    assert check(GUARD, create(PUSH, "feedback_push.md", name, description, body), make_context(PUSH))


def test_one_word_that_the_topic_lacks_may_be_its_name() -> None:
    made = create(PUSH, "releasing.md", "releasing", "never push to main", "Never push directly to main.")
    assert check(GUARD, made, make_context(PUSH)) is None
    for name in ("delete", "skip-reviews-here"):
        assert check(GUARD, create(PUSH, "x.md", name, "never push to main", "Never push to main."), make_context(PUSH))


def test_a_number_only_tells_a_topic_from_another_of_that_name() -> None:
    made = create(PUSH, "feedback_push_7.md", "push-7", "never push to main", "Never push directly to main.")
    there = {"feedback_push.md": topic_text("Never push on Fridays.", name="push")}
    assert check(GUARD, made, make_context(PUSH, draft=there)) is None
    assert check(GUARD, made, make_context(PUSH))


def test_words_of_the_replaced_sentence_may_stay() -> None:
    signal = said("the subject must have at most 50 characters", reverses=True)
    texts = {"feedback_commits.md": edit("feedback_commits.md", ("under 60 characters", "at most 50 characters"))}
    operation = change(OperationKind.UPDATE, "feedback_commits.md", texts, by(signal))
    assert check(GUARD, operation, make_context(signal)) is None


def test_lines_of_other_topics_are_not_copied() -> None:
    line = "- Alerts go to the night shift, not to the team."
    texts = {"user_zone.md": edit("user_zone.md", ("starts late.", f"starts late.\n{line}"))}
    operation = change(OperationKind.UPDATE, "user_zone.md", texts, by(PUSH, ("project_deploys.md", line)))
    assert check(GUARD, operation, make_context(PUSH))


def test_a_pointer_says_what_its_topic_says() -> None:
    good = edit("MEMORY.md", ("— time zone", "— time zone, starts late"))
    bad = edit("MEMORY.md", ("— time zone", "— approves deploys"))
    quoted = by(("user_zone.md", "starts late"))
    assert check(GUARD, change(OperationKind.REINDEX, "MEMORY.md", {"MEMORY.md": good}, quoted), make_context()) is None
    assert check(GUARD, change(OperationKind.REINDEX, "MEMORY.md", {"MEMORY.md": bad}, quoted), make_context())


def test_a_line_number_of_an_answer_is_no_number_of_the_repository() -> None:
    source = "lines:ci.yml:40-40"
    texts = {"project_coverage.md": edit("project_coverage.md", ("80%", "40%"))}
    proof = Evidence(EvidenceKind.LOOKUP, source, "coverage threshold in ci")
    operation = change(OperationKind.UPDATE, "project_coverage.md", texts, (proof,))
    context = dataclasses.replace(
        make_context(), lookups={source: "ci.yml at 3f9c2ab123 (90 lines):\n40: the coverage threshold in ci"}
    )
    refusal = check(GUARD, operation, context)
    assert refusal is not None
    assert "40" in refusal


HOLIDAY = "take the same holiday of the year before, never the week before it, at easter that put us 60 bags too high"
NURSE = "complaints: say the appointment, never the nurse, who has had trouble because of that twice"


@pytest.mark.parametrize(
    ("statement", "evidence", "passes"),
    [
        # What follows a short contrast is about something else.
        ("At Easter the week before put the team 60 bags too high.", HOLIDAY, "passes"),
        ("Take the week before.", HOLIDAY, ""),
        ("The nurse has had trouble because of that twice.", NURSE, "passes"),
        ("Say the nurse in complaints.", NURSE, ""),
        ("Use emojis in commit messages.", "commit messages: imperative, no emojis", ""),
        # Over languages a clause has to agree.
        (
            "Defrosting every 4 hours, but never between 18:00 and 21:00.",
            "sbrinare ogni 4 ore ma mai tra le 18 e le 21",
            "passes",
        ),
        ("Defrosting every 4 hours.", "non sbrinare ogni 4 ore", ""),
        # The same name, with and without its accents; "one" is no number here.
        ("Maëlle owns the units.", "units: maelle owns them", "passes"),
        ("Karim Benali is the one to call, with 2 others.", "karim benali is who to call, with 2 others", "passes"),
    ],
)
def test_yes_and_no_are_compared_with_what_they_are_about(statement: str, evidence: str, passes: str) -> None:
    assert (not judge_statement(statement, make_source((evidence,))).refusal) is bool(passes)


@pytest.mark.parametrize(
    ("hook", "lost"),
    [
        ("on at 0.5 degrees", ""),
        ("50 per page, with offset", ""),
        ("the channel; never paste the name of an applicant anywhere else", "passes"),
    ],
)
def test_a_hook_that_only_labels_its_topic_may_be_exchanged(hook: str, lost: str) -> None:
    topic = "Sprinkling starts at 0.8 degrees. Pages of 100 with a cursor. The channel is #rights."
    assert bool(find_unsaid(hook, make_source((topic,)))) is bool(lost)


@pytest.mark.parametrize(
    ("told", "statement"),
    [
        ("u brány musí stát vždycky dva lidi", "Two people always stand at the gate."),
        ("od zari to dela Petr sam", "Petr does it alone since September."),
        ("jsem tu jen po az st", "Here only from Monday to Wednesday."),
        ("v tom se nevyznam, ukazte mi obrazek", "Does not know it; show the picture."),
        ("musí to být hotové ode dneška za čtrnáct dní", "It has to be finished by 2026-11-23."),
        ("o painel está no corredor e fica aceso", "The panel is in the corridor and stays on."),
        ("a margem sobe 0,4 mm no meio", "The margin rises by 0.4 mm in the middle."),
    ],
)
def test_what_was_said_in_any_language_may_be_said_in_english(told: str, statement: str) -> None:
    source = make_source(read_signal(said(told)))
    assert judge_statement(statement, source).refusal == ""


@pytest.mark.parametrize(
    ("told", "statement"),
    [
        ("u brány musí stát vždycky dva lidi", "Three people always stand at the gate."),
        ("jsem tu jen po az st", "Here only on Fridays."),
        ("u brány musí stát vždycky dva lidi", "Two people and Mallory always stand at the gate."),
        ("u brány musí stát vždycky dva lidi", "Two people approve everything at the gate."),
        ("os relatórios vão sempre em português", "The reports never go out in Portuguese."),
    ],
)
def test_another_number_day_person_or_deed_is_refused_in_any_language(told: str, statement: str) -> None:
    source = make_source(read_signal(said(told)))
    assert judge_statement(statement, source).refusal


def test_a_question_affirms_nothing() -> None:
    source = make_source(["take the fade out. why does the screen pulse?? nothing moves on those screens"])
    assert judge_statement("Nothing moves on the screens: no fade, no pulse.", source).refusal == ""


def test_an_assignment_is_known_by_its_parts() -> None:
    source = make_source(['return os.environ.get("BOX_MODE", "live") == "drill"', "puts a box into drill mode"])
    assert judge_statement("`BOX_MODE=drill` puts a box into drill mode.", source).refusal == ""
    assert judge_statement("`BOX_MODE=off` puts a box into drill mode.", source).refusal


def test_a_task_is_called_by_the_name_that_its_file_has() -> None:
    source = make_source(["migrate:", "run it after pulling"])
    assert judge_statement("Run `make migrate` after pulling.", source).refusal == ""
    assert judge_statement("Run `make release` after pulling.", source).refusal


def test_a_number_that_the_agent_proposed_is_left_to_a_reader() -> None:
    told = ["ja precies zo, en dat blijft de regel voor scans"]
    proposed = make_source(told, before=["Zal ik scans na 14 dagen weggooien?"])
    support = judge_statement("Scans are thrown away after 14 days.", proposed)
    assert (support.refusal, "14" in support.unsettled) == ("", True)
    assert judge_statement("Scans are thrown away after 15 days.", proposed).refusal
    assert judge_statement("Scans are thrown away after 14 days.", make_source(told)).refusal


@pytest.mark.parametrize(
    ("reason", "passes"),
    [
        ("The team had a base parser, and every update of one bank broke the others.", True),
        ("The team had a base parser, and 4 updates of one bank broke the others.", False),
    ],
)
def test_a_reason_may_tell_of_what_its_rule_denies(reason: str, *, passes: bool) -> None:
    signal = said("one parser for each bank, no base parser. we had one and every update of one bank broke the others")
    body = f"One parser for each bank, no base parser.\n\n**Why:** {reason}"
    made = create(signal, "feedback_parsers.md", "parsers", "one parser for each bank", body)
    operation = flag_all(made, make_context(signal))
    assert (check(GUARD, operation, make_context(signal)) is None) is passes


@pytest.mark.parametrize(("day", "passes"), [("2026-09-19", True), ("2026-09-20", False)])
def test_a_day_without_a_year_is_near_the_day_of_its_commit(day: str, *, passes: bool) -> None:
    proof = ("52a9e4ae73", "2026-09-24", "Drop --replay", "On 19 September it wrote the weights of a whole day twice.")
    told = f"A replay on {day} wrote the weights of a whole day twice."
    assert (check_support(told, make_source([*read_proof(proof), "replay"])) == "") is passes


@pytest.mark.parametrize(
    ("told", "statement"),
    [
        ("asunto ei, vaan kohde. suomenkielisissä teksteissä aina kohde", 'Finnish texts say "kohde", never "asunto".'),
        ("olen poissa keskiviikkoisin tammikuuhun asti", "He is away on Wednesdays until January."),
        ("joulun aikaan ei julkaista mitään", "Nothing is released around Christmas."),
        ("operaattori pätkii viestin kahtia", "The operator cuts the message in two."),
        ("Maarit lataa laskut aina maanantaina, ei muulloin", "Maarit always uploads the invoices on Monday."),
    ],
)
def test_a_language_with_many_cases_is_left_to_a_reader(told: str, statement: str) -> None:
    source = make_source([told], quoted=[told])
    assert judge_statement(statement, source).refusal == ""


def test_what_another_language_denies_is_left_to_a_reader_also_beside_english() -> None:
    told = "ei omaa palvelua hälytyksille"
    source = make_source([told, "alarm() has its own messages"], quoted=[told])
    assert judge_statement("Alarms get no service of their own.", source).refusal == ""


def test_a_name_and_another_number_are_still_refused_over_languages() -> None:
    told = "Maarit lataa laskut maanantaina, kolme kertaa"
    source = make_source([told], quoted=[told])
    for statement in (
        "Jouni uploads for Pekka.",
        "Maarit uploads the invoices five times.",
        "Maarit uploads on Friday.",
    ):
        assert judge_statement(statement, source).refusal


def test_a_hook_may_shorten_what_its_topic_forbids_but_not_turn_it() -> None:
    source = make_source(["Never restart a gateway from remote under -15 outside."])
    assert judge_statement("never from remote under -15 outside", source, lead=True).refusal == ""
    turned = judge_statement("A gateway is restarted from remote under -15 outside", source, lead=True)
    assert turned.refusal or turned.doubt
    assert judge_statement("always restart a gateway from remote", source, lead=True).refusal


def test_an_option_is_no_word_of_its_sentence() -> None:
    source = make_source(["always with --until. without it it runs into the open hour"])
    assert judge_statement("Without `--until` it runs into the open hour.", source).refusal == ""


def test_a_name_may_take_a_number_apart_from_its_letters() -> None:
    source = make_source(["VK-009 has two meters in one cupboard"])
    assert check_name("vk 009 meters", source) == ""
    assert check_name("vk 010 meters", source)


def test_a_statement_may_say_that_it_is_so_on_the_day_of_the_dream() -> None:
    signal = said("credits go into a file of their own, it is on a branch, not merged")
    body = "Credits go into a file of their own, on a branch, not merged on 2026-11-16."
    operation = create(signal, "project_credits.md", "credits", "credits in a file of their own", body)
    for today, passes in ((dt.date(2026, 11, 16), True), (dt.date(2026, 11, 17), False)):
        context = dataclasses.replace(make_context(signal), today=today)
        assert (check(GUARD, operation, context) is None) is passes


@pytest.mark.parametrize(
    ("told", "statement", "passes"),
    [
        ("a kifizetés 15-én indul", "Payouts run on the 15th.", 1),
        ("a kifizetés 15-én indul", "Payouts run on the 16th.", 0),
        ("a 3-as kamra üres március 1-ig", "Room 3 is empty until March 1.", 1),
        ("mindenki kap címkét a rámpán", "All people on the ramp get a label.", 1),
    ],
)
def test_numbers_may_have_the_ending_of_a_case(told: str, statement: str, passes: int) -> None:
    source = make_source([told], quoted=[told])
    assert (judge_statement(statement, source).refusal == "") is bool(passes)


def test_a_command_may_get_the_new_place_of_a_file_and_no_other_word() -> None:
    old = "Start it with `docker compose -f test/compose.yml up -d`."
    source = make_source(["test/compose.yml is now deploy/testdb/compose.yml", old, "rm -rf is for the runner"])
    moved = "Start it with `docker compose -f deploy/testdb/compose.yml up -d`."
    assert judge_statement(moved, source).refusal == ""
    for other in (
        "`docker compose -f test/compose.yml down -d`",
        "`docker compose -f deploy/testdb/compose.yml rm -rf`",
    ):
        assert judge_statement(f"Start it with {other}.", source).refusal


def test_what_is_not_allowed_is_no_permission() -> None:
    source = make_source(["No `log.Fatal` or panic outside of main."])
    where = "Where `log.Fatal` and panic are not allowed"
    assert judge_statement(where, source, within=where, lead=True).refusal == ""
    allowed = where.replace("not ", "")
    assert "permits" in judge_statement(allowed, source, within=allowed, lead=True).refusal
