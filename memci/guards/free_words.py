"""Words that any statement may use."""

from memci.prose.fold import word_set

# Words that report, instruct or connect; a sentence needs others to have a meaning.
FREE = word_set("""
    why how apply user person team they them project repository repo prefer prefers preferred preference want wants
    wanted asked asks ask said says say told rule rules decision decided fact note remember remembered reminder keep
    keeps require requires required expect expects expected when whenever where which who whose what because since
    before after while during until if instead rather than always never not no none nothing without only every each
    all any both other another same such new now still already currently today longer anymore first once again go
    goes going come comes take takes get gets set sets applies applied applying follow follows following one two
    about over under between through via per up down out off back away more most less least much many few like likes
    regarding concerning case cases time thing things way ways work works working explicit explicitly directly
    really actually later earlier otherwise therefore thus hence however but too well even own means mean reason
    happen happens happened correct corrected confirmed stated treat considered default general usually cannot avoid
    avoids avoided stop forbidden allowed permitted written write writes change changes changed nicht nie immer weil
    wenn auch nur noch als beim nach vor bei aus über unter ohne keine kein keinen statt toujours jamais quand parce
    que ne pas siempre nunca cuando porque sin date dates day days called named meant belongs found lives located
    kept done made given being were was background version length size format style name naming convention
    conventions policy package manager tool tools setup usage location owner schedule process handling place kind
    type list detail details overview requirement requirements limit limits report reports reporting tell telling
    saying use using used wer wo wann wie warum welche qui où comment quel quelle quién qué dónde cuándo cómo cuál
    guideline guidelines workflow status topic memory index summary real actual themselves himself herself yourself
    myself itself sich selbst usar usa utiliser utilise verwenden nutzen unless except exception exceptions exempt
    exempted optional optionally ausnahme außer sauf salvo excepto ours yours theirs mine hers him
    his her me us
""")
