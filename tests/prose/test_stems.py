from memci.prose.stems import detect_language


def test_the_letters_of_names_tell_no_language() -> None:
    assert detect_language("Bożena Karaś decides the level.") == "english"
    assert detect_language("tego nie ruszaj, jest na jutro") == "polish"
