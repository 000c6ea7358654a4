"""English words of rules and wishes; languages/__init__.py tells how the patterns are written."""

# Where a clause begins, after the little words that people begin with.
_OPEN = (
    r"(?:(?:^|[,;:.!?()–—-] ?|\b(?:and|but|so|or|because|cause|since|that) )"
    r"(?:(?:please|pls|plz|just|also|again|ok|okay|btw|so|and|hey|oh|ah|no|hm+|then|instead|in general|yes|you|u|we"
    r"|i said|like i said|as i said|to|lets) ?[,:]? ?){0,4})"
)
# The same without conjunctions: an order, and not what something else does.
_START = (
    r"(?:(?:^|[,;:.!?–—-] ?)"
    r"(?:(?:please|pls|plz|just|also|again|ok|okay|btw|so|and|hey|oh|ah|no|hm+|then|instead|in general|yes"
    r"|i said|like i said|as i said|lets|really) ?[,:]? ?){0,4})"
)
_AGENT = r"(?:you|u|ya|claude)"
_EVENT = r"(?:a|an|any|new|some|something|anything|multiple|code|tests?|files?|things?|migrations?|endpoints?)"
# The same without what could be an order: "never close the pool".
_DOES = (
    r"(?:seen|heard|saw|got|had|knew|known|noticed|tried|thought|worked|managed|understood|finished|found"
    r"|happened|returns|passes"
    r"|fails|crashes|hangs|works|terminates|finishes|ends|closes|loads|shows|appears|updates|fires|triggers"
    r"|responds|renders"
    r"|arrives|completes|resolves|exits|stops|starts|seems|displays|throws|breaks|gets|is|are|was|were"
    r"|comes|opens|reaches"
    r"|lands|converges|matches|does|leaks|flickers|off|too|null|nil|empty|red|green|zero|wrong|late|slow|broken"
    r"|missing|a|an|the|been|did|dies|died|succeeds|wins|refreshes|seem|happens?)"
)

