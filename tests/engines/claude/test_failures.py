"""Every way a call can fail, on the wire; each ends in a value, within its tries, and with its money booked."""

from decimal import Decimal

import pytest

from memci.engines.claude.calls import Failure, Reply
from memci.engines.claude.session import ModelSession
from tests.engines.claude.run import CONSOLIDATE, PROMPT, FakeTime, keep, open_session
from tests.fakes.anthropic_api import FakeApi
from tests.fakes.anthropic_modes import MODES


def ask(session: ModelSession) -> Reply | Failure:
    return session.ask(CONSOLIDATE, PROMPT, shorten=keep)


# What is wrong for a moment only: after it, the call succeeds.
PASSING = [
    "429", "429-wait-1", "429-wait-ms", "429-wait-date", "529", "500", "500-html", "503", "504",
    "408", "409", "400-retry", "200-html", "200-gzip", "200-badjson", "200-empty", "200-array", "200-message-json",
    "200-nocontent-json", "200-wrongtypes-json", "200-errorbody", "200-html-as-events", "200-empty-events",
    "200-badjson-event", "200-array-event", "200-text-first", "200-nocontent", "200-wrongtypes", "200-wrong-message",
    "200-no-usage", "200-negative-usage", "200-error-event", "200-cut-events", "200-no-stop-reason", "200-trunc",
    "200-two-texts", "200-no-text", "200-prose", "200-schema", "200-extra-key", "200-twice", "200-nan", "200-deep",
    "200-surrogate", "200-5-mb", "200-long-file", "200-500-files", "rst",
]  # fmt: skip


@pytest.mark.parametrize("mode", PASSING)
def test_a_call_survives_what_passes(api: FakeApi, mode: str) -> None:
    api.then(mode)
    with open_session(api) as session:
        reply = ask(session)
        assert isinstance(reply, Reply), reply
        assert reply.value == {"ok": True}
        assert not session.stopped
    assert len(api.posts()) == 2


# The cases by their ids, then the rest: mode, reason, a word of the detail, tries, whether the run stops.
LASTING = [
    ("A01-429-without-header", "429", "api", "429 rate_limit_error", 4, True),
    ("A02-429-with-an-hour", "429-wait-3600", "deadline", "429 rate_limit_error", 1, True),
    ("A03-529-overloaded", "529", "api", "529 overloaded_error", 4, False),
    ("A04-500-with-html", "500-html", "api", "500", 4, False),
    ("A06-401", "401", "credentials", "401 authentication_error", 1, True),
    ("A07-200-html", "200-html", "api", "text/html", 2, False),
    ("A07-200-html-as-events", "200-html-as-events", "api", "empty", 2, False),
    ("A07-200-gzip", "200-gzip", "api", "compressed", 2, False),
    ("A08-200-truncated", "200-trunc", "api", "connection was lost", 4, False),
    ("A09-200-invalid-json", "200-badjson", "api", "application/json", 2, False),
    ("A09-200-invalid-json-event", "200-badjson-event", "api", "not as documented", 2, False),
    ("A09-200-empty", "200-empty", "api", "application/json", 2, False),
    ("A09-200-empty-events", "200-empty-events", "api", "empty", 2, False),
    ("A10-200-array", "200-array", "api", "application/json", 2, False),
    ("A10-200-array-event", "200-array-event", "api", "not as documented", 2, False),
    ("A11-200-content-null", "200-nocontent", "api", "does not say what it used", 2, False),
    ("A11-200-content-null-json", "200-nocontent-json", "api", "application/json", 2, False),
    ("A12-200-wrong-types", "200-wrongtypes", "api", "cut off", 4, False),
    ("A12-200-wrong-types-json", "200-wrongtypes-json", "api", "application/json", 2, False),
    ("A13-cut-by-max-tokens", "200-maxtok", "max_tokens", "did not fit", 2, False),
    ("A13-max-tokens-though-the-json-is-whole", "200-maxtok-whole", "max_tokens", "did not fit", 2, False),
    ("A14-refusal", "200-refusal", "refusal", "cyber", 1, False),
    ("A14-refusal-with-an-odd-category", "200-refusal-odd", "refusal", "a?::b", 1, False),
    ("A14-pause-turn", "200-pause", "api", "pause_turn", 1, False),
    ("A14-unknown-stop", "200-unknown-stop", "api", "tired?::warning::", 1, False),
    ("A15-200-error-object", "200-errorbody", "api", "application/json", 2, False),
    ("A18-connection-reset", "rst", "api", "connection was lost", 4, False),
    ("A24-a-reply-of-5-MB", "200-5-mb", "api", "more than", 2, False),
    ("A24-a-file-over-its-cap", "200-long-file", "api", "reply.files[0] is longer than 16384", 2, False),
    ("A24-500-files", "200-500-files", "api", "reply.files is longer than 50", 2, False),
    ("A27-tool-use-without-tools", "200-tool-use", "api", "no tools were given", 1, False),
    ("spend-limit", "429-spend", "api", "spend limit", 1, True),
    ("529-that-says-do-not-retry", "529-final", "api", "529", 1, False),
    ("500", "500", "api", "500 api_error", 4, False),
    ("400", "400", "api", "400 invalid_request_error: messages: \\u001b[31mwrong\\n::error::x", 1, False),
    ("402", "402", "api", "cannot pay", 1, True),
    ("403", "403", "credentials", "403 permission_error", 1, True),
    ("404", "404", "model", "404 not_found_error", 1, True),
    ("413", "413", "context", "too large", 1, False),
    ("prompt-too-long", "400-long", "context", "too long", 1, False),
    ("error-event", "200-error-event", "api", "overloaded_error within the stream", 4, False),
    ("cut-stream", "200-cut-events", "api", "cut off", 4, False),
    ("no-stop-reason", "200-no-stop-reason", "api", "why it stopped", 2, False),
    ("context-exceeded", "200-context", "context", "window", 1, False),
    ("two-text-blocks", "200-two-texts", "api", "2 text blocks", 2, False),
    ("no-text-block", "200-no-text", "api", "0 text blocks", 2, False),
    ("prose", "200-prose", "api", "not valid JSON", 2, False),
    ("breaks-the-schema", "200-schema", "api", "reply.ok is not of type boolean", 2, False),
    ("a-key-nobody-asked-for", "200-extra-key", "api", "1 unknown keys", 2, False),
    ("a-key-twice", "200-twice", "api", "given twice", 2, False),
    ("nan", "200-nan", "api", "not a finite number", 2, False),
    ("deep-nesting", "200-deep", "api", "nested too deeply", 2, False),
    ("lone-surrogate", "200-surrogate", "api", "not Unicode", 2, False),
    ("redirect", "redirect", "api", "not followed", 1, True),
]


