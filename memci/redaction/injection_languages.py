"""The phrases of `injection` in the other languages that memci reads, in the notation of `injection_phrases`."""

# Kind, literals of which one must occur, phrase.
FOREIGN_PHRASES: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (
        "override",
        ("忽略", "无视", "無視", "忘记", "忘記"),
        r"(?:忽略|无视|無視|忘记|忘記)掉?(?:你|您)?(?:所有|之前|以上|先前|前面|上述|上面|此前|全部|一切|的){1,5}(?:指令|指示|命令|提示|规则|規則|说明)",
    ),
    (
        "concealment",
        ("用户", "使用者"),
        r"(?:不要|别|切勿|请勿|不必)(?:告诉|告知|通知|让)(?:用户|使用者)(?:知道)?(?:这件事|此事|这一点|这些)?(?=[.,;:!)。]|_?\n|_?$)",
    ),
    (
        "override",
        ("無視", "忘れ"),
        r"(?:以前|これまで|上記|前|今まで|先ほど)(?:の|まで)(?:すべて|全て|全部)?の?(?:指示|命令|ルール|プロンプト)(?:は|を)?(?:すべて|全て|全部)?(?:無視|忘れ)",
    ),
    (
        "concealment",
        ("ユーザー",),
        r"ユーザーに(?:は)?(?:このことを|何も|これを)?(?:言わない|伝えない|知らせない|報告しない|話さない)(?:で|こと)",
    ),
    (
        "override",
        ("ignorier", "vergiss", "missacht"),
        (
            r"\b(?:ignoriere?n?|vergiss|missachte)_(?:(?:bitte|alle|alles|sämtliche|die|deine|was|das)_?,?_){0,3}"
            r"(?:vorherigen|bisherigen|obigen|früheren|vorangegangenen|vorher|bisher|oben|zuvor)_"
            r"(?:(?:anweisungen|befehle|vorgaben|regeln|instruktionen)|(?:gesagt|geschrieben)\b)"
        ),
    ),
    (
        "concealment",
        ("nutzer", "anwender"),
        (
            r"\b(?:sage?_(?:es_|das_)?dem_(?:be)?nutzer_(?:nichts|nicht)|(?:be)?nutzer_nichts_(?:davon_)?(?:sagen|erzählen)"
            r"|ohne_(?:es_)?dem_(?:be)?nutzer_zu_sagen|(?:(?:be)?nutzer|anwender)_(?:darf|soll)_(?:davon_|das_)?nichts?_(?:davon_)?(?:erfahren|wissen|merken))"
        ),
    ),
    (
        "override",
        ("instructions", "consignes", "règles"),
        (
            r"\b(?:ignore[zr]?|oublie[zr]?)_(?:toutes_)?(?:(?:les|tes|vos)_(?:instructions|consignes|règles)_(?:précédentes|antérieures|ci-dessus)"
            r"|(?:tes|vos)_(?:instructions|consignes)\b)"
        ),
    ),
    (
        "concealment",
        ("utilisateur",),
        (
            r"\bn(?:e_|')(?:le_|la_|en_)?(?:dis|dites|parle|parlez|mentionne|mentionnez|signale|signalez)_(?:rien|pas|jamais)_(?:cela_|ceci_)?à_l'utilisateur"
            r"|\bsans_(?:le_dire_à|en_informer|prévenir)_l'utilisateur"
        ),
    ),
    (
        "override",
        ("instrucciones", "instruções", "reglas", "regras"),
        r"\b(?:ignor[ae]|olvid[ae]|esqueça)_(?:todas_)?(?:las|tus|sus|as|suas)_(?:instrucciones|instruções|reglas|regras)_(?:anteriores|previas|prévias)",
    ),
    (
        "concealment",
        ("usuario", "usuário"),
        (
            r"\bno_(?:se_lo_|le_)?(?:digas|menciones|informes|cuentes)_(?:esto_|nada_)?al_usuario"
            r"|\bnão_(?:diga|conte|mencione|informe)_(?:(?:isso|isto|nada)_)?a?o_usuário|\bsem_(?:avisar|informar)_o_usuário|\bsin_(?:avisar|decirle|informar)_al_usuario"
        ),
    ),
    (
        "override",
        ("инструкции", "указания", "команды", "правила"),
        r"\b(?:игнорируй|проигнорируй|забудь)(?:те)?_(?:все_|всё_)?(?:предыдущие|прежние|вышеуказанные)_(?:инструкции|указания|команды|правила)",
    ),
    (
        "concealment",
        ("пользовател",),
        r"\bне_(?:говори|сообщай|рассказывай|упоминай)(?:те)?_(?:(?:об_этом|это|ничего)_)?пользователю|\bвтайне_от_пользователя",
    ),
    (
        "override",
        ("무시",),
        r"(?:이전|위의|기존)의?_(?:모든_)?(?:지시|명령|프롬프트|규칙)(?:사항)?(?:를|을)?_(?:모두_)?무시",
    ),
    ("concealment", ("사용자에게",), r"사용자에게(?:_[가-힣]{1,6}){0,3}_(?:알리지|말하지|보고하지)_(?:마|말)"),
)
