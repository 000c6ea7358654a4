"""The words of French statements; languages/__init__.py tells how the patterns are written."""

_OPEN = r"(?:^|[,;:.!?()–—-] ?|\b(?:und|et|y|e|и|aber|mais|pero|mas|но|а|bitte|por favor|svp|пожалуйста) )"
_FR_DO = (
    r"(?:fais|faites|mets|mettez|touche|touchez|utilise|utilisez|modifie|modifiez|commit\w{0,3}|pousse"
    r"|poussez|ajoute|ajoutez|supprime|supprimez|écris|écrivez|change|changez|lance|lancez|laisse|laissez"
    r"|crée|créez|oublie|oubliez|prends|prenez|déploie|déployez|réponds|répondez|garde|gardez|passe|passez"
    r"|rajoute|emploie|renomme|édite|appelle|stocke|log\w{0,3}|merge\w{0,2}|expose)"
)

CUES = {
    "practice": r"""\bon_(?:utilise|écrit|stocke|nomme|teste|déploie|met|garde|suit)_\w""",
    "manner": r"""\b(?:à_la_main|directement|manuellement|générée?s?|en_production|dans_les_tests)\b""",
    "standing": r"""\b(?:à_partir_de_maintenant|dorénavant|désormais|à_l_?avenir|à_compter_d|en_règle_générale
        |en_général|à_chaque_fois|la_prochaine_fois|systématiquement)\b|\bdorenavant\b|\bdesormais\b""",
    "norm": rf"""
        (?:^|[,.] ?)(?:les)_\w+(?:_\w+)?_toujours_(?:en|avec|sans|par|dans)_
        \b(?:ne_|n)(?:\w+_)?{_FR_DO}(?:-\w+)?_(?:\w+_)?jamais\b
        {_OPEN}(?:toujours|jamais)_\w
        {_OPEN}{_FR_DO}(?:-\w+)?_(?:\w+_)?(?:toujours|jamais)\b
        \b(?:il_faut|on_doit|tu_dois|vous_devez|doit|doivent|ne_doit|ne_doivent)\b.{{0,40}}\b(?:toujours|jamais)\b
        \bon_(?:ne_)?(?:\w+_)(?:jamais|toujours)\b
    """,
    "stop": r"""\b(?:arrête|arrêtez|arrete|cesse|cessez)_d|\bne_.{2,30}_plus\b(?!.{0,20}\?)
        |\bça_m_?énerve_quand\b""",
    "prefer": r"""\bje_(?:préfère|prefere|veux_(?:toujours|jamais)|ne_veux_pas_de|n_?aime_pas)\b|\bon_préfère\b
        |\bsans_me_demander\b|\bje_préférerais\b""",
    "banned": r"""\b(?:est|sont)_(?:interdite?s?|proscrite?s?|obligatoires?)\b|\bnotre_convention\b
        |\bsans_exception\b|\bla_règle_(?:est|ici)\b""",
    "habit": r"""\b(?:avant|après|à|pour)_chaque\b|\bquand_tu_(?:\w+_)(?:un|une|des|du)\b|\bchaque_(?:nouvelle
        |nouveau|fois)\b""",
    "said": r"""\bje_(?:te_l_?ai|l_?ai)_déjà_dit\b|\bcomme_je_(?:l_?ai_)?(?:dit|disais)\b""",
    "label": r"""\b(?:règles|conventions|consignes|à_retenir)\b""",
    "forbid": rf"""\b(?:ne_|n)(?:\w+_)?{_FR_DO}(?:-\w+)?_(?:pas|rien|plus)\b|{_OPEN}(?:pas_de|pas_d|aucun|aucune
        |évite|évitez)_\w""",
    "modal": r"""\b(?:doit|doivent|il_faut|devrait|devraient)\b""",
    "universal": r"""\b(?:partout|chaque|tous_les|toutes_les|tout|aucun|aucune|rien)\b""",
    "adverb": r"""\b(?:toujours|jamais)\b""",
    "here": r"""\b(?:dans_ce|sur_ce)_(?:dépôt|projet|repo|code)\b|\bchez_nous\b""",
    "please": r"""\b(?:stp|svp|s_?il_(?:te|vous)_pla[iî]t|merci_de)\b""",
    "remember": r"""\b(?:souviens-toi|rappelle-toi|retiens|retenez|n_?oublie_pas|note_bien
        |notez)_?(?:bien_)?(?:que|qu|:)|\b(?:pour_info|à_noter|à_savoir|pour_rappel)\b""",
    "forget": r"""\boublie_(?:l_?ancienne_règle|ce_que_j_?ai_dit)\b""",
    "correct": r"""^(?:non|nan|faux|stop|attends)\b[,.!:]|\bc_?est_(?:faux|pas_ça|inexact)\b""",
    "contrast": r"""[,;–—-] ?(?:et_)?(?:pas|non)_(?:de_|dans_|en_|sur_|à_|le_|la_|les_|un_)?\w|\bau_lieu_d
        |\bplutôt_que\b""",
    "confirm": r"""\bcontinue_comme_ça\b|\bc_?était_le_bon_choix\b|\bexactement_comme_ça\b.{0,40}\b(?:continue
        |toujours|garde)\b|\bbonne_décision\b|\bbon_choix\b""",
    "decide": r"""\b(?:on|nous)_(?:a|avons|ont)_(?:\w+_)?(?:décidé|choisi|migré|abandonné|remplacé|opté|convenu
        |basculé)\b|\bdécision_(?:de|:|prise)\b|\bon_(?:passe|reste|garde|abandonne)\b|\b(?:a|ont)_(?:décidé
        |exigé|demandé)\b""",
    "reverse": r"""\b(?:n_?est|ne_sont|n_?utilise|ne)_.{0,40}\bplus\b|\bj_?ai_changé_d_?avis\b
        |\bl_?ancienne_règle\b|\bon_est_passés?\b|\bon_a_(?:migré|basculé)\b""",
    "deadline": r"""\b(?:échéance|date_limite|deadline|gel|freeze|mise_en_production|livraison|lancement|rendu)\b
        |\b(?:sera|seront|va_être|vont_être)_(?:\w+_)?(?:supprimée?s?|coupée?s?|arrêtée?s?|désactivée?s?
        |migrée?s?|fermée?s?|éteinte?s?)\b|\b(?:commence|se_termine|expire)\b""",
    "blocked": r"""\b(?:bloquée?s?|en_attente|suspendue?s?)_(?:jusqu|tant|par|de|car)\b|\bjusqu_?à_ce_que\b""",
    "owner": r"""\b(?:est|sont)_(?:le_|la_|les_)?(?:responsables?|en_charge|chargée?s?)_(?:de|du|des)\b
        |\bs_?occupe_(?:de|du|des)\b""",
    "purpose": r"""\b(?:exprès|volontaire|volontairement|intentionnel(?:le)?|fait_exprès)\b""",
    "fact": r"""\b(?:est|sont)_(?:maintenant|désormais|passée?s?)\b""",
    "aside": r"""\b(?:au_fait|pour_info|contexte)\b""",
    "system": r"""\b(?:le_wiki|l_?intranet|le_drive|le_canal|le_tableau_de_bord)\b""",
    "placed": r"""\b(?:se_trouve|se_trouvent|est|sont|documentée?s?|vit|vivent|va|vont|suivis?)_(?:dans|sur|sous
        |au|aux)\b""",
    "person": r"""\bje_(?:suis|viens_(?:du|de))_(?:\w+_){0,3}(?:développeu(?:r|se)|dev|ingénieure?|designer|chef
        |cheffe|étudiante?|analyste|débutante?|chercheu(?:r|se)|data|responsable|nouveau|nouvelle
        |administrat(?:eur|rice)|architecte|testeu(?:r|se)|prof\w{0,6}|devops|sre)\b|\bje_(?:viens_du_monde
        |débute|travaille_(?:comme|en_tant|dans)|code_depuis|n_?ai_jamais_(?:touché|utilisé|fait))\b
        |\bc_?est_(?:tout_)?nouveau_pour_moi\b|\bpremière_fois_que_je\b|\bans_d_?expérience\b""",
    "reason": r"""\b(?:car|parce_qu\w{0,2}|sinon|puisque|à_cause|afin|pour_que|vu_que)\b""",
    "clause": r""", ?(?:ça|c_?est|on|il|elle|ils|le|la|les)_""",
    "incident": r"""\b(?:la_dernière_fois|la_semaine_dernière|le_mois_dernier|a_cassé|a_planté|panne|incident
        |audit)\b""",
    "question": r"""^(?:et |mais |ok )?(?:pourquoi|comment|qu_?est-ce|que_fait|quel(?:le)?s?|où|qui|quand_est
        |est-ce_que|faut-il|peut-on|doit-on|c_?est_quoi|tu_sais)\b""",
    "polite": r"""\b(?:peux-tu|pourrais-tu|tu_peux|pouvez-vous)\b.{0,50}\b(?:toujours|jamais|désormais
        |à_chaque_fois|dorénavant)\b""",
    "once": r"""\b(?:pour|juste_pour)_(?:cette|ce|cet)_(?:fois|pr|branche|commit|ticket|tâche|fichier|test
        |correctif)\b|\b(?:cette_fois|pour_l_?instant|pour_le_moment|aujourd_?hui_seulement|juste_pour_aujourd
        |exceptionnellement|en_attendant|temporairement|pour_une_fois)\b""",
    "suppose": r"""\b(?:peut-être|supposons|imaginons|si_on|on_pourrait|on_devrait_peut|je_me_demande
        |pas_sûre?)\b""",
    "sarcasm": r"""\b(?:bravo|génial,? merci|super,? merci|quelle_bonne_idée)\b""",
    "story": r"""\b(?:mon|ma)_(?:ancien|ancienne|précédent|précédente)_\w+|\b(?:quelqu_?un|certains
        |les_gens)_(?:\w+_){0,2}(?:dit|disent|a_dit)\b|\bla_doc_dit\b""",
    "describe": r"""(?:^|[,.;:!] ?)(?:le|la|les|l|un|une|ce|cette|ça)_(?:\w+_){1,4}(?:toujours
        |jamais)\b(?!.{0,60}\b(?:doit|doivent)\b)|\bcomme_toujours\b|\bjamais_vu\b""",
    "dictate": r"""\b(?:message|texte|titre)_(?:\w+_){0,2}QUOTE|\bremplace\b.{0,60}QUOTE""",
    "retract": r"""\b(?:oublie_(?:ça|ce_que_je_viens)|attends,? non|en_fait_non|non_finalement|laisse_tomber
        |je_me_suis_trompée?|mauvais_(?:dépôt|projet))\b""",
    "task": r"""^(?:(?:ok|et|maintenant|puis|alors|peux-tu|tu_peux|stp)[,:]? ){0,3}(?:ajoute|ajouter|corrige
        |corriger|écris|montre|explique|regarde|vérifie|supprime|change|fais|mets|crée|lance|renomme|déplace
        |teste|revois|continue)\b""",
    "trouble": r"""\b(?:bug|erreur|plante|cassée?|marche_pas|échoue)\b""",
}

LEADS = "non|au fait|pour info|attention|stp|alors|et"
JOINED_LEADS = "au fait"