@pytest.mark.parametrize(
    ("mode", "reason", "detail", "tries", "stops"), [case[1:] for case in LASTING], ids=[case[0] for case in LASTING]
)
def test_a_lasting_failure_is_a_value(
    api: FakeApi, time: FakeTime, mode: str, reason: str, detail: str, tries: int, *, stops: bool
) -> None:
    api.always = mode
    with open_session(api, time) as session:
        failure = ask(session)
        assert isinstance(failure, Failure)
        assert failure.reason == reason
        assert detail in failure.detail
        assert "\n" not in failure.detail
        assert "\x1b" not in failure.detail
        assert "corporate" not in failure.detail
        assert bool(session.stopped) == stops
    assert len(api.posts()) == tries
    assert all(wait <= 60 for wait in time.slept)


def test_every_mode_of_the_fake_is_tried_here() -> None:
    tried = set(PASSING) | {case[1] for case in LASTING}
    elsewhere = {"ok", "hang", "slowdrip", "slowdrip-head", "422"}
    assert set(MODES) == tried | elsewhere


FREE = ["429", "529", "500-html", "401", "400", "404", "redirect"]
UNSEEN = ["rst", "200-trunc", "200-error-event", "200-cut-events", "200-html", "200-no-usage", "200-negative-usage"]
SEEN = ["200-refusal", "200-schema", "200-tool-use", "200-maxtok", "200-context"]


@pytest.mark.parametrize("mode", FREE)
def test_what_the_service_did_not_do_costs_nothing(api: FakeApi, mode: str) -> None:
    api.always = mode
    with open_session(api) as session:
        ask(session)
        assert session.cost.usd + session.cost.unseen_usd == 0


@pytest.mark.parametrize("mode", UNSEEN)
def test_what_may_have_been_charged_is_booked_at_its_most(api: FakeApi, mode: str) -> None:
    api.then(mode)
    with open_session(api) as session:
        ask(session)
        # A whole reply of 2,000 tokens at 10 dollars a million, and then some.
        assert session.cost.unseen_usd > Decimal("0.02")
        assert session.cost.phases[0].calls == 1


@pytest.mark.parametrize("mode", SEEN)
def test_a_useless_reply_is_booked_as_what_it_used(api: FakeApi, mode: str) -> None:
    api.always = mode
    with open_session(api) as session:
        ask(session)
        assert session.cost.phases[0].calls == len(api.posts())
        assert session.cost.usd > 0
        assert session.cost.unseen_usd == 0


def test_a_port_where_nobody_listens_costs_nothing_and_is_tried_four_times(time: FakeTime) -> None:
    with FakeApi("closed") as gone:
        pass
    with open_session(gone, time) as session:
        failure = ask(session)
        assert failure == Failure("api", "the service cannot be reached")
        assert session.cost.unseen_usd == 0
    assert len(time.slept) == 3


def test_a_redirect_is_not_followed(api: FakeApi) -> None:
    api.always = "redirect"
    with open_session(api) as session:
        ask(session)
    assert len(api.seen) == 1
