"""The words of Portuguese statements; languages/__init__.py tells how the patterns are written."""

_OPEN = r"(?:^|[,;:.!?()–—-] ?|\b(?:und|et|y|e|и|aber|mais|pero|mas|но|а|bitte|por favor|svp|пожалуйста) )"
_PT_DO = (
    r"(?:use|usa|faça|faz|coloque|escreva|adicione|execute|rode|apague|mexa|mude|crie|suba|deixe|revise"
    r"|evite|pergunte|responda|mantenha|chame|edite|altere|comite|commite|inclua)"
)

CUES = {
    "kind": r"""
        ^(?:(?:e|mas|nossos|nossas|todos|todas)_){0,2}(?:os|as)_(?:[\w-]+_){1,4}(?:vão|ficam|devem|começam|terminam
        |passam|precisam|são_(?:escrit|gerad|guardad|nomead)[oa]s|levam|têm_que)_(?:sempre_)?(?:em|com|por|para|no
        |na|nos|nas|ser|sem|pel[oa]|de|um|uma)\b
    """,
    "practice": r"""\b(?:usamos|escrevemos|guardamos|nomeamos|testamos|seguimos)_\w|\ba_gente_(?:usa|escreve
        |guarda)_\w""",
    "manner": r"""\b(?:na_mão|diretamente|direto|manualmente|gerad[oa]s?|em_produção|nos_testes)\b""",
    "standing": r"""\b(?:a_partir_de_(?:agora|hoje)|de_agora_em_diante|daqui_(?:para|pra)_frente|no_futuro[,:]
        |em_geral[,:]|via_de_regra|toda_vez_que|sempre_que|da_próxima_vez)\b
        \b(?:daqui_em_diante|de_hoje_em_diante|por_padrão|como_regra|de_uma_vez_por_todas|para_a_próxima|pra_próxima
        |exclusivamente|doravante|futuramente)\b|\bvamos_combinar\b
    """,
    "norm": rf"""
        (?:^|[,.] ?)(?:os|as)_\w+(?:_\w+)?_sempre_(?:em|com|sem|por|no|na)_
        {_OPEN}(?:nunca|jamais|sempre)_\w
        \b{_PT_DO}_(?:\w+_)?(?:sempre|nunca)\b
        \b(?:deve|devem|tem_que|têm_que|precisa|precisam)\b.{{0,40}}\b(?:sempre|nunca)\b
        \b(?:sempre|nunca)_\w+(?:mos)\b
        \ba_gente_(?:sempre|nunca)\b
    """,
    "stop": r"""\b(?:pare|para|chega|deixe)_de_\w+(?:ar|er|ir)\b|\bnão_\w+_mais\b|\bodeio_quando\b
        \b(?:evite|evita)_\w+(?:ar|er|ir)\b|\bchega_de_\w|\bpara_de_\w+(?:ar|er|ir)\b|\bme_irrita_quando\b
        |\bnada_de_\w
    """,
    "prefer": r"""\b(?:eu_)?prefiro\b(?!_(?:este|esse|o_(?:primeiro|segundo)))|\bpreferimos\b
        |\bsem_(?:me_perguntar|perguntar|me_consultar)\b|\bnão_quero_(?!o|a|que)\w
        \bquero_que_(?:sempre|nunca|cada|todos|todas|você_(?:sempre|nunca))\b|\bgosto_(?:de|que|quando)_\w
        |\bme_(?:pergunte|pergunta|avise|avisa)_(?:sempre_)?antes\b
    """,
    "banned": r"""\b(?:é|são|está|estão)_(?:\w+_)?(?:proibid[oa]s?|obrigatóri[oa]s?|vetad[oa]s?)\b
        |\bnossa_(?:convenção|regra|norma)\b|\bsem_exceç(?:ão|ões)\b
        \b(?:é|são)_(?:inegociáve(?:l|is)|sagrad[oa]s?|a_norma|o_padrão|intocáve(?:l|is))\b|\b(?:nova|nossa
        |uma)_(?:regra|norma|política)\b.{0,30}:|\bnão_(?:se_|é_)?(?:pode|permitido|podem)_(?!ser_que)
    """,
    "habit": r"""\b(?:antes|depois)_de_(?:cada|qualquer|abrir)\b|\bem_cada\b|\bcada_(?:novo|nova|pr|commit
        |endpoint)\b|\bquando_(?:\w+_)(?:um|uma)_\w
        \bcada_(?:\w+_){1,3}(?:precisa|deve|leva|tem_que|requer|exige)\b
        |\btod[oa]s?_(?:[oa]s?_)?(?:\w+_){1,3}(?:precisam?|devem?|levam?|têm_que|tem_que)\b
    """,
    "said": r"""\bjá_(?:te_)?(?:falei|disse)\b|\bcomo_(?:eu_)?(?:já_)?(?:disse|falei)\b""",
    "label": r"""\b(?:regras|convenções|normas|lembre-se)\b""",
    "forbid": rf"""{_OPEN}não_(?:use|usem|mexa|mexe|faça|coloque|suba|apague|mude|edite|altere|adicione|escreva
        |crie|deixe|chame|rode|commite|comite|toque|instale|quebre|delete)\b|{_OPEN}(?:nada_de|nenhum|nenhuma
        |evite|sem)_\w""",
    "modal": r"""\b(?:deve|devem|tem_que|precisa|precisam|deveria)\b""",
    "universal": r"""\b(?:cada|todos_os|todas_as|todo|toda|tudo|nenhum|nenhuma|nada)\b""",
    "adverb": r"""\b(?:sempre|nunca|jamais)\b""",
    "here": r"""\bneste_(?:repo|projeto|código|repositório)\b""",
    "please": r"""\bpor_favor\b""",
    "remember": r"""\b(?:lembre(?:-se)?|lembra|lembrem|não_esqueça|tenha_em_mente|anota|anote)_?(?:de_)?(?:que|:)
        |\b(?:nota|importante|lembrete|para_sua_informação|pra_constar):
        \b(?:fica|fique)_(?:registrad[oa]|a_dica|sabendo)\b|\bsó_para_você_saber\b|\bvale_lembrar\b
        |\bleve_em_conta\b|\bobs:|\blembrando_que\b
    """,
    "forget": r"""\besqueça_(?:a_regra|o_que_eu_(?:disse|falei))\b
        \b(?:esqueça|esquece|ignore|ignora|descarte|cancele)_(?:a|o|minha|meu|aquela)_(?:\w+_){0,4}(?:regra|norma
        |instrução|orientação|convenção)\b|\b(?:regra|norma)_(?:\w+_){0,4}(?:não_vale_mais|caiu|foi_revogada)\b
    """,
    "correct": r"""^(?:não|nao|errado|pera|pare)\b[,.!:]|\b(?:isso|isto)_(?:está_errado|não_está_certo)\b""",
    "contrast": r"""[,;–—-] ?(?:e_)?não_(?:em_|no_|na_|com_|de_|o_|a_)\w|\bem_vez_de\b|\bao_invés_de\b|\be_não\b""",
    "confirm": r"""\bcontinue_(?:assim|fazendo)\b|\bfoi_a_decisão_certa\b|\bboa_decisão\b
        |\bé_assim_que_eu_gosto\b""",
    "decide": r"""\b(?:decidimos|migramos|mudamos_para|escolhemos|optamos|abandonamos|combinamos|paramos_de_usar
        |vamos_ficar_com|trocamos)\b|\bdecisão_(?:de|:|do)\b|\b(?:decidiu|exigiu|pediu)\b|\bfoi_decidido\b
        \b(?:fechamos|ficamos|resolvemos|adotamos|definimos)_(?:com|em|que|o|a|usar|por|de)?\b|\bficou_(?:decidido
        |definido|combinado)\b|\bnão_(?:podemos|dá_para)_(?:atualizar|usar|migrar|subir)\b|\bjá_(?:migramos|trocamos
        |saímos)\b
    """,
    "reverse": r"""\bnão_.{0,40}\bmais\b|\bmudei_de_ideia\b|\ba_regra_(?:antiga|velha|anterior)\b|\b(?:migramos
        |mudamos|trocamos)_\b""",
    "deadline": r"""\b(?:prazo|data_limite|entrega|congelamento|freeze|lançamento|deadline)\b|\b(?:será|serão
        |vai_ser|vão_ser)_(?:\w+_)?(?:desligad|removid|migrad|apagad|desativad|encerrad)[oa]s?\b|\b(?:começa
        |termina|vence|expira|encerra)\b""",
    "blocked": r"""\b(?:bloquead[oa]s?|em_espera|pausad[oa]s?|parad[oa]s?)_(?:até|por|aguardando)\b
        |\baté_que?_.{2,50}\b(?:aprove|assine|termine|libere)\b""",
    "owner": r"""\b(?:é|são)_(?:o_|a_|os_)?(?:responsáve(?:l|is)|don[oa]s?|encarregad[oa]s?)_(?:por|pel[oa]|de|do
        |da)\b|\bcuida_d[aoe]\b
        \b(?:toca|mantém|coordena|assumiu|assume)_(?:agora_)?(?:o|a|os|as)_\w|\b(?:dúvidas
        |perguntas)_.{1,40}\b(?:com|para|pro|pra)_\w
    """,
    "purpose": r"""\b(?:de_propósito|intencional|proposital)\b""",
    "fact": r"""\b(?:agora_(?:é|fica|usamos|está))\b""",
    "aside": r"""\b(?:aliás|a_propósito|contexto)\b""",
    "system": r"""\b(?:o_wiki|a_wiki|o_canal|o_painel|a_intranet)\b""",
    "placed": r"""\b(?:está|estão|fica|ficam|vai|vão|mora|documentad[oa]s?|registrad[oa]s?)_(?:em|no|na|nos
        |nas)\b
        \b(?:gerenciamos|controlamos|guardamos|documentamos|registramos|acompanhamos)_.{2,40}\b(?:em|no|na|com)\b
    """,
    "person": r"""\b(?:sou|venho_d[eoa])_(?:\w+_){0,3}(?:desenvolvedora?|engenheir[oa]|programadora?|designer
        |analista|estudante|cientista|nov[oa]|iniciante|gerente|líder|arquitet[oa]|dev|sre|qa|pesquisadora?
        |professora?|backend|frontend|java|mundo)\b|\bminha_primeira_vez\b|\bprimeira_vez_que_(?:uso|mexo
        |trabalho)\b|\b(?:trabalho_(?:como|com)|nunca_(?:usei|mexi|trabalhei))\b|\banos_de_experiência\b
        \bsou_(?!(?:eu|capaz|grat[oa]|contra|a_favor)\b)\w|\bnão_(?:sei|entendo|manjo|conheço)_(?:muito|nada
        |quase_nada|bem)_(?:de|d[oa])\b|\bé_novidade_para_mim\b|\b(?:é|são)_nov[oa]s?_(?:para|pra)_mim\b
        |\b(?:dou_aula|estudo|coordeno)_\w|\btrabalho_(?:em|no|na|desde)_(?!(?:isso|isto)\b)
    """,
    "reason": r"""\b(?:porque|pois|senão|já_que|para_que|caso_contrário|por_causa)\b""",
    "clause": r""", ?(?:o|a|os|as|isso|ele|ela|não|nos)_""",
    "incident": r"""\b(?:da_última_vez|semana_passada|mês_passado|quebrou|caiu|derrubou|auditoria|incidente)\b""",
    "question": r"""^(?:e |mas |ok )?(?:por_qu[eê]|como|o_que|qual|quais|onde|quem|quando_(?:é|foi|vai)|será_que
        |devemos|dá_(?:para|pra)|posso|a_gente_deveria)(?!\w)""",
    "polite": r"""\b(?:você_pode|pode|poderia|podia)\b.{0,50}\b(?:sempre|nunca|a_partir_de_agora|toda_vez)\b
        \b(?:você_pode|pode|poderia|podia|dá_(?:para|pra)|podemos)\b.{0,60}\b(?:sempre|nunca|no_futuro|de_agora
        |daqui|cada|parar_de)\b
    """,
    "once": r"""\b(?:só|apenas|somente)_(?:dess?ta_vez|por_hoje|hoje|nest[ea])\b|\b(?:dess?ta_vez|por_enquanto
        |no_momento|por_ora|agora_mesmo|temporariamente|por_hoje)\b|\bness?t[ea]_(?:pr|branch|commit|tarefa
        |arquivo|caso)\b""",
    "suppose": r"""\b(?:talvez|suponha|suponhamos|imagine|e_se|poderíamos|não_tenho_certeza|quem_sabe)\b
        |^se_(?:a_gente|nunca|sempre|nós)\b""",
    "sarcasm": r"""\b(?:que_ótima_ideia|parabéns,? quebrou|bravo)\b""",
    "story": r"""\b(?:meu|minha|no_meu|na_minha)_(?:antig[oa]|anterior|último|última|ex)_?\w+|\b(?:alguém|alguns
        |o_pessoal|a_galera)_(?:\w+_){0,2}(?:disse|diz|dizem|falou)\b|\ba_documentação_diz\b""",
    "describe": r"""(?:^|[,.;:!] ?)(?:o|a|os|as|um|uma|este|esta|isso)_(?:\w+_){1,4}(?:sempre|nunca
        |jamais)\b(?!.{0,60}\b(?:deve|devem)\b)|\bcomo_sempre\b|\bnunca_vi\b""",
    "dictate": r"""\b(?:mensagem|texto|título)_(?:\w+_){0,2}QUOTE|\b(?:troque|substitua|coloque)\b.{0,60}QUOTE""",
    "retract": r"""\b(?:esquece_isso|esqueça_isso|espera,? não|na_verdade_não|deixa_(?:pra_lá|quieto)|ignora_isso
        |repo_errado)\b""",
    "task": r"""^(?:(?:ok|e|agora|depois|então|pode|por_favor)[,:]? ){0,3}(?:adicione|adiciona|corrija|corrige
        |escreva|mostre|mostra|explique|explica|olhe|olha|revise|apague|mude|faça|faz|coloque|crie|rode|renomeie
        |mova|teste|suba|continue|pula|pule)\b""",
    "trouble": r"""\b(?:erro|falha|quebrado|não_funciona|bug|trava)\b""",
}

LEADS = "não|aliás|lembre|lembre-se|e"
JOINED_LEADS = "lembre que|lembre-se que|lembre-se de que|aliás"
