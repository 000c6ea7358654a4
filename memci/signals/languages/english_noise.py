"""English words of what does not last: questions, tasks, stories, irony."""

_ONE = (
    r"(?:pr|branch|commit|ticket|task|spike|exercise|demo|session|time|once|one|change|run|prototype|experiment|fix"
    r"|hotfix|patch|script|snippet|endpoint|request|iteration|round|example|poc|file|function|test|migration|release|review|merge|issue|bug)"
)
_SEEN = (
    r"(?:seen|heard|saw|got|had|knew|known|noticed|tried|thought|worked|managed|understood|finished|found|happened"
    r"|returns?|passes|fails?|crash\w{0,3}|hangs?|works?|terminates?|finish\w{0,3}|ends?|clos\w{1,3}|loads?|shows?"
    r"|appears?|updates?|fires?|triggers?|responds?|renders?|arrives?|completes?|resolves?|exits?|stops?|starts?"
    r"|times?"
    r"|seems?|displays?|throws?|breaks?|gets? called|gets? hit|is|are|was|were|comes?|shut\w{0,5}"
    r"|open\w{0,3}|reach\w{0,3}"
    r"|lands?|converges?|matches|does|runs out|leaks?|flickers?|a|an|the|been|be|did|die[sd]?|succeeds?"
    r"|wins?|refresh\w{0,3})"
)

