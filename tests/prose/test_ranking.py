from hypothesis import given
from hypothesis import strategies as st

from memci.prose.ranking import index_texts, rank_similar

ANYTHING = st.text(st.characters() | st.sampled_from("`*-_#> .\n。don't"), max_size=60)


def test_ranks_the_text_about_the_same_first() -> None:
    index = index_texts(
        [
            "Deployments of the billing service happen on tuesdays",
            "Integration tests need a real database",
            "数据库迁移必须先在测试环境运行",
            "",
        ]
    )
    assert [found.position for found in rank_similar("is a real database used by integration testing?", index, 1)] == [
        1
    ]
    assert rank_similar("when do we deploy billing", index, 5)[0].position == 0
    assert rank_similar("测试环境的数据库迁移", index, 5)[0].position == 2
    assert rank_similar("unheard-of", index, 5) == []
    assert rank_similar("", index, 5) == []


@given(st.lists(ANYTHING, max_size=5), ANYTHING)
def test_scores_lie_between_0_and_1_and_fall(documents: list[str], query: str) -> None:
    scores = [found.score for found in rank_similar(query, index_texts(documents), 3)]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 + 1e-9 for score in scores)


def test_a_text_is_most_like_itself() -> None:
    texts = ["alpha beta gamma", "alpha beta", "alpha"]
    index = index_texts(texts)
    assert [rank_similar(text, index, 1)[0].position for text in texts] == [0, 1, 2]
