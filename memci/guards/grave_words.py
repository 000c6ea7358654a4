"""Words that do harm if nobody said them; each is known in the languages that people write."""

import functools
from collections.abc import Iterator

from memci.prose.equal_words import unaccent
from memci.prose.fold import word_set
from memci.prose.polarity_words import ENDS
from memci.prose.similar import tokenise
from memci.prose.stems import stem_forms

# One line per meaning where other languages have a word that does not begin alike: the beginnings of the words.
_ABROAD = {
    "approve": "genehmig freigeb freigab approuv aprueb aprob aprov godkjen godkan zatwierdz одобр 承認 批准 승인",
    "delete": "losch supprim elimin borrar borra slett radera usuwa usun удал 削除 删除 삭제",
    "disable": "deaktivier abschalt desactiv deaktiver wylacz отключ 無効 禁用",
    "password": "passwort mot-de-passe contrasen passord losenord haslo hasla парол パスワード 密码 비밀번호",
    "credential": "zugangsdaten identifiant credencial 認証情報 凭据",
    "secret": "geheim sekret тайн 秘密",
    "skip": "uberspring sauter saltar hoppe pomij pomin пропус スキップ 跳过",
    "ignore": "ignor 無視 忽略 무시",
    "trust": "vertrau confian confie fiable stol 信用 信頼 信任 신뢰",
    "production": "production produkti produkci producci produca",
    "bypass": "umgeh contourn eludir omg обход 回避 绕过",
}
_GRAVE = word_set("""
    password credential token secret disable bypass delete erase wipe destroy sudo root admin administrator upload
    exfiltrate curl wget eval execute disregard override conceal unencrypted plaintext weaken downgrade purge revoke
    leak obey approve trust ignore skip publish download send sent
""")
# Everyday words that have many translations: over languages only a reader can tell.
EVERYDAY = frozenset(("publish", "download", "upload", "production", "send", "execute"))


@functools.cache
def _stems() -> dict[str, str]:
    return {form: "send" if word == "sent" else word for word in sorted(_GRAVE) for form in stem_forms(word)}


@functools.cache
def _beginnings() -> tuple[tuple[str, str], ...]:
    return tuple((beginning, word) for word, beginnings in _ABROAD.items() for beginning in beginnings.split())


def find_grave(text: str) -> Iterator[tuple[str, str]]:
    """Yield the grave words of a text, and the meaning of each."""
    for word in tokenise(text):
        # "Was dropped" tells that something ended.
        if word in ENDS:
            continue
        # A publisher is a company.
        forms = frozenset[str]() if word.startswith("publisher") else stem_forms(word)
        found = next((_stems()[form] for form in forms if form in _stems()), "")
        plain = unaccent(word)
        concept = found or next((meaning for start, meaning in _beginnings() if plain.startswith(start)), "")
        if concept:
            yield word, concept
    yield from ((start, meaning) for start, meaning in _beginnings() if start[0] >= "\u3000" and start in text)
