import pytest

from memci.prose.stems import detect_language


def test_the_letters_of_names_tell_no_language() -> None:
    assert detect_language("Bożena Karaś decides the level.") == "english"
    assert detect_language("tego nie ruszaj, jest na jutro") == "polish"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("když přijde jen řidič, tak to není celá posádka", "cs"),
        ("kdyz prijde jen ridic, tak to neni cela posadka", "cs"),
        ("de deuren gaan pas open als iedereen binnen is", "dutch"),
        ("o painel fica no corredor, ao lado da prensa", "portuguese"),
        ("keep retries low everywhere please", "english"),
        ("Releases in October, November, December", ""),
    ],
)
def test_a_language_is_known_by_its_function_words(text: str, language: str) -> None:
    assert detect_language(text) == language