CUES = {
    "standing": rf"""
        \b(?:make_(?:it|that|this)_a_habit|get_(?:in|into)_the_habit)\b
        \bfrom_(?:now|here|today|this_point)_(?:on|onwards?|forward)
        \b(?:going|moving)_forward
        \bfor_(?:the|all)_future
        (?:^|[,.;:] ?)(?:and |so |please |but ){{0,2}}in_(?:the_)?future,? (?!we|this|it|there|versions?
        |releases?|sessions?|state)
        \b(?:please|dont|do_not|you)\b.{{0,60}}\bin_(?:the_)?future(?:[.,!]|$)
        \bfor_future_(?:reference|prs?|changes|tasks|migrations?)
        \bfor_all_future
        \bhenceforth\b
        \bas_a_(?:general_)?rule\b
        \bin_general[,:]
        \bgenerally[,:]? (?:please|prefer|avoid|use|keep|we)
        \bevery_(?:single_)?time_{_AGENT}\b
        \bdo_(?:this|that|it)_every_(?:single_)?time\b
        (?<!i )\b(?:go|use|run|do|check|ask|put|open|add|update|write|call|test|build|start|include
        |post)_\w.{{0,50}}_every_(?:single_)?time(?:[.!,]|$)
        \b(?:each|any)_time_{_AGENT}\b
        \bnext_time\b
        \bfrom_then_on\b
        \bby_default,? (?:use|please|prefer|keep|we)
        \bat_all_times\b
        \buntil_(?:i_say|further_notice|told)\b
        \bas_a_standing\b
        \bfor_(?:everything|anything|all)_{_AGENT}_(?:do|write|change|touch)\b
    """,
    "norm": rf"""
        {_START}(?:always|never_ever|never|(?:dont|do_not)_ever|not_ever|under_no_circumstances) (?!(?:{_DOES}
        |mind|ever_seen|\w+(?:ed|ing))\b)\w
        \b(?:and|but|so|or) (?:please |pls |just |also ){{0,2}}(?:always|never) (?!(?:{_DOES}|mind|\w+(?:ed|ing
        |[^s]s)|the|a|an)\b)\w
        \b(?:please|pls|plz|must|should|shall|we|i_want_{_AGENT}_to|just|sure_to|need_to|have_to|has_to
        |remember_to) (?:always|never|only_ever)\b(?!_(?:{_DOES}|mind)\b)
        \b(?:must|should|shall|may)_never\b
        \bonly_ever\b
        \bnever,? ever\b
        \b(?:should|must|may|shall)_?not_.{{0,60}}\bever\b
        \b(?:dont|do_not)_(?:you_)?ever\b
        [,.!] ?(?:ever|period|full_stop|no_exceptions|without_exception)(?: ?[.!,]|$)
        \bno_matter_what\b
        \bwe_(?:dont|do_not)_(?:ever|do_that|do_this|use|allow|write|mock|accept|ship|rebase|squash|merge
        |check_in)\b(?!.{{0,80}}\b(?:yet|anymore|any_more|now|if)\b)
        \bwe_only_(?:use|do|ship|merge|deploy|support|write|commit|allow|ever|release|accept|log|test|run)\b
    """,
    "stop": rf"""
        {_OPEN}(?:stop|quit)_(?:\w{{2,20}}ing)\b
        {_START}no_more_\w
        {_OPEN}(?:cut|knock)_it_out\b
        \b{_AGENT}_keep_(?:on_)?\w{{2,20}}ing\b
        \bi_(?:really_)?(?:hate|cant_stand|dislike)_(?:it_)?(?:when|how|that)_{_AGENT}\b
        \b(?:annoy|bug|bother)s?_me_(?:when|that)\b
        \bwhy_do_{_AGENT}_(?:always|keep)\b.{{0,80}}\b(?:stop|dont)\b
        \bhow_many_times\b.{{0,80}}\b(?:dont|stop|never|not)\b
    """,
    "prefer": rf"""
        \b(?:id|i_would)_like_(?:you|u)_to_(?:always|never|ask|stop|keep|only)\b
        \bi_(?:want|need)_(?:you|u)_to_only\b
        \b(?:i|we)(?:_(?:strongly|much|really|generally|always|usually))?_prefer\b(?!_(?:this|that|the_(?:first
        |second|other|latter|former|last)|option|version|variant|approach|number|choice|\w(?:[.,!]|$))\b)
        \bmy_preference\b
        \b(?:id|i_would|we_would|wed)_(?:much_)?rather\b(?!_(?:not_)?(?:do|see|go|have|fix|wait)_(?:this|that|it)\b)
        {_OPEN}prefer_\w.{{0,60}}\b(?:over|to|instead|rather)\b
        {_OPEN}favou?r_\w.{{0,60}}\bover\b
        \bi_(?:dont|do_not)_(?:want|like|need)_(?!(?:the|this|that|it|a|an|to_(?:see|do|wait|spend|know)
        |any_of)\b)\w
        \bi_(?:always|never|only)_(?:want|need|expect|use|like|review|squash|rebase|deploy|work|commit|write
        |merge|test)\b
        \bi_like_(?:my|it_when|when|short|small|to_see|having|reading|explicit|concise|simple)\b
        \bi_expect_{_AGENT}\b
        \bi_want_.{{1,50}}\b(?:across|everywhere|throughout|in_(?:all|every)|for_(?:all|every|each)|on_(?:all
        |every))\b
        \b(?:ping|warn|message|consult|notify)_me_(?:first_)?before\b
        \bi_want_{_AGENT}_to_(?:always|never|ask|stop|keep)\b
        \b(?:ask|check_with|tell)_me_(?:first_)?before\b
        \bwithout_(?:asking|telling|checking_with)_(?:me|us)\b
    """,
    "banned": r"""
        \bonly_(?:\w+_){1,3}(?:may|are_allowed_to|is_allowed_to|get_to)_
        \b(?:is|are)_not_a_thing\b
        \b(?:is|are|stay|stays)_(?:strictly_|simply_|also_)?(?:banned|forbidden|prohibited|verboten|off_limits
        |not_allowed|mandatory|a_must|a_no_go|non-?negotiable|required|not_ok|not_okay|taboo|frowned)\b
        \bno_exceptions?\b
        \b(?:our|the|team|repo|project|house|a)_(?:\w{1,15}_)?(?:convention|policy|rule|guideline|standard)_(?:is
        |here|says|for)\b
        \bby_convention\b
        \bthe_way_we_(?:do|work|handle|write|name|test)\b
        \bwe_have_(?:a|one)_rule\b
        \bhands_off\b
        \bhard_rule\b
        \bhouse_(?:style|rule)\b
        \brule_of_thumb\b
    """,
    "habit": rf"""
        \bwhenever_(?:{_AGENT}|we|i|there|somebody|someone|a|an|something)\b
        \b(?:when|before|after|if|once)_{_AGENT}_(?!(?:are|re|get|can|have|could|were|did|think|want|look
        |see)\b)\w{{2,15}}_(?:up_|to_|in_|on_)?{_EVENT}\b
        \b(?:if|when|before|after)_{_AGENT}_(?:touch|change|edit|modify|deploy|release|push|merge|commit|rename
        |add|write|need|open|refactor|create|upgrade|bump)_(?!(?:it|this|that
        |them)\b)\w.{{0,60}}, ?(?:\w+_){{0,2}}(?:ping|ask|tell|run|check|use|update|make|add|let|dont|never|also
        |always|notify|bump|regenerate|write|put|get)\b
        \bwhen_(?:in_doubt|unsure|not_sure|adding|writing|changing|touching|creating|working|renaming|editing)\b
    """,
    "usual": r"""
        \b(?:please|pls|dont|do_not)\b.{0,60}\bevery_(?:single_)?time\b
        \bbefore_(?:every|each|any|opening|committing|pushing|merging|adding|touching|editing|claiming|telling
        |saying|marking)\b
        \bafter_(?:every|each|any)\b
        \bat_the_end_of_(?:every|each)\b
        \bon_every_(?!page|screen|click|device|request)\w
        \bfor_every_(?:new_|single_)?(?:pr|commit|change|feature|bug|fix|migration|endpoint|module|component
        |release|function|service|test|bugfix|ticket|file)\b
        \beach_new_\w
        \bevery_new_\w
        \bevery_(?:pr|commit|migration|endpoint|public|bug_?fix|feature|release|change|module|handler|component
        |async|service|job|query|exported)_?\w{0,20}_(?:gets?|needs?|has|must|should|goes|comes|requires?
        |carries|starts|ends|is)\b
    """,
    "said": r"""
        \b(?:i|we)(?:ve)?_(?:already_)?(?:told|said|mentioned|asked)_(?:you_|u_|this_|that_|it_)?(?:already
        |before|last_time|twice|many_times|again|to)\b
        \bi_told_(?:you|u)\b
        \bi_said_(?:never|always|no|dont|not|only|to_)\b
        ^(?:and_)?again[:,] ?(?!run|try|please_run|same)\w
        \bas_i_(?:already_)?said\b
        \bfor_the_(?:second|third|last|hundredth|nth|\d+th)_time\b
        \b(?:not|isnt_this)_the_first_time\b
    """,
    "label": r"""
        ^(?:the_|some_|our_|my_|a_few_|few_|ground_|house_|basic_|general_|quick_|team_|working_|coding_){0,3}rules?\b
        \bconventions?\b
        \bguidelines?\b
        \bpreferences\b
        \bstandards\b
        \bhow_(?:we|i)_(?:work|do_things|like)\b
        \b(?:please_)?(?:remember|note|keep_in_mind)\b
        \bfrom_now_on\b
        \bgoing_forward\b
        \b(?:dos|donts)\b
        \bfor_(?:the|all)_future\b
        ^(?:please_)?(?:always|never|dont|do_not|avoid)\b
        \bthings_(?:to_(?:know|remember|keep)|you_should)\b
        \bmy_feedback\b
        \bin_general\b
        ^(?:decision|correction|preference|rule|lesson|learned|agreed|convention|policy)s?\b
    """,
    "forbid": rf"""
        ^(?:(?:and|so|but|please|pls|just)_)?(?:only|nothing|nobody|none_of)_(?!(?:thing|problem|one|works
        |happens|because|when|if|for|the)\b)\w(?!.{{0,60}}\b(?:was|were|is|has)\b)
        {_START}(?:dont|do_not|never|avoid|no(?!_(?:\w+_){{0,4}}(?:is|was|are|were|created|found|left)\b)
        |refrain_from)_(?!(?:changes?|new_commits?|forget|worry|bother
        |problem|idea|rush|hurry|need|one|i|it|its|we|you|they|that|this|thats|thanks|longer|doubt|clue|sure|yet|now|mind|matter
        |other|wait|way|thought|seen|heard|had|knew|been)\b)\w
        \bwe_(?:dont|do_not)_(?!(?:need|want|have|know|really|think|care|mind|get|see|even|yet|actually
        |understand|always)\b)\w
        \b(?:must|may|shall)_not_\w
        \bmustnt_\w
    """,
    "modal": r"""
        \b(?:must|should|shall|has_to|have_to|needs?_to|mustnt|shouldnt|ought_to|may_only|is_to|are_to|need_an?
        |needs_an?)\b
    """,
    "universal": r"""
        \b(?:every|all(?!_(?:day|night|week|morning|good|right|set|done|the_time|of_a_sudden)\b)|any|each|everything
        |anything|everybody|nobody|everyone|everywhere)\b
    """,
    "adverb": r"""
        \b(?:always|never|only_ever|ever|consistently|strictly)\b
    """,
    "here": r"""
        \b(?:in|for|across|throughout|to|into|from|of)_(?:this|our|the_whole|the_entire)_(?:repo|repository
        |codebase|code_base
        |project|monorepo|team|org|company|house|stack|app|module|package)\b
        \b(?:around_)?here[.,!]?$
        \bhere[,.!]
    """,
    "please": r"""\b(?:please|pls|plz)\b""",
    "practice": r"""
        \bwe_(?:write|use|store|name|put|format|call|test|deploy|follow|target|version|tag|handle|return|treat
        |review|pin|prefix|spell|keep|document|measure|count|order|sort|group|ship|build|log|mark|rely_on
        |stick_to)_(?!(?:to|it|this|that|a|an|here)\b)\w
        \bour_\w+(?:_\w+)?_(?:are|is|use|uses|go|follow|follows|live)_
    """,
    "policy": r"""
        ^(?:all_|our_|the_)?(?:\w+_){0,2}\w+s_(?:in|as|with|without|via|per|only)_(?:\w+_){0,3}(?:please|pls|only)\b
        ^(?:(?:please|pls|plz|and|also|so|ok|hey)[,:]? ){0,3}(?:keep|use|write|name|put|prefix|format|store|log
        |return|wrap|mark|spell|treat|sort|group|place|phrase|report|follow|document|cover|quote|target|pin|send
        |order|tag|label)_(?!the_(?:\w+_)?\d)(?:all_|our_|new_|the_)?(?:[\w/-]+_){0,2}[\w-]{2,}s\b
    """,
    "manner": r"""
        \b(?:by_hand|directly|manually|yourself|on_your_own|in_production|on_prod|in_prod|on_main|to_main
        |in_tests|in_the_tests|generated|vendored|in_this_(?:repo|codebase|project))\b
    """,
}
