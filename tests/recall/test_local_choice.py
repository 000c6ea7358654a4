import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.recall import make_manifest, measure, read_queries, read_topics
from memci.recall.local_choice import LocalRanker, match_topics
from tests.recall.build import entry, names

REFUNDS = entry("refund-approval", "Refunds above 500 EUR need finance", "Ask Anna before paying out.", kind="feedback")
LOCKS = entry("long-locks", "Create indexes concurrently", "An ALTER TABLE blocked the shop for minutes.")
PAYPAL = entry("paypal-sandbox", "Where the PayPal test buyers are", "See the vault.", kind="reference")
CLUSTER = entry("limits", "Resource limits in Kubernetes", "Set requests, no CPU limits.")
LIEFERUNG = entry("lieferschein", "Lieferscheine werden zweisprachig gedruckt", "Vorlage im Ordner vorlagen.")
CHINESE = entry("zhifu", "微信支付的回调地址只能用备案域名", "证书每年更新一次。")
JAPANESE = entry("kessai", "コンビニ決済の手数料は注文確定時に計算する", "支払期限は三日。")
RUSSIAN = entry("vygruzka", "Выгрузка заказов идёт каждые пятнадцать минут", "Таблица exchange.")
BARE = entry("notes", hook="Scanner devices — firmware and battery swaps")
ALL = (REFUNDS, LOCKS, PAYPAL, CLUSTER, LIEFERUNG, CHINESE, JAPANESE, RUSSIAN, BARE)


def rank(query: str, manifest: tuple[object, ...] = ALL) -> list[str]:
    return names(LocalRanker().rank(query, manifest))  # type: ignore[arg-type]  # entries, all of them


@pytest.mark.parametrize(
    "query",
    [
        "continue",
        "thanks, looks good to me",
        "please fix it and run it again",
        "write a quicksort in haskell",
        "explain monads with an example from category theory",
        "用Python写一个游戏",
        "今日の天気を教えて",
        "напиши стихотворение об осени",
        "ein Gedicht über den Herbst",
        "?!",
        "1 2 3",
    ],
)
def test_nothing_is_shown_to_fill_up(query: str) -> None:
    assert rank(query) == []


def test_nothing_is_found_in_nothing() -> None:
    assert LocalRanker().rank("refund", ()) == []


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("add a button that refunds the whole order", "refund-approval"),
        ("REFUND", "refund-approval"),
        ("new index on a large table", "long-locks"),
        ("paypal buyer for my test", "paypal-sandbox"),
        ("createRefundRequest returns 403", "refund-approval"),
        ("src/refund_service.py", "refund-approval"),
        ("set cpu for the pods in k8s", "limits"),
        ("Lieferschein drucken", "lieferschein"),
        ("微信支付收不到回调", "zhifu"),
        ("コンビニ決済の手数料を直して", "kessai"),
        ("проверь выгрузку заказов", "vygruzka"),
        ("battery of the scanner is empty", "notes"),
    ],
)
def test_the_right_topic_comes_first(query: str, wanted: str) -> None:
    assert rank(query)[:1] == [wanted]


def test_what_a_topic_is_about_outweighs_what_it_mentions() -> None:
    mentions = entry("onboarding", "First week of new people", "They may ask about refunds, too.")
    assert rank("refund for a customer", (mentions, REFUNDS))[0] == "refund-approval"


def test_a_pasted_log_does_not_drown_the_question() -> None:
    log = "".join(f"line {n}: worker-{n} heartbeat {n * 7919}\n" for n in range(300))
    assert rank(f"the refund to finance failed\n{log}") == ["refund-approval"]


def test_a_name_in_the_text_tells_more_than_a_word() -> None:
    named = entry("mails", "How letters look", "They must be readable in Outlook as well.")
    said = entry("letters", "How mails look", "They have a good outlook as well.")
    assert rank("broken in outlook", (said, named))[0] == "mails"


def test_a_match_says_which_words_it_is_for() -> None:
    (match, *_) = match_topics("please check the refund rules of finance", ALL)
    assert match.id == REFUNDS.id
    assert sorted(match.why) == ["finance", "refund"]
    assert 0 < match.score <= 1


def test_equal_topics_come_in_the_order_of_their_paths() -> None:
    twins = tuple(entry("same", "Refunds need approval", scope=scope) for scope in ("b", "a", "c"))
    assert LocalRanker().rank("refund approval", twins) == ["a/same.md", "b/same.md", "c/same.md"]


@given(st.text(max_size=80), st.permutations(ALL))
def test_the_order_of_the_list_changes_nothing(query: str, shuffled: list[object]) -> None:
    assert rank(query) == rank(query, tuple(shuffled))


@pytest.mark.parametrize("piece", ["refund ", "a", "Zq", "é", "漢", "xqzvw ", "\ud800 ", "refnud "])
def test_hostile_queries_and_topics_are_read_in_one_pass(piece: str) -> None:
    manifest = (*ALL, entry("long", piece * 1_000, piece * 1_000))
    assert len(rank(piece * 20_000, manifest)) <= len(manifest)


def test_labelled_queries_that_were_not_tuned_on_find_their_topic() -> None:
    queries = [*read_queries()[1::2], *read_queries("last-queries.yml")]
    figures = measure(queries, make_manifest(read_topics()), verbose=False)
    assert figures["asked"] >= 90
    assert figures["in five"] >= 0.9
    assert figures["rightly silent"] >= 0.8
    assert figures["shown"] < 2.5


def test_every_labelled_query_names_topics_that_exist() -> None:
    files = {topic.path.name for topic in read_topics()}
    sets = ("queries.yml", "later-queries.yml", "last-queries.yml")
    assert len(files) >= 100
    assert {file for name in sets for query in read_queries(name) for file in query["wants"]} <= files
