"""The words of Spanish statements; languages/__init__.py tells how the patterns are written."""

_OPEN = r"(?:^|[,;:.!?()–—-] ?|\b(?:und|et|y|e|и|aber|mais|pero|mas|но|а|bitte|por favor|svp|пожалуйста) )"
_ES_DO = (
    r"(?:usa|usen|use|pon|haz|escribe|añade|agrega|ejecuta|corre|borra|toca|cambia|crea|sube|guarda|deja"
    r"|revisa|evita|pregunta|responde|mantén|prueba|despliega|llama|edita|modifica|consulta|incluye)"
)

CUES = {
    "kind": r"""
        ^(?:(?:y|pero|nuestros|nuestras|todos|todas)_){0,2}(?:los|las)_(?:[\w-]+_){1,4}(?:van|deben|empiezan
        |terminan|se_(?:escriben|guardan|nombran|ponen|quedan|hacen|prueban)|quedan|pasan|llevan
        |tienen_que)_(?:siempre_)?(?:en|con|por|a|bajo|sin|ser|estar|al|un|una|como)\b
    """,
    "practice": r"""\b(?:usamos|escribimos|guardamos|nombramos|probamos|desplegamos|seguimos)_\w""",
    "manner": r"""\b(?:a_mano|directamente|manualmente|generad[oa]s?|en_producción|en_los_tests)\b""",
    "standing": r"""\b(?:a_partir_de_(?:ahora|hoy)|de_ahora_en_adelante|en_adelante|desde_ahora|en_el_futuro
        |por_regla_general|en_general[,:]|cada_vez_que|la_próxima_vez|por_defecto,? usa)\b
        \b(?:de_aquí_en_adelante|por_norma|como_norma|de_forma_predeterminada|de_una_vez_por_todas|para_la_próxima
        |para_el_futuro|a_futuro|exclusivamente|únicamente|en_lo_sucesivo)\b|\bquedemos_en\b
    """,
    "norm": rf"""
        (?:^|[,.] ?)(?:los|las)_\w+(?:_\w+)?_siempre_(?:en|con|sin|por|desde)_
        {_OPEN}(?:nunca|jamás|siempre)_\w
        \b{_ES_DO}_(?:\w+_)?(?:siempre|nunca)\b
        \b(?:debe|deben|debes|tiene_que|tienen_que|hay_que)\b.{{0,40}}\b(?:siempre|nunca)\b
        \b(?:siempre|nunca)_(?:debe|deben|hay_que)\b
        \bno_\w+(?:es|as|n)?_(?:\w+_){{0,3}}nunca\b
        \b(?:siempre|nunca)_\w+(?:mos)\b
    """,
    "stop": r"""\b(?:deja|dejen|para|basta)_de_\w+(?:ar|er|ir)\b|\bno_vuelvas_a\b|\bya_no_(?:uses|hagas|pongas)\b
        |\bodio_(?:que|cuando)\b
        \b(?:evita|eviten)_\w+(?:ar|er|ir)\b|\bno_(?:\w+(?:es|as)|más)_más\b|\bno_más_\w|\bme_molesta_(?:que
        |cuando)\b|\bni_se_te_ocurra\b
    """,
    "prefer": r"""\b(?:yo_)?prefiero\b(?!_(?:este|esta|el_(?:primero|segundo)))|\bpreferimos\b
        |\bsin_(?:preguntarme|preguntar|consultarme)\b|\bno_quiero_(?!el|la|que_(?:se|lo))\w|\bme_gusta_que\b
        \bquiero_que_(?:siempre|nunca|cada|todos|todas)\b|\bme_gusta(?:n|ría)?_(?:que|los|las|cuando)\b
        |\bpregúntame_(?:siempre_|primero_)?(?:antes|primero)\b|\bavísame_(?:siempre_)?antes\b
    """,
    "banned": r"""\b(?:está|están)_(?:\w+_)?(?:prohibid[oa]s?|vetad[oa]s?)\b|\b(?:es|son)_obligatori[oa]s?\b
        |\bnuestra_(?:convención|regla|norma)\b|\bsin_excepci(?:ón|ones)\b|\baquí_no_(?:hacemos|usamos)\b
        \b(?:es|son)_(?:innegociables?|sagrad[oa]s?|la_norma|el_estándar|intocables?)\b|\b(?:nueva|nuestra
        |una)_(?:regla|norma|política)\b.{0,30}:|\bestá_prohibido\b|\bno_se_(?:permite|toca|tocan|permiten|debe
        |deben)\b
    """,
    "habit": r"""\b(?:antes|después)_de_(?:cada|cualquier|abrir|hacer)\b|\ben_cada\b|\bcuando_(?:\w+_)(?:un
        |una)_\w|\bcada_(?:nuevo|nueva|pr|commit|migración|endpoint)\b
        \bcada_(?:\w+_){1,3}(?:necesita|debe|lleva|tiene_que|requiere|va)\b
        |\btod[oa]s?_(?:l[oa]s_)?(?:\w+_){1,3}(?:necesitan?|deben?|llevan?|tienen?_que|requieren?|van)\b
    """,
    "said": r"""\bya_te_(?:dije|lo_dije|he_dicho)\b|\bcomo_(?:ya_)?(?:dije|te_dije)\b""",
    "label": r"""\b(?:reglas|convenciones|normas|recuerda)\b""",
    "forbid": rf"""{_OPEN}no_(?:uses|usen|toques|hagas|pongas|metas|subas|borres|cambies|modifiques|edites|añadas
        |agregues|escribas|crees|dejes|llames|ejecutes|despliegues|mezcles|instales|commitees|hagan|comitees)\b
        |{_OPEN}(?:nada_de|ningún|ninguna|evita)_\w""",
    "modal": r"""\b(?:debe|deben|hay_que|tiene_que|tienen_que|debería|deberían)\b""",
    "universal": r"""\b(?:en_todas_partes|cada|todos_los|todas_las|todo|ningún|ninguna|nada)\b""",
    "adverb": r"""\b(?:siempre|nunca|jamás)\b""",
    "here": r"""\ben_este_(?:repo|proyecto|código|repositorio)\b""",
    "please": r"""\bpor_favor\b|\bporfa\b""",
    "remember": r"""(?<!¿)\b(?:recuerda|acuérdate|recuérdalo|recuerden|recordad|ten_en_cuenta|no_olvides
        |toma_nota|anota)_?(?:de_)?(?:que|:)|\b(?:nota|importante|recordatorio|para_que_sepas):
        \b(?:ten|tened|tenga)_(?:esto_|eso_)?(?:en_cuenta|presente)\b|\bque_conste\b|\bojo:|\bojo_con\b
        |\bpara_tu_información\b|\brecuerda:|\bapunta:
    """,
    "forget": r"""\bolvida_(?:la_regla|lo_que_(?:te_)?dije)\b
        \b(?:olvida|ignora|descarta|anula)_(?:la|el|mi|mis|las|lo)_(?:\w+_){0,4}(?:regla|norma|instrucción
        |instrucciones|convención)\b|\b(?:regla|norma)_(?:\w+_){0,4}(?:ya_no_(?:aplica|vale)|queda_anulada)\b
    """,
    "correct": r"""^(?:no|nop|mal|para|incorrecto)\b[,.!:]|\b(?:eso|esto)_(?:está_mal|no_es_(?:así|correcto))\b""",
    "contrast": r"""[,;–—-] ?(?:y_)?no_(?:en_|con_|a_|de_|el_|la_)\w|\ben_(?:vez|lugar)_de\b|\bsino\b""",
    "confirm": r"""\bsigue_(?:así|haciéndolo)\b|\bfue_la_decisión_correcta\b|\bbuena_decisión\b
        |\bexactamente_así\b.{0,40}\b(?:sigue|siempre)\b|\bhazlo_siempre_así\b""",
    "decide": r"""\b(?:hemos|decidimos|habíamos)_?(?:decidido|acordado|migrado|optado|elegido|cambiado|no|usar
        |mantener|dejar|quedarnos)\b|\b(?:acordamos|migramos|cambiamos_a|elegimos|optamos|abandonamos|dejamos_de
        |nos_quedamos|pasamos_a)\b|\bdecisión_(?:de|:|tomada)\b|\b(?:decidió|exigió|pidió)\b
        \bnos_(?:vamos|pasamos|quedamos|decidimos|decantamos)_(?:con|a|por)\b|\bhemos_(?:pasado|dejado|elegido
        |decidido|acordado|descartado)\b|\bqueda_(?:decidido|acordado)\b|\bya_(?:migramos|pasamos|no_(?:usamos
        |soportamos))\b|\bno_podemos_(?:actualizar|usar|migrar|subir)\b
    """,
    "reverse": r"""\bya_no\b|\bcambié_de_(?:opinión|idea)\b|\bhe_cambiado_de\b|\bla_regla_(?:vieja|antigua
        |anterior)\b|\b(?:migramos|cambiamos)_a\b""",
    "deadline": r"""\b(?:fecha_límite|plazo|entrega|congelación|freeze|lanzamiento|deadline|cierre)\b
        |\bse_(?:apaga|elimina|cierra|borra|desactiva|retira|congela|migra)\b|\b(?:será|serán|va_a_ser)_(?:apagad
        |eliminad|migrad|borrad|retirad)[oa]s?\b|\b(?:empieza|comienza|termina|vence|caduca)\b""",
    "blocked": r"""\b(?:bloquead[oa]s?|en_espera|pausad[oa]s?|parad[oa]s?)_(?:hasta|por|de)\b
        |\bhasta_que_.{2,50}\b(?:apruebe|firme|termine|salga|publique)\b""",
    "owner": r"""\b(?:es|son)_(?:el_|la_|los_)?(?:responsables?|encargad[oa]s?|dueñ[oa]s?)_(?:de|del)\b
        |\bse_encarga_(?:de|del)\b
        \b(?:lleva|gestiona|mantiene|coordina)_(?:ahora_)?(?:el|la|los|las)_\w|\bl[oa]s?_(?:dudas|preguntas
        |consultas)_.{1,40}\b(?:a|con)_\w
    """,
    "purpose": r"""\b(?:a_propósito|intencional|adrede|deliberado)\b""",
    "fact": r"""\b(?:ahora_(?:es|está|son|usamos)|ya_no)\b""",
    "aside": r"""\b(?:por_cierto|para_que_sepas|contexto)\b""",
    "system": r"""\b(?:el_wiki|la_wiki|el_canal|el_tablero|la_intranet)\b""",
    "placed": r"""\b(?:está|están|vive|viven|va|van|se_encuentran?|se_reportan?|se_registran?
        |documentad[oa]s?)_(?:en|al?|bajo)\b
        \b(?:gestionamos|llevamos|guardamos|documentamos|registramos|seguimos)_.{2,40}\b(?:en|con)\b
    """,
    "person": r"""\b(?:soy|vengo_(?:de|del))_(?:\w+_){0,3}(?:desarrollador|desarrolladora|ingenier[oa]
        |programador|programadora|diseñador|diseñadora|analista|estudiante|científic[oa]|nuev[oa]|principiante
        |gerente|jef[ea]|arquitect[oa]|dev|sre|qa|investigador|investigadora|profesora?|backend|frontend|java
        |mundo)\b|\b(?:es_)?mi_primera_vez\b|\bprimera_vez_que_(?:uso|toco|trabajo)\b|\b(?:trabajo_(?:como|de)
        |llevo_\w+_años|nunca_he_(?:usado|tocado|trabajado))\b|\baños_de_experiencia\b
        \bsoy_(?!(?:yo|el_que|la_que|consciente|capaz|de_la_opinión)\b)\w|\bno_(?:sé|entiendo|conozco)_(?:mucho|nada
        |casi_nada|bien)_de\b|\bes_nuevo_para_mí\b|\b(?:dirijo|enseño|estudio)_\w|\btrabajo_(?:en|desde
        |con)_(?!(?:esto|eso|ello)\b)
    """,
    "reason": r"""\b(?:porque|ya_que|si_no|pues|debido|para_que|de_lo_contrario|sino)\b""",
    "clause": r""", ?(?:la|el|los|las|se|es|lo|nos)_""",
    "incident": r"""\b(?:la_última_vez|la_semana_pasada|el_mes_pasado|rompimos|se_cayó|tumbó|auditoría
        |incidente)\b""",
    "question": r"""¿|^(?:y |pero |ok )?(?:por_qué|cómo|qué|cuál(?:es)?|dónde|quién|cuándo|deberíamos|se_puede
        |puedo|hay_que_\w+.*\?)(?!\w)""",
    "polite": r"""\b(?:puedes|podrías)\b.{0,50}\b(?:siempre|nunca|en_adelante|a_partir_de_ahora|cada_vez)\b
        \b(?:puedes|podrías|podéis|podemos)\b.{0,60}\b(?:siempre|nunca|en_el_futuro|de_ahora|desde_ahora|cada
        |dejar_de)\b
    """,
    "once": r"""\b(?:solo_)?(?:por|para|en)_(?:esta|este)_(?:vez|pr|rama|commit|tarea|archivo|caso|cambio)\b
        |\b(?:esta_vez|por_ahora|de_momento|por_el_momento|solo_hoy|por_hoy|ahora_mismo|temporalmente
        |mientras_tanto|por_una_vez)\b""",
    "suppose": r"""\b(?:quizás?|tal_vez|supongamos|imagina|y_si|podríamos|a_lo_mejor|no_estoy_segur[oa])\b
        |^si_(?:nunca|siempre|no)\b""",
    "sarcasm": r"""\b(?:qué_buena_idea|genial,? gracias_por_nada|bravo)\b""",
    "story": r"""\b(?:mi|en_mi)_(?:antigu[oa]|anterior|viej[oa])_\w+|\b(?:alguien|algunos
        |la_gente)_(?:\w+_){0,2}(?:dice|dicen|dijo)\b|\bla_documentación_dice\b""",
    "describe": r"""(?:^|[,.;:!] ?)(?:el|la|los|las|un|una|este|esta|eso)_(?:\w+_){1,4}(?:siempre|nunca
        |jamás)\b(?!.{0,60}\b(?:debe|deben)\b)|\bcomo_siempre\b|\bnunca_(?:había|he|vi)\b""",
    "dictate": r"""\b(?:mensaje|texto|título)_(?:\w+_){0,2}QUOTE|\b(?:cambia|reemplaza|pon)\b.{0,60}QUOTE""",
    "retract": r"""\b(?:olvida_eso|olvídalo|espera,? no|mejor_no|ignora_eso|me_equivoqué|repo_equivocado)\b""",
    "task": r"""^(?:(?:ok|y|ahora|luego|entonces|puedes|por_favor)[,:]? ){0,3}(?:añade|agrega|arregla|corrige
        |escribe|muestra|explica|mira|revisa|revísalo|borra|cambia|haz|pon|crea|ejecuta|renombra|mueve|prueba
        |sube|continúa|sáltate)\b""",
    "trouble": r"""\b(?:error|falla|roto|no_funciona|bug|se_cuelga)\b""",
}

LEADS = "por favor|por cierto|nota|ojo|recuerda|y"
JOINED_LEADS = "recuerda que|por cierto"