CUES = {
    "question": r"""
        \?["')\]]* ?$
        ^(?:(?:and|but|so|ok|okay|hm+|btw|hey|also|wait|eh|or|yeah|well|oh|just_curious)[,:]? ){0,2}(?:why|what
        |whats|whatre|how|hows|how_come|where|wheres|who|whos|whose|which|when_(?:do|does|did|is|are|will|should
        |was)|any_(?:idea|clue|chance|reason)|is_(?:it|this|that|there|the)|are_(?:we|you|there|these|those|the)
        |does|do_(?:we|you|i|they|u)|did|can_(?:i|we|it|this|the|that)|could_(?:i|we|it|this|the)|should_(?:we|i
        |it|this|the)|would_(?:it|we|this|that)|has|have_(?:we|you)|was_(?:it|this|that|there)|isnt|arent|doesnt
        |didnt|wasnt|wouldnt_it|shouldnt_we)\b(?!_(?:im|were)_saying)
        , (?:does|did|doesnt|isnt|wont)_(?:this|that|it|there)_|\bwhy_not_(?:just_|simply_)?\w
        \b(?:just_(?:asking|curious|wondering)|i_wonder|wondering|curious|what_do_you_think|wdyt|thoughts)\b
        ,? (?:no|right|or_what|or_not|isnt_it|dont_you_think)\? ?$
        \b(?:tell|show|explain)_me_(?:why|how|what|where|whether|if)\b
        \bdo_(?:you|u)_(?:know|remember|think)\b
    """,
    "polite": r"""
        \b(?:can|could|would|will)_(?:you|u)\b.{0,40}\bhabit\b
        ^(?!(?:\w+_){0,2}(?:what|which|why|how|when|where|who)\b).{0,60}\b(?:can|could|would|will)_(?:you|u
        |we)\b.{0,40}\b(?:always(?!-)|never|from_now_on|every_time
        |in_(?:the_)?future|going_forward|stop_\w+ing|make_sure_to_always|for_all_future|whenever|by_default
        |before_(?:every|each|you))\b
        \bwould_you_mind_(?:always|not_\w+ing)\b
    """,
    "tail": r"""
        [,.!] ?(?:ok|okay|alright|please|pls|got_it|understood|deal|yeah|clear|k)\? ?$
    """,
    "once": rf"""
        \b(?:just_|only_)?(?:for|in|on)_(?:just_)?(?:this|that)_(?:one_)?(?:\w+_)?(?:{_ONE}|one)\b(?!_(?:base
        |codebase)\b)
        \b(?:just_)?this_(?:once|time|one)\b
        \bthis_(?:\w+_)?(?:{_ONE})_only\b
        \bonly_(?:for_)?this_(?:{_ONE})\b
        \bin_(?:this|that)_file\b
        \bfor_(?:now|today|the_moment|the_time_being|the_next_\w+|a_(?:minute|moment|sec|bit|while)|tonight|once)\b
        \b(?:right|just|not|until|for)_now\b(?!_on)
        \bat_the_moment\b
        \b(?:only|just)_(?:for_)?today\b
        \btoday_only\b
        \b(?:till|until|before|after|when|once)_(?:im|i_am|i|youre|you_are|you_re|u_r|ur)_(?:back|done|finished
        |say|return|come|get_back|through)\b
        \bgive_me_(?:a|an|\w+)_(?:min|sec|hour|moment|bit)\w{{0,4}}\b
        \btemporar(?:y|ily)\b
        \bhold_(?:off|on)\b
        \bthrow-?away\b
        \bleave_(?:it|that|this)_for_(?:now|later)\b
        \b(?:do|finish|write|fix)_.{{0,30}}\b(?:tomorrow|later|tonight)\b, ?not_now
        \bnot_(?:yet|today)\b
        \bin_the_meantime\b
        \bwhile_i(?:m)?\b
        \bas_an_exception\b
        \blets\b
        \blet_us\b
        \bnothing_else\b
    """,
    "suppose": r"""
        \b(?:suppose|supposing|assume|assuming|imagine|pretend|hypothetically|theoretically|in_theory|lets_say
        |say_we)\b
        \bwhat_(?:if|happens_(?:if|when)|would)\b
        \b(?:maybe|perhaps|possibly|probably|whether|presumably)\b
        \b(?!you_may)(?:we|i|you|it|one|that|they|this|these|there)_(?:might|could|would|may)_(?!not_)\w
        \bi_(?:think|figure|feel|hope|believe|get_that|assumed?|assume)\b
        ^(?:also,? )?consider_
        \bi_(?:guess|suppose|wonder)_(?:we|it|you)\b
        \b(?:thinking|thought)_(?:about|of|we)\b
        \b(?:im|we_are|were|youre|i_am|still|really)_not_(?:\w+_)?sure\b
        ^not_sure\b|, ?not_sure\b
        ^(?:and |but |so |hm+ )?if_(?:we|i|they|it|everyone|somebody|only)\b
        \bor_not\b
        \bidk\b
        \bi_(?:did_not|didnt|never)_(?:say|said|ask|asked|tell|told)\b
        \bseems?_(?:to|like|that)\b|\bunless_i(?:m|_am)\b|\bmake_(?:a_lot_of_|much_|any_)?sense_to_me\b
        \b(?:leaning|inclined|tempted)_(?:towards?|to)\b|\b(?:initial|first|gut)_(?:feeling|instinct|reaction|thought)\b
        \bbut_(?:\w+_){0,3}(?:worr(?:y|ied)|concerned|unsure|undecided|willing_to|open_to|need_more|trying_to
        |still_(?:thinking|deciding|weighing))\b
        \bconsidering_\w+ing\b
        \bwould_be_(?:nice|cool|great|better)\b
    """,
    "sarcasm": r"""
        (?:^|\s)/s\b
        \bwhat_could_(?:possibly_)?go_wrong\b
        \b(?:oh|wow|yeah|well)[,.]? (?:great|brilliant|fantastic|wonderful|genius|awesome|perfect|lovely|super)\b
        \byeah,? (?:just|sure|right)\b
        \b(?:love|adore)_how_(?:you|u)\b
        \bcaptain_obvious\b
        \bthanks_for_nothing\b
        \bsuper_helpful\b
        \b(?:because|cause|cuz)_that_(?:always|never)_(?:works|ends)\b
        \bof_course_(?:you|it)\b
        \bwhat_a_(?:great|brilliant|fantastic)_idea\b
        \bsure,? why_not\b
        \bgood_luck_with\b
        \bslow_clap\b
        \bbravo\b
        🙄|🙃
    """,
    "story": r"""
        \b(?:my|our|his|her|their)_(?:old|previous|last|former|ex|first|other)[- _](?:company|team|job|employer
        |boss|gig|workplace|startup|shop|client|manager|place)\b
        \b(?:at|back_at|in)_(?:google|amazon|meta|facebook|microsoft|netflix|uber|my_(?:old|last|previous|former))\b
        (?<!when )(?<!if )(?<!ever )\b(?:someone|somebody|some_(?:guy|people|folks|blog|dude)|people
        |a_(?:friend|colleague|coworker|guy|blog
        |post|talk)|folks|they|he|she|many|most_people)_(?:\w+_){0,4}(?:said|say|says|told|claims?|swears?
        |recommends?|suggests?|suggested|insists?|insisted|thinks?|always|never|argued?|used_to)\b
        \b(?:i_(?:once_)?(?:read|heard|saw))_(?:that|somewhere|a|an|on|about|once)\b
        \b(?:docs?|documentation|readme|guide|guidelines?|notes?|article|blog|book|forum|manual|spec|comment
        |message|error|email|mail|policy|handbook|tutorial|warning|log|linter|stack_?overflow
        |paper)_(?:\w+_)?(?:say|says|said|claims?|tells?|states?|recommends?|suggests?|mentions?|reads?)\b
        \baccording_to\b
        \b(?:our|the|my|a|their)_competitors?\b
        \bback_in_the_day\b
        \bwhen_i_(?:worked|was)_(?:at|a|in)\b
        \bin_(?:java|python|rust|go|c|javascript|php|ruby|haskell|scala|kotlin)_(?:you|one|its|they|people)\b
        \b(?:you|u|one)_can_(?:never|always)\b
    """,
    "describe": rf"""
        \b(?:always|never|ever)_(?:{_SEEN}|passing|failing|red|green|empty|null|zero|true|false|wrong|\d+|one|off
        |late|slow|flaky|broken)\b
        \b(?:is|are|was|were|been|being|be|its|has|have|had)_(?:almost_|nearly_)?(?:always|never)\b
        \b(?:will|would|can|could|cant|wont|didnt|doesnt|did|does)_(?:always|never)\b
        \b(?:always|never|ever)_\w{{2,20}}(?:ed)\b
        \b(?:you|u)_(?:always|never)\b
        \bi_(?:always|never)_(?:forget|know|remember|understand|get|liked?|think|thought|heard|can|could|wonder
        |mix|confuse)\b
        \bas_always\b|\blike_always\b|\bas_ever\b
        \b(?:users?|people|customers?|clients?|everyone|nobody)_(?:always|never|ever)\b
        \b(?:almost|nearly|hardly|not)_(?:always|never|ever)\b
        \bwe_(?:always|never)_(?:had|got|saw|did|found|knew|used_to|have_\w+ed|were|was|thought|made|wrote|went
        |came|heard|\w+ed)\b
    """,
    "dictate": r"""
        \b(?:commit|amend|push|tag|reply|respond|answer|comment|title|name|call|label)_(?:this|it|them|him|her
        |that|the_\w+|everything)?_?(?:with|as|to|it)?_?(?:the_)?(?:\w+_)?(?:message|text|comment|title|subject
        |name)?[: ]+QUOTE
        \b(?:the_)?(?:text|title|label|message|subject|heading|caption|tooltip|placeholder|wording|copy|string
        |name)_(?:should|must|is|of|reads?|says?|to|:).{0,30}QUOTE
        \b(?:replace|change|set|rename|put|add|write|use|insert|append|make)\b.{0,60}\b(?:with|to|as|line|sentence
        |saying|says|comment|note|paragraph|text|bullet|entry|section):? ?QUOTE
        \bcommit_message:
        \b(?:say|says|saying|write|reads?|quote|type|respond|reply|tell_(?:him|her|them)):? ?QUOTE
    """,
    "chat": r"""
        \bnever_?mind\b
        \bnvm\b
        \balways_(?:a_pleasure|happy|nice|fun|good_to)\b
        \bnever_(?:seen|heard|knew|a_dull|again_lol|gets_old)\b
        \b(?:thanks|thank_you|thx|ty|cheers)\b.{0,20}\b(?:always|never)\b
        \bfirst_time_for_everything\b
    """,
    "retract": r"""
        \bscratch_that\b
        \bstrike_that\b
        \b(?:wait|actually|hm+|oh|sorry|ah)[,.]? (?:actually,? )?no\b(?!_\w+s\b|_(?:more|one))
        (?<!never )(?<!dont )\b(?:ignore|disregard|forget|drop|undo)_(?:that|it|what_i_(?:just_)?(?:said|wrote|typed)
        |my_last_(?:message|comment)|this|the_last_(?:one|message|part))(?:[,.! ]|$)(?!rule|thing_about)
        \bi_take_(?:that|it)_back\b
        \b(?:my_bad|my_mistake|i_was_wrong|i_misspoke|i_was_thinking_of|i_confused|i_mixed_up)\b
        \bnever_?mind\b
        \bnvm\b
        \bwrong_(?:repo|window|chat|project|tab|terminal|session)\b
        \bthats_(?:for_)?(?:the|another)_other_(?:repo|project|service|team)\b
    """,
    "task": r"""
        ^(?:(?:ok|okay|now|then|so|and|also|next|first|please|pls|plz|can_you|could_you|hey|hi|cool|great|fine
        |thx|thanks|alright|good|yes|yep|finally|just|lets|go_ahead_and|ok_now|no)[,:.!]? ){0,4}(?:add|fix
        |implement|write|create|make(?!_sure)|rename|move|put|remove|delete|refactor|run|rerun|show|list|look|see
        |read|find|explain|tell|give|push|revert|undo|redo|try|investigate|debug|clean|tidy|port|convert|replace
        |extract|split|bump|upgrade|install|generate|open|close|continue|proceed|finish|start|restart|set|sort
        |draw|summarize|sum|translate|optimi[sz]e|prepare|configure|wire|hook|cherry-?pick|squash|publish|compare
        |measure|need|we_need|i_need|load|save|parse|handle|skip|wait|help|do(?!_not|_you_ever)|go|use|take|let
        |turn|drop|keep|leave|ship|restore|bring|pull|fetch|copy|paste|title|assign|answer|mark|label|prefix|wrap
        |annotate|include|cover|validate|pin|gate|sign|escape|stub|send|return|store|treat|stick|ask|expose
        |render|pass|group|order|hide|link|mention)\b
        ^(?:(?:ok|okay|now|then|so|and|also|next|first|please|pls|plz|can_you|could_you|hey|hi|cool|great|fine
        |thx|thanks|alright|good|yes|yep|finally|just|lets|go_ahead_and|ok_now|no)[,:.!]? ){0,4}(?:test|log
        |release|document|format|build|commit|tag|draft|plot|design|deploy|merge|count|print|report|seed|name
        |call|rebase|review|search|profile|benchmark|check|change|update|plan)\b(?!_?(?:\w+_){0,3}(?:are|is|go
        |goes|live|lives|belong|belongs|must|should|never|always|get|gets|need|needs)\b|s\b|:|_(?:messages?
        |names?|files?|data|env|runs?|branch(?:es)?|logs?|steps?|jobs?)\b)
    """,
    "trouble": r"""
        \b(?:bug|bugs|broken|fails?|failing|failed|crash\w{0,3}|hangs?|hanging|500s?|404s?|doesnt_work
        |not_working|error|errors_out|flaky|regression|weird|wrong|stuck|red|flickers?|slow|find_out|lags?)\b
    """,
}

# What people begin with that says nothing itself, if a mark follows.
LEADS = r"""
    no|nope|nah|stop|wrong|ok|okay|hm+|hm+ no|hm+ wait|ah right|ah|oh|hey|yo|well|so|right|yes exactly|yes|yep|yeah
    note|remember|reminder|reminder for later|for context|context|important|one more thing|separate thing
        |side note|one thing
    in general|oh and in general|also|again|i told you already|i told you|as i said|keep in mind|please note
        |please remember
    for the record|actually|look|listen|sorry|one thing for the future|for the future|argh|ugh|nope thats wrong
        |thats wrong
    that's wrong|that is wrong|wait|too much|keep in mind for later|small thing|another thing|psa|decision
        |correction
    preference|rule|lesson|info|hi|hello|morning|heads up|fyi|btw|by the way|just so you know|and in general
        |context about me
    i changed my mind|i've changed my mind|ive changed my mind|change of plans|change of plan|correction
"""
# The same without a mark behind it.
JOINED_LEADS = r"""
    fyi|btw|by the way|oh and|ok so|and also|also|and|remember that|please remember that|keep in mind that
        |please note that
    note that|i said|heads up|just so you know|oh btw
"""
