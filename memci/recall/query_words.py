"""The words that topics are searched by: identifiers in parts, unspaced scripts as bigrams, and synonyms."""

import functools
from collections.abc import Iterator, Mapping

from memci.patterns import LazyPattern
from memci.prose.roots import root
from memci.prose.similar import STOP_WORDS, tokenise

# The separators inside names in code and paths.
_SEPARATORS = LazyPattern(r"[_./:@\-]+")
# Each alternative starts with its own character, which is much faster than a look-behind at every position.
_NAME = LazyPattern(r"`[^`\n]{1,200}`|[A-Z](?:(?<=[^\s.!?:*#>|-] .)|(?=\d))\w*+|\d(?<!\w.)\w*+")
# Matches only from the start of a word and never backtracks, so that long words take linear time.
_CAMEL_CASE = LazyPattern("(?<![A-Za-z])(?:[A-Z]*+[a-z]++[A-Z]|[A-Z]{2,}+[a-z])[A-Za-z]*+")
_CAMEL_CASE_PART = LazyPattern("[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def split_terms(text: str) -> list[str]:
    """Split a text into words without stop words; `a_b`, `a/b.c` and `aB` are split into their parts."""
    words = tokenise(text)
    found = [word for word in words if word not in STOP_WORDS and word.isalnum()]
    for name in (word for word in words if not word.isalnum()):
        found += [part for part in _SEPARATORS.split(name) if len(part) > 1 and part not in STOP_WORDS] or [name]
    found += _split_camel_case(text)
    return found


def _split_camel_case(text: str) -> Iterator[str]:
    for name in _CAMEL_CASE.findall(text):
        parts = map(str.lower, _CAMEL_CASE_PART.findall(name))
        yield from (part for part in parts if len(part) > 1 and part not in STOP_WORDS)


def extract_names(text: str) -> str:
    """Return the names in a text: code, capitalised words inside a sentence, words with digits."""
    return " ".join(_NAME.findall(text))


def word_roots(text: str) -> frozenset[str]:
    """Return the roots of the words of a text, without stop words."""
    return frozenset(map(root, split_terms(text)))


# Words of any request and of programming in general, which do not identify a topic by themselves. "error" is not one of
# them: it often names the subject.
_ASKING = word_roots("""
    add build change check continue convert create do explain file find fix generate get give go help how
    implement introduce let look make move need new now open prepare provide put question quick quickly read
    replace run see set show start stop tell thanks try turn understand undo update
    use want what when where whether which who whom whose why work write wrong yes you again all any because
    been before behind both but correctly each even every everyone everything find first good if instead into last
    like long more most much my no not nothing off ok old one only other out over proper same seem should some someone
    something still such thing through time too under up us very via was way well were while yet between about after
    code function class method variable string array list loop object value type line struct pointer operator syntax
    linked nested
    ich du er sie es wie was warum wer wen bitte kann können mir mich wenn ob noch auch aber nur nach bei aus über
    schreibe erkläre mache ändere
    comment pourquoi quand qui que quoi ce cette fais ajoute corrige
    cómo por qué cuándo quién hay este esta haz añade revisa
    как что почему когда где это для на не по из за от до или если все мне напиши проверь сделай добавь
""")


def is_asking(word: str) -> bool:
    """Tell whether a word is part of asking, not of the subject; so are small numbers, years, and pure hiragana."""
    if word.isdigit():
        return len(word) < 3 or (len(word) == 4 and word[:2] in {"19", "20"})
    return root(word) in _ASKING or all("\u3041" <= character <= "\u309f" for character in word)


# One group per line. Only words that are interchangeable in most sentences about software; words with several meanings
# in this field ("key", "state", "model") are left out.
_GROUPS = """
    database db postgres postgresql sql
    kubernetes k8s kubectl cluster pod
    authentication auth login signin logon
    authorisation authorization permission rights access
    configuration config settings
    repository repo
    environment env
    production prod live
    staging preprod
    deployment deploy release ship rollout publish
    continuous-integration ci pipeline workflow
    pull-request pr mr
    internationalisation internationalization i18n translation localisation localization l10n locale
    accessibility a11y
    observability o11y monitoring
    application app
    administrator admin backoffice
    documentation docs
    javascript js node nodejs
    typescript ts
    dependency library package
    directory folder
    picture image photo thumbnail screenshot
    mail email e-mail smtp
    modal dialog popup overlay
    colour color
    basket cart
    parcel shipment shipping delivery
    customer user client buyer
    vendor supplier
    bill invoice
    payment charge pay paid
    tax vat
    article product sku
    ean gtin upc barcode
    registration signup register
    credential secret password
    personal-data pii gdpr privacy
    remove delete erase drop
    speed slow latency performance fast
    crash outage incident down
    fail failure error broken reject decline
    flaky intermittent unstable
    duplicate twice double
    stale old outdated
    event message
    callback webhook hook
    toggle flag switch
    endpoint route api
    test spec e2e
    mock stub fake
    migration schema alter column
    queue job task worker
    dashboard grafana panel metrics
    cost spend
    vulnerability pentest security
    licence license licensed
    timezone utc timestamp
    rerun backfill
    inventory stock
"""


@functools.cache
def _synonyms() -> Mapping[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in _GROUPS.strip().split("\n"):
        group = frozenset(map(root, line.split()))
        for word in group:
            found[word] = found.get(word, frozenset()) | group
    return found


def synonyms_of(base: str) -> frozenset[str]:
    """Return the roots of the synonyms of the word with this root, without itself."""
    return _synonyms().get(base, frozenset()) - {base}
