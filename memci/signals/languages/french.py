"""The words of French statements; languages/__init__.py tells how the patterns are written."""

_OPEN = r"(?:^|[,;:.!?()–—-] ?|\b(?:und|et|y|e|и|aber|mais|pero|mas|но|а|bitte|por favor|svp|пожалуйста) )"
_FR_DO = (
    r"(?:fais|faites|mets|mettez|touche|touchez|utilise|utilisez|modifie|modifiez|commit\w{0,3}|pousse"
    r"|poussez|ajoute|ajoutez|supprime|supprimez|écris|écrivez|change|changez|lance|lancez|laisse|laissez"
    r"|crée|créez|oublie|oubliez|prends|prenez|déploie|déployez|réponds|répondez|garde|gardez|passe|passez"
    r"|rajoute|emploie|renomme|édite|appelle|stocke|log\w{0,3}|merge\w{0,2}|expose)"
)

CUES = {
    "kind": r"""
        ^(?:(?:et|mais|donc|nos|tous)_){0,2}(?:les|nos|toutes_les|tous_les)_(?:[\w'-]+_){1,4}(?:vont|se_mettent
        |se_rangent|restent|commencent|finissent|passent|doivent|s_?écrivent|se_font|sont_(?:écrits?|écrites?
        |nommée?s?|stockée?s?|rédigée?s?|générée?s?))_(?:dans|en|par|sous|avec|sur|au|aux|être|rester|à|sans)\b
    """,
    "practice": r"""\bon_(?:utilise|écrit|stocke|nomme|teste|déploie|met|garde|suit)_\w""",
    "manner": r"""\b(?:à_la_main|directement|manuellement|générée?s?|en_production|dans_les_tests)\b""",
    "standing": r"""\b(?:à_partir_de_maintenant|dorénavant|désormais|à_l_?avenir|à_compter_d|en_règle_générale
        |en_général|à_chaque_fois|la_prochaine_fois|systématiquement)\b|\bdorenavant\b|\bdesormais\b
        \b(?:une_fois_pour_toutes|pour_la_suite|pour_l_?avenir|par_défaut|de_manière_générale
        |par_principe|à_chaque_(?:commit|pr|version|modification)|uniquement|exclusivement)\b
        |\bmettons-nous_d_?accord\b|\bon_peut_se_mettre_d_?accord\b
    """,
    "norm": rf"""
        (?:^|[,.] ?)(?:les)_\w+(?:_\w+)?_toujours_(?:en|avec|sans|par|dans)_
        \b(?:ne_|n)(?:\w+_)?{_FR_DO}(?:-\w+)?_(?:\w+_)?jamais\b
        {_OPEN}(?:toujours|jamais)_\w
        {_OPEN}{_FR_DO}(?:-\w+)?_(?:\w+_)?(?:toujours|jamais)\b
        \b(?:il_faut|on_doit|tu_dois|vous_devez|doit|doivent|ne_doit|ne_doivent)\b.{{0,40}}\b(?:toujours|jamais)\b
        \bon_(?:ne_)?(?:\w+_)(?:jamais|toujours)\b
    """,
    "stop": r"""\b(?:arrête|arrêtez|arrete|cesse|cessez)_d|\bne_.{2,30}_plus\b(?!.{0,20}\?)
        |\bça_m_?énerve_quand\b
        \b(?:évite|évitez)_de_\w+(?:er|ir|re)\b|\bplus_(?:jamais_)?d(?:e_|)\w+_(?:dans|s_?il|svp|stp)\b|\bfini_les\b
        |\bpas_touche\b|\bça_m_?agace\b
    """,
    "prefer": r"""\bje_(?:préfère|prefere|veux_(?:toujours|jamais)|ne_veux_pas_de|n_?aime_pas)\b|\bon_préfère\b
        |\bsans_me_demander\b|\bje_préférerais\b
        \bje_(?:voudrais|souhaite|aimerais)_(?:que_)?(?:tu_|vous_)?.{0,40}\b(?:toujours|jamais|chaque
        |systématiquement|à_l_?avenir)\b|\bj_?aime_(?:bien_|mieux_)?(?:que|quand|les)\b|\bje_tiens_à_ce_que\b
        |\bdemande-moi_(?:toujours_)?avant\b|\bprivilégie[zr]?_\w
    """,
    "banned": r"""\b(?:est|sont)_(?:interdite?s?|proscrite?s?|obligatoires?)\b|\bnotre_convention\b
        |\bsans_exception\b|\bla_règle_(?:est|ici)\b
        \b(?:est|sont)_(?:non_négociables?|sacrée?s?|bannie?s?|la_norme|la_règle|hors_limites?)\b|\b(?:nouvelle
        |notre|une)_règle\b.{0,30}:|\bc_?est_la_règle\b
    """,
    "habit": r"""\b(?:avant|après|à|pour)_chaque\b|\bquand_tu_(?:\w+_)(?:un|une|des|du)\b|\bchaque_(?:nouvelle
        |nouveau|fois)\b
        \bchaque_(?:\w+_){1,3}(?:doit|nécessite|a_besoin|demande|passe|exige)\b|\bt(?:ous
        |outes)_les_(?:\w+_){1,3}(?:doivent|nécessitent|ont_besoin|passent)\b
    """,
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
        |notez)_?(?:bien_)?(?:que|qu|:)|\b(?:pour_info|à_noter|à_savoir|pour_rappel)\b
        \b(?:garde|gardez|aie)_(?:bien_)?(?:ça_)?(?:en_tête|à_l_?esprit)\b|\bsache_que\b|\bpetite?_(?:note|précision
        |rappel)\b|\brappel_?:|\bnote_?:|\bimportant_?:
    """,
    "forget": r"""\boublie_(?:l_?ancienne_règle|ce_que_j_?ai_dit)\b
        \b(?:oublie|ignore|laisse_tomber|annule)_(?:la|ma|mes|les|l)_?(?:\w+_){0,3}(?:règle|consigne|consignes
        |convention|remarque)\b|\b(?:règle|consigne)_(?:\w+_){0,4}(?:ne_s_?applique_plus|n_?est_plus|est_caduque
        |est_levée)\b
    """,
    "correct": r"""^(?:non|nan|faux|stop|attends)\b[,.!:]|\bc_?est_(?:faux|pas_ça|inexact)\b""",
    "contrast": r"""[,;–—-] ?(?:et_)?(?:pas|non)_(?:de_|dans_|en_|sur_|à_|le_|la_|les_|un_)?\w|\bau_lieu_d
        |\bplutôt_que\b""",
    "confirm": r"""\bcontinue_comme_ça\b|\bc_?était_le_bon_choix\b|\bexactement_comme_ça\b.{0,40}\b(?:continue
        |toujours|garde)\b|\bbonne_décision\b|\bbon_choix\b""",
    "decide": r"""\b(?:on|nous)_(?:a|avons|ont)_(?:\w+_)?(?:décidé|choisi|migré|abandonné|remplacé|opté|convenu
        |basculé)\b|\bdécision_(?:de|:|prise)\b|\bon_(?:passe|reste|garde|abandonne)\b|\b(?:a|ont)_(?:décidé
        |exigé|demandé)\b
        \bon_(?:part|est_partis?|bascule|migre|laisse_tomber|arrête)_(?:sur|vers|avec|le|la|les)?\b|\b(?:on_s_?est
        |nous_nous_sommes)_mis_d_?accord\b|\bc_?est_(?:acté|décidé|tranché)\b|\bon_ne_(?:peut|supporte
        |maintient)_(?:pas|plus)\b
    """,
    "reverse": r"""\b(?:n_?est|ne_sont|n_?utilise|ne)_.{0,40}\bplus\b|\bj_?ai_changé_d_?avis\b
        |\bl_?ancienne_règle\b|\bon_est_passés?\b|\bon_a_(?:migré|basculé)\b""",
    "deadline": r"""\b(?:échéance|date_limite|deadline|gel|freeze|mise_en_production|livraison|lancement|rendu)\b
        |\b(?:sera|seront|va_être|vont_être)_(?:\w+_)?(?:supprimée?s?|coupée?s?|arrêtée?s?|désactivée?s?
        |migrée?s?|fermée?s?|éteinte?s?)\b|\b(?:commence|se_termine|expire)\b""",
    "blocked": r"""\b(?:bloquée?s?|en_attente|suspendue?s?)_(?:jusqu|tant|par|de|car)\b|\bjusqu_?à_ce_que\b""",
    "owner": r"""\b(?:est|sont)_(?:le_|la_|les_)?(?:responsables?|en_charge|chargée?s?)_(?:de|du|des)\b
        |\bs_?occupe_(?:de|du|des)\b
        \b(?:gère|maintient|pilote|reprend)_(?:maintenant_|désormais_)?(?:le|la|les|l)_\w|\b(?:questions?
        |demandes?)_.{1,40}\bà_[\w]+\b.{0,10}$
    """,
    "purpose": r"""\b(?:exprès|volontaire|volontairement|intentionnel(?:le)?|fait_exprès)\b""",
    "fact": r"""\b(?:est|sont)_(?:maintenant|désormais|passée?s?)\b""",
    "aside": r"""\b(?:au_fait|pour_info|contexte)\b""",
    "system": r"""\b(?:le_wiki|l_?intranet|le_drive|le_canal|le_tableau_de_bord)\b""",
    "placed": r"""\b(?:se_trouve|se_trouvent|est|sont|documentée?s?|vit|vivent|va|vont|suivis?)_(?:dans|sur|sous
        |au|aux)\b
        \bon_(?:suit|gère|range|documente|met|garde|stocke)_.{2,40}\b(?:dans|sur)\b|\b(?:tout_est|elles?_sont
        |ils_sont)_(?:dans|sur)\b
    """,
    "person": r"""\bje_(?:suis|viens_(?:du|de))_(?:\w+_){0,3}(?:développeu(?:r|se)|dev|ingénieure?|designer|chef
        |cheffe|étudiante?|analyste|débutante?|chercheu(?:r|se)|data|responsable|nouveau|nouvelle
        |administrat(?:eur|rice)|architecte|testeu(?:r|se)|prof\w{0,6}|devops|sre)\b|\bje_(?:viens_du_monde
        |débute|travaille_(?:comme|en_tant|dans)|code_depuis|n_?ai_jamais_(?:touché|utilisé|fait))\b
        |\bc_?est_(?:tout_)?nouveau_pour_moi\b|\bpremière_fois_que_je\b|\bans_d_?expérience\b
        \bje_suis_(?:plutôt_|juste_|actuellement_|une?_|[\w]+_){0,2}(?!(?:ailleurs|meilleure?|plusieurs|inférieur
        |leur|hier|premier|derrière|dernier|entier)\b)[\w-]{2,}(?:eur|euse|ien|ienne|iste|teur|trice|ologue|graphe
        |avocate?|juriste|comptable|médecin|infirmier|infirmière|archéologue|prof|pompier)(?=[ ,.;:!)]|$)
        \bje_(?:ne_)?(?:connais|maîtrise|comprends)_(?:pas|mal|peu|rien|bien|très_bien)\b(?!.{0,12}(?:pourquoi
        |l_?erreur|ce_que))|\bje_n_?y_connais_rien\b|\bje_débute\b|\b(?:est|c_?est)_(?:tout_)?nouveau_pour_moi\b
        |\bje_(?:dirige|enseigne|étudie)_
    """,
    "reason": r"""\b(?:car|parce_qu\w{0,2}|sinon|puisque|à_cause|afin|pour_que|vu_que)\b""",
    "clause": r""", ?(?:ça|c_?est|on|il|elle|ils|le|la|les)_""",
    "incident": r"""\b(?:la_dernière_fois|la_semaine_dernière|le_mois_dernier|a_cassé|a_planté|panne|incident
        |audit)\b""",
    "question": r"""^(?:et |mais |ok )?(?:pourquoi|comment|qu_?est-ce|que_fait|quel(?:le)?s?|où|qui|quand_est
        |est-ce_que|faut-il|peut-on|doit-on|c_?est_quoi|tu_sais)\b""",
    "polite": r"""\b(?:peux-tu|pourrais-tu|tu_peux|pouvez-vous)\b.{0,50}\b(?:toujours|jamais|désormais
        |à_chaque_fois|dorénavant)\b
        \b(?:peux-tu|pourrais-tu|tu_peux|tu_pourrais|pouvez-vous)\b.{0,60}\b(?:toujours|systématiquement
        |à_chaque_fois|désormais|dorénavant|à_l_?avenir|plus_jamais|chaque)\b
    """,
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
