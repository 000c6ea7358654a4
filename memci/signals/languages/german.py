"""The words of German statements; languages/__init__.py tells how the patterns are written."""

_OPEN = r"(?:^|[,;:.!?()–—-] ?|\b(?:und|et|y|e|и|aber|mais|pero|mas|но|а|bitte|por favor|svp|пожалуйста) )"
# A noun with its article in front of the adverb: what follows describes a thing.
_DE_THING = r"(?:der|die|das|ein|eine|dieser|diese|dieses|mein|meine)"

CUES = {
    "kind": r"""
        ^(?:(?:und|aber|also|bitte|neue|alle|unsere|generell)_){0,2}(?!(?:die|der|das|wir|sie|es
        |ich)\b)(?:[\w/-]+_){0,3}[\w/-]+(?:en|s|e|er|n)_(?:gehören|gehört|kommen|kommt|landen|beginnen|enden|bleiben
        |heißen|laufen|gehen)_(?:\w+_){0,2}(?:in|nach|auf|ins|unter|mit|zu|zum|zur|über|an|als|im)\b
        ^(?:(?:und|aber|also|neue|alle|unsere)_){0,2}(?!(?:die|der|das|wir|sie|es
        |ich)\b)(?:[\w/-]+_){0,3}[\w/-]+_(?:werden|wird)_(?:\w+_){0,5}(?:geschrieben|benannt|gespeichert|angegeben
        |abgelegt|getestet|geloggt|gerundet|übersetzt|formatiert|geprüft|freigegeben|dokumentiert)\b
        ^(?:\w+_)?[\w-]+(?:en|s|e|er|n)_(?:immer_|nur_)?(?:auf|in|als|mit|ohne)_(?:englisch|deutsch|klein\w*|groß\w*
        |[\w-]+)(?:[,.;!]|$)
    """,
    "practice": r"""\bwir_(?:schreiben|nutzen|benutzen|verwenden|speichern|nennen|testen|deployen|taggen
        |halten)_\w""",
    "manner": r"""\b(?:von_hand|direkt|manuell|selbst|generierten?|im_test|in_tests|in_produktion)\b""",
    "standing": r"""
        \b(?:ab_(?:jetzt|sofort|heute|nun)|von_(?:jetzt|nun)_an|künftig|zukünftig|in_zukunft|fortan|ab_hier)\b
        \b(?:grundsätzlich|generell|prinzipiell|jedes_mal|jedesmal|beim_nächsten_mal|nächstes_mal|in_der_regel
        |standardmäßig)\b
        \b(?:für_die_zukunft|das_nächste_mal|fürs_nächste_mal|ein_für_alle_mal|von_heute_an|auf_dauer
        |solange_ich_nichts|ausschließlich|nie_wieder)\b
        \bals_(?:grund|faust)?regel\b|\b(?:machen|halten)_wir_(?:das_)?(?:ab|künftig|so:)
    """,
    "norm": rf"""
        {_OPEN}(?:nie|niemals|immer|stets|auf_keinen_fall|unter_keinen_umständen)_\w
        \bbitte\b.{{0,40}}\b(?:nie|niemals|immer|stets|kein|keine|keinen|nicht_mehr)\b
        \b(?:nie|niemals|immer|stets)\b.{{0,80}}\w(?:en|ern|eln)(?:[,.!]| ?$)
        \b(?:darf|dürfen|soll|sollen|muss|müssen|sollte|sollten|musst|sollst|darfst)\b.{{0,30}}\b(?:nie|niemals
        |immer|stets)\b
        \bwir_(?:\w+_){{1,2}}(?:nie|niemals|immer|nur|kein|keine|keinen|grundsätzlich)\b
    """,
    "stop": r"""
        \bhör(?:_|t_)?(?:bitte_)?auf\b.{0,40}\bzu\b
        \blass_(?:das|bitte|es)\b.{0,60}\b(?:sein|bleiben)\b
        \bnicht_(?:schon_)?wieder\b
        \bkeine?n?_\w+_mehr\b
        \bes_nervt\b|\bich_hasse_es\b
        \b(?:finger|hände|pfoten)_weg_von\b|\bschluss_mit\b|\bgenug_mit\b|\bverzichte_(?:bitte_)?auf\b|\bspar_dir\b
    """,
    "prefer": r"""
        \bich_(?:bevorzuge|mag|möchte_(?:immer|nie|keine?|nicht)|will_(?:immer|nie|keine?|nicht)|hätte_lieber
        |ziehe)\b
        \bwir_(?:bevorzugen|ziehen)\b
        \bohne_(?:rückfrage|absprache|mich_zu_fragen|zu_fragen|nachzufragen)\b
        \b(?:mir|mich)_(?:ist|sind)_.{0,30}lieber\b
        \bam_liebsten\b|\bich_(?:hätte|habe)_(?:es_)?gerne?\b.{0,60}\b(?:immer|jede\w?|alle|überall)\b|\b(?:ich_lege
        |wir_legen)_(?:\w+_)?wert_auf\b|\bmir_(?:ist|wäre|sind)_.{0,30}\b(?:lieber|wichtig)\b|\bich_finde_es_besser\b
        \bfrag(?:e)?_(?:mich|uns|bitte|immer|lieber)\b.{0,40}\b(?:bevor|vorher|erst|zuerst)\b
        \breicht_mir\b
    """,
    "banned": r"""
        \b(?:ist|sind)_(?:\w+_)?(?:verboten|tabu|pflicht|nicht_erlaubt|untersagt|vorgeschrieben|verpflichtend)\b
        \b(?:unsere|die)_(?:konvention|regel|vorgabe)_(?:ist|lautet)\b
        \bso_machen_wir_das_(?:hier_)?nicht\b
        \bohne_ausnahme\b
        \b(?:unsere?|die|eine|neue|interne)_(?:\w+_)?(?:konvention|regel|vorgabe|richtlinie|vereinbarung)\b.{0,30}:
        |\bist_(?:bei_uns_)?(?:tabu|heilig|gesetzt|standard|ein_no-?go|nicht_verhandelbar)\b
        \bso_(?:machen|halten|handhaben|schreiben)_wir_(?:das|es)\b
    """,
    "habit": r"""\b(?:bei|vor|nach)_(?:jedem|jeder)\b|\bimmer_wenn_du\b|\bwenn_du_(?:ein|eine|einen|neue|etwas)\b
        |\bjede[rs]?_neue\b
        \bjede[rsnm]?_(?:\w+_){1,3}(?:braucht|muss|bekommt|hat|kriegt)\b
        ^(?:und |aber |bitte )?(?:bei|für|vor|nach|in)_[\w-]+(?:en|n|s)_(?:\w+_){0,3}(?:immer|zuerst|erst|vorher
        |bitte|nie|stets|nur)\b
    """,
    "said": r"""\b(?:ich|wir)_(?:habe|haben|hab)_.{0,30}\bgesagt\b|\bwie_gesagt\b|\bzum_(?:dritten|zweiten
        |x-?ten)_mal\b""",
    "label": r"""\b(?:regeln|grundregeln|konventionen|richtlinien|vorgaben|merken|merk_dir)\b""",
    "forbid": rf"""
        {_OPEN}(?:kein|keine|keinen|nichts|nur|danach_nur_noch|nur_noch)_\w
        \bnicht_\w+en(?:[,.!]| ?$)
        \b(?:mach|nimm|benutz|nutz|verwende|änder|ändere|lösch|lösche|schreib|fass|pack|leg|setz|commite|committe
        |pushe)e?_(?:\w+_){{0,5}}(?:nicht|kein|keine|keinen)\b
        ^(?:bitte_)?\w+_(?:mir|uns)_(?:\w+_){{0,2}}(?:nicht|keine?n?)_\w
    """,
    "modal": r"""\b(?:muss|müssen|soll|sollen|sollte|darf|dürfen)\b""",
    "universal": r"""\b(?:überall|jede[rsnm]?|alle[rsnm]?|alles|sämtliche|kein|keine|keinen)\b""",
    "adverb": r"""\b(?:immer|nie|niemals|stets)\b""",
    "here": r"""\b(?:in_diesem|hier_im|bei_uns_im)_(?:repo|projekt|code|team)\b|\bbei_uns\b""",
    "please": r"""\bbitte\b""",
    "remember": r"""
        \b(?:merk|merke)_(?:dir|es_dir)\b(?!.{0,10}\?)
        \b(?:denk_(?:dran|daran)|vergiss_nicht),? (?:dass|:)
        \b(?:beachte|wichtig|hinweis|notiz|zur_info|zur_erinnerung|behalte?_im_(?:kopf|hinterkopf))\b[,:]?
        \b(?:gut_zu_wissen|nur_(?:dass|damit)_du_(?:es_|das_)?weißt|damit_du_(?:es_|das_)?weißt|fürs_protokoll
        |kurzer_hinweis|kleiner_hinweis|nicht_vergessen:|vergiss_nicht:)
    """,
    "forget": r"""\bvergiss_(?:die_(?:alte|letzte)_regel|was_ich)\b
        \b(?:vergiss|streich|ignorier\w?)_(?:bitte_)?(?:die|das|meine|unsere|den)_(?:\w+_){0,4}(?:regel|vorgabe
        |anweisung|konvention|hinweis|bitte)\b|\b(?:regel|vorgabe|konvention)_(?:\w+_){0,4}(?:gilt_nicht_mehr
        |ist_(?:hinfällig|überholt|aufgehoben|passé))\b
    """,
    "correct": r"""^(?:nein|nee|ne|falsch|stopp|halt|stimmt_nicht)\b[,.!:]|\bdas_(?:ist|stimmt)_(?:falsch|nicht
        |so_nicht)\b""",
    "contrast": r"""[,;–—-] ?(?:und_)?nicht_\w|\bstatt_\w|\banstatt\b|\bsondern\b|\bnur_für\b""",
    "confirm": r"""\b(?:genau_so|so)_(?:weiter|machen_wir_das_immer|mag_ich_das|will_ich_das)\b|\bweiter_so\b
        |\bgute_entscheidung\b|\bmach_das_(?:immer|weiter)_so\b""",
    "decide": r"""
        \b(?:wir|das_team)_(?:haben|hat)_.{0,80}\b(?:entschieden|beschlossen|umgestellt|abgelöst|migriert
        |vereinbart|abgeschafft|festgelegt|gewechselt)\b
        \b(?:wir|man)_(?:bleiben|wechseln|migrieren|ersetzen|stellen)\b
        \bentscheidung:
        \b(?:wurde|wurden)_(?:beschlossen|entschieden)\b
        \bes_bleibt_bei\b
        \b(?:wir_(?:setzen_auf|nehmen_(?:jetzt_)?\w+_statt|gehen_auf|haben_uns_\w+)|die_wahl_fiel|geeinigt
        |umgestiegen|festgelegt|verworfen)\b
        \bwir_(?:nehmen|nutzen|benutzen|verwenden|unterstützen)_.{2,30}\bnicht_mehr\b
    """,
    "reverse": r"""\bnicht_mehr\b|\bstatt_wie_bisher\b|\bdie_alte_regel\b|\bhabe?_(?:es_)?mir_anders_überlegt\b
        |\bumgestellt\b|\bgewechselt\b""",
    "deadline": r"""
        \b(?:frist|deadline|code-?freeze|freeze|stichtag|abgabe|abgabetermin|launch|release|go-?live|liefertermin)\b
        \b(?:wird|werden)_.{0,60}\b(?:abgeschaltet|gelöscht|umgestellt|eingestellt|abgelöst|migriert|entfernt
        |geschlossen|umgezogen|eingefroren)\b
        \b(?:läuft|laufen)_.{0,30}\baus\b|\b(?:beginnt|endet|startet|fällig)\b
        \bab_(?:dem|der)_(?:nächsten?|kommenden)_(?:release|version|monat|jahr|quartal|woche|sprint)\b
    """,
    "blocked": r"""\b(?:blockiert|wartet|pausiert|gesperrt)_(?:bis|auf|wegen|durch)\b|\bbis_.{2,50}\b(?:freigibt
        |freigegeben|zustimmt|fertig_ist)\b""",
    "owner": r"""\b(?:ist|sind)_(?:zuständig|verantwortlich)\b|\b(?:zuständig|verantwortlich
        |ansprechpartner(?:in)?)_(?:für|ist)\b|\bkümmert_sich_um\b
        \b(?:betreut|verantwortet|pflegt|übernimmt)_(?:jetzt_|ab_jetzt_)?(?:die|das|den|der)_
        |\bansprechpartner(?:in)?\b.{0,40}\bist\b|\bfragen_(?:zu|zum|zur)_.{1,40}\ban_\w
    """,
    "purpose": r"""\b(?:absichtlich|mit_absicht|absicht|bewusst_so|so_gewollt)\b|\bkein_(?:bug|fehler)\b""",
    "fact": r"""\b(?:läuft|liegt|liegen|laufen)_(?:jetzt|nun|inzwischen)\b|\bnicht_mehr\b|\bist_(?:jetzt|nun
        |umgezogen)\b
        \bwir_nehmen_.{2,30}\bnicht_mehr\b
    """,
    "aside": r"""\b(?:übrigens|zur_info|nebenbei|kontext|hintergrund)\b""",
    "system": r"""\b(?:confluence|wiki|laufwerk|nas|intranet|ticketsystem|sharepoint)\b""",
    "placed": r"""\b(?:ticketsystem|tracker|wiki|doku|board|dashboard)_ist_
        |\b(?:liegt|liegen|steht|stehen|findest_du|findet_man|dokumentiert|gehören|gehört|kommen|kommt
        |landen)_(?:\w+_)?(?:in|im|auf|unter|bei|ins|nach|beim)\b
        \b(?:verwalten|tracken|sammeln|dokumentieren|führen|pflegen)_wir_(?:\w+_)?(?:in|im|auf|über|mit)\b
        |\bwir_(?:verwalten|tracken|sammeln|dokumentieren|führen|pflegen)_.{2,40}\b(?:in|im|auf|über|mit)\b
        \b(?:sind|ist)_(?:alle_|immer_)?(?:im|in|auf|unter)_
    """,
    "person": r"""
        \bich_bin_(?:\w+_){0,3}(?:[\w-]*(?:entwickler|ingenieur|designer|manager|student|analyst|administrator
        |tester|berater|leiter|anfänger|forscher|lehrer|neuling|informatiker|physiker|architekt)(?:in)?|neu_(?:in
        |im|bei|hier)|sre|devops|dba|pm|po)\b
        \bich_(?:komme_(?:aus_(?:der|dem)|von)|arbeite_(?:als|seit)|mache_.{1,40}_(?:seit|zum_ersten_mal)
        |kenne_mich|programmiere_seit|habe_noch_nie)\b
        \b(?:seit_\w+_jahren|jahre_erfahrung)\b|\bzum_ersten_mal\b
        \bich_bin_(?:eigentlich_|von_beruf_|gelernte[rs]?_|nur_|\w+e[rs]?_){0,2}(?!(?:immer|hier|sicher|weiter
        |später|lieber|wieder|leider|aber|unter|über|hinter|außer|oder|schwer|leer|besser|früher|morgen|gerade
        |eben)\b)[\w-]{3,}(?:er|erin|or|orin|ist|istin|eur|eurin|loge|login|ant|antin|entin|arzt|ärztin|kraft|frau
        |mann|wirtin|wirt|ker|kerin)(?=[ ,.;:!)]|$)
        \bich_kenne_mich_.{1,40}\b(?:nicht|kaum|gut)_aus\b|\bist_(?:für_mich_)?(?:ganz_|völlig_
        |komplett_)?neu(?:land)?_für_mich\b|\b(?:ist|sind)_für_mich_(?:ganz_|völlig_)?neu(?:land)?\b|\bich_(?:leite
        |betreue|unterrichte|studiere)_
    """,
    "reason": r"""\b(?:weil|da|denn|sonst|damit|wegen|deshalb|deswegen|ansonsten)\b""",
    "clause": r""", ?(?:die|das|der|es|wir)_""",
    "incident": r"""\b(?:hat|haben)_uns\b|\b(?:letzte[ns]?|vorige[ns]?)_(?:woche|monat|mal|quartal|jahr)\b
        |\b(?:zerlegt|zerschossen|ausfall|ausgefallen|kaputt)\b""",
    "question": r"""
        ^(?:und |aber |ok |hm+ )?(?:warum|wieso|weshalb|wie|was|wo|wer|wann|welche[rsnm]?|soll(?:en|te
        |ten)?_(?:wir|ich|man|das)|kann(?:st)?_(?:man|ich|das|du)|ist_(?:das|es)|gibt_es|hast_du|haben_wir
        |muss_(?:man|ich|das))\b
        \bwas_meinst_du\b|\bfrage_mich\b
    """,
    "polite": r"""\b(?:kannst|könntest|würdest)_du\b.{0,50}\b(?:immer|nie|künftig|in_zukunft|ab_jetzt
        |jedes_mal)\b
        \b(?:kannst|könntest|würdest)_du_(?:bitte_)?.{0,20}\b(?:generell|grundsätzlich|jeweils|künftig|zukünftig
        |bei_jede[mr]|vor_jede[mr])\b|\bkönnen_wir_(?:uns_)?(?:bitte_)?(?:darauf_)?(?:einigen|festhalten
        |vereinbaren)\b
    """,
    "once": r"""
        \b(?:nur_)?(?:für|in|bei|auf)_(?:diese[nmrs]?|den_einen)_(?:\w+_)?(?:branch|pr|commit|mal|ticket|fall
        |aufgabe|änderung|test|datei|release|lauf)\b
        \b(?:diesmal|dieses_mal|ausnahmsweise|vorerst|erstmal|erst_mal|im_moment|gerade|momentan|nur_heute
        |für_heute|für_den_moment|vorläufig|nur_(?:dieses|das)_eine_mal|einmalig|jetzt_gerade|bis_ich)\b
        \b(?:heute|jetzt|gerade)_(?:bitte_)?(?:nicht|noch_nicht|erst)\b|\bnoch_nicht\b|\bhier_(?:mal|ausnahmsweise)\b
    """,
    "suppose": r"""\b(?:vielleicht|eventuell|angenommen|nehmen_wir_an|was_wäre|was_passiert|könnte[nst]?
        |würde[nst]?|wäre[n]?|bin_(?:mir_)?nicht_sicher)\b|^wenn_wir\b""",
    "sarcasm": r"""\b(?:na_toll|super_gemacht|ganz_toll|tolle_idee|herzlichen_glückwunsch)\b""",
    "story": r"""\b(?:in|bei)_(?:meiner|meinem)_(?:alten|letzten|früheren|vorigen)_\w+|\b(?:mein|meine)_(?:alter?
        |letzter?|früherer?|ehemaliger?)_(?:firma|chef|team|arbeitgeber)\b|\b(?:jemand|manche|leute
        |einige)_(?:\w+_){0,3}(?:sagt|sagen|meint|meinen|sagte)\b|\b(?:doku|anleitung|readme|artikel)_(?:sagt
        |behauptet|steht)\b""",
    "describe": rf"""
        (?:^|[,.;:!] ?){_DE_THING}_(?:\w+_){{1,4}}(?:immer|nie|niemals|stets)\b(?!.{{0,60}}\b(?:bitte|muss|soll
        |darf)\b)
        \b(?:ist|sind|war|läuft|schlägt|geht|kommt|gibt|zeigt|bleibt|hängt|klappt|funktioniert|wird
        |hat)_(?:\w+_){{0,2}}(?:immer|nie|niemals)\b
        \bwie_immer\b|\bimmer_(?:noch|wieder)\b|\bnoch_nie\b
    """,
    "dictate": r"""\b(?:nachricht|text|titel|überschrift|message)_(?:\w+_){0,2}QUOTE|\b(?:ersetze|schreib
        |nenn)\b.{0,40}QUOTE""",
    "chat": r"""\bimmer_gerne?\b|\bnie_gesehen\b|\bnoch_nie_(?:gesehen|gehört)\b""",
    "retract": r"""\b(?:vergiss_(?:das|es)|moment,? nein|doch_nicht|ach_nein|nein_warte|streich_das|quatsch
        |falsches_(?:repo|fenster|projekt))\b""",
    "task": r"""^(?:(?:ok|und|jetzt|dann|bitte|kannst_du|mal|noch)[,:]? ){0,3}(?:mach|füg|füge|schreib|fix|behebe
        |änder|ändere|zeig|erklär|erkläre|prüf|prüfe|schau|lösch|lösche|bau|baue|teste|starte|lass|setz|setze
        |nimm|benenn|leg|erstell|erstelle|committe|pushe|such|such)\b""",
    "trouble": r"""\b(?:fehler|kaputt|absturz|stürzt|hängt|schlägt_fehl|geht_nicht|funktioniert_nicht)\b""",
}

LEADS = "nein|nee|bitte|übrigens|zur info|merk dir|stopp|also|achtung|wichtig|hinweis|ach ja|und"
JOINED_LEADS = "übrigens"
