"""English wishes, agreements and ways of withdrawing them; languages/__init__.py tells how the patterns are written."""

# What comes up again with every piece of work; without an article it means all of them.
_PROCESS = (
    r"(?:(?:commit|error|log|pr|code|branch|file|test|variable|function|class|column|git|review|inline|status|design"
    r"|release|public|unit|doc|small|short|long|big|new|huge|separate|clear|full|plain) ){0,2}"
    r"(?:answers|replies|responses|explanations|summaries|recaps|commits|messages|prs|pull requests|merge requests"
    r"|comments|docstrings|diffs|patches|branches|names|identifiers|titles|descriptions|functions|methods|classes"
    r"|modules|abbreviations|emojis?|screenshots|bullet points|bullets|tables|disclaimers|caveats|apologies"
    r"|preambles?|hedging|jargon|boilerplate|small talk|fluff|filler|exclamation marks|acronyms|todos|placeholders"
    r"|dependencies|libraries|packages|abstractions|suggestions|examples|sentences|paragraphs|headings|options"
    r"|questions|alternatives|changes|refactors|refactorings|migrations|fixtures|mocks|helpers|wrappers)"
)
_BEGIN = (
    r"(?:^|[,;:.!?–—-] ?|\b(?:and|but|so|also|please|pls|just) )"
    r"(?:(?:please|pls|plz|just|also|ok|and|so|oh|in general,?|btw,?|hey,?|yeah,?|then|try to|lets) ){0,3}"
)
_NORMS = r"(?:rule|policy|convention|guideline|standard|practice|principle|agreement|requirement|habit|default)"
_SAID = (
    rf"(?:{_NORMS}|rules|instructions?|advice|guidance|guidelines|conventions|preferences?|requests?|feedback|comment"
    r"|remark|note|thing about|ban|limit|exception)"
)

CUES = {
    "said": r"""
        \b(?:i|we)(?:ve|_have)_(?:already_)?(?:said|told|asked|mentioned|explained|repeated)_(?:you_|this_|that_
        |it_)?(?:before|already|so_often|many|a_hundred|twice|again|several|\w+_times)
    """,
    "standing": rf"""
        \b(?:can|could|shall|should)_we_(?:please_|maybe_|just_|all_)?(?:agree|make_it_a_(?:rule|habit)|settle_on)\b
        \blets_(?:please_|just_|all_)?(?:agree|make_it_a_(?:rule|habit|policy)|stick_(?:to|with)|standardi[sz]e)\b
        ^(?:and |also |but |so |oh |btw ){{0,2}}(?:generally|normally|usually|typically|ordinarily
        |in_principle)[,:]? (?!
        |i_|it_|the_|that_|this_|you_|they_|there_|speaking)\w
        \b(?:its|thats|this_is|that_is|are|is)_(?:now_)?(?:the|our)_(?:new_)?{_NORMS}(?:_(?:now|here|from)|[.,!]|$)
        \bthe_new_(?:normal|{_NORMS})\b
        \bin_every_(?:session|conversation|reply|answer|response|commit|pr)\b
        \bfor_as_long_as\b
        \bwithout_being_(?:asked|told)\b
        \bunless_(?:i|we)_(?:say|ask|tell|explicitly|specifically|request)\b
        \bunless_(?:told|asked|stated|instructed)_otherwise\b
        \blets_.{{2,60}}\b(?:for_(?:all|every|each|any|everything)|everywhere|across|in_(?:all|every)|each_time
        |every_time|whenever)\b
        \b(?:wherever|where|whenever|as_far_as)_possible\b(?!.{{0,60}}\?)
    """,
    "stop": rf"""
        {_BEGIN}(?:enough_(?:with|of)|lay_off|go_easy_on|spare_me|cut_(?:down_on|out|back_on)|ease_up_on)_(?:the_
        |all_)?\w
        {_BEGIN}(?:skip|lose|ditch|drop|omit|leave_out|leave_off)_(?:the_|your_|all_)?(?:{_PROCESS}|preamble|recap
        |summary|intro|introduction|flattery|pleasantries|praise|small_talk|closing|apology|pep_talk|sign-?off)\b
        \b(?:drop|lose|break|kick|quit|get_rid_of)_(?:the|that|this|your)_habit\b
        \b(?:im|i_am)_(?:so_|really_|getting_)?(?:tired|sick|fed_up)_(?:of|with)_
        \bi_(?:really_)?(?:hate|dislike|cant_stand|loathe|detest)_(?!(?:this|that|it|the|my|to|mondays|how)\b)\w
        \bdrives_me_(?:nuts|crazy|mad|up_the_wall)\b
        \b(?:can|could)_(?:we|you|u)_(?:please_|pls_|just_)?(?:stop|quit|not_always|cut_out)\b
        \b(?:thats|this_is|its)_the_(?:second|third|fourth|fifth|\d+th|nth|umpteenth)_time_(?:you|ive|i|this_week)\b
        ^(?:(?:please|pls|and|also|a_bit|way|much) ){{0,2}}(?:less|fewer|more|shorter|smaller|simpler|longer
        |plainer)_(?:[\w/-]+_){{1,4}}(?:please|pls|in_your|from_you|when_you|if_possible|ok)\b
        ^(?:(?:please|pls|and|also|a_bit|way|much) ){{0,2}}(?:less|fewer|shorter|smaller|simpler|plainer)_{_PROCESS}\b
        \b(?:less|fewer)_\w+, more_\w|\bmore_\w+, less_\w
        ^(?:and |but |so |please |pls |just ){{0,3}}(?:dont|stop|stop_(?:it|that|this|doing_that)|knock_it_off
        |cut_that_out|no_more_of_(?:that|this)|quit_(?:it|that))[.!]*$
        \bi_keep_(?:finding|seeing|having|running_into|deleting|removing|fixing|reverting
        |cleaning)\b.{{0,60}}\b(?:you|your|in_the_(?:prs?|patches|diffs?))\b
    """,
    "prefer": rf"""
        \b(?:id|i_would|we_would|wed)_(?:really_|greatly_|very_much_)?(?:appreciate|love|prefer|be_(?:grateful|happy
        |happier))_(?:it_)?(?:if|when)_(?:\w+_)?(?:{_PROCESS}|every|each|all|any|new|nothing|nobody|everything)\b
        \bit_(?:would_|really_)?(?:helps?|be_(?:great|nice|good|helpful|better|best))_(?:me_|us_|a_lot_
        |if_we_|\w+_){{0,4}}(?:if|when)_(?:you|u)_(?:could_|would_|can_)?(?:always|never|only|just_always)\b
        \bwould_(?:you|u)_mind_(?:not_)?(?:keeping|using|putting|writing|leaving|sticking|phrasing|answering|replying
        |explaining|naming)_(?:to_|your_|all_|new_)?(?:{_PROCESS}|everything|things)\b
        {_BEGIN}(?:default_to|err_on_the_side_of|lean_towards?|stick_(?:to|with)|favou?r|prioriti[sz]e
        |optimi[sz]e_for|aim_for|strive_for)_(?!(?:this|that|it|the_(?:first|second|other|current))\b)\w
        {_BEGIN}(?:assume|treat|consider)_.{{2,60}}\b(?:unless|as_(?:read-?only|untrusted|immutable|public|secret
        |frozen|sacred|final|confidential|private|off)|off_limits)\b
        {_BEGIN}(?:feel_free_to|you_(?:may|can)_(?:always|freely|safely|just))_\w.{{2,80}}\b(?:without|whenever
        |any_time
        |anytime|no_need|as_long_as|dont_(?:ask|wait))\b
        \b(?:no_need_to|you_(?:dont|do_not)_(?:need|have)_to|you_neednt)_(?:\w+_){{1,5}}(?:every|each|before
        |after|all|always|{_PROCESS})\b
        {_BEGIN}do_(?:ask|tell|ping|check|warn|stop|mention|flag|explain|keep|run|write|include)_\w
        \bi_(?:only_)?(?:want|need|like|expect)_(?:to_(?:see|read|have)_)?(?:one|two|three|exactly_\w+|a|an
        |at_(?:least
        |most)_\w+|no|zero|every|all)_(?:[\w-]+_){{1,4}}(?:per|in_each|in_every|for_each|for_every|with_every|on_every
        |to_have|to_be)_
        \bi_(?:want|need|like|expect)_(?:short|small|terse|concise|blunt|honest|direct|plain|clear|brief
        |detailed)_{_PROCESS}\b
        \b(?:matters?|means_a_lot|is_important)_(?:a_lot_)?to_(?:me|us)\b
        \bi_(?:care|worry)_(?:more_|a_lot_)?about_(?:\w+_){{1,3}}(?:more_than|over|than)_
        \b(?:my|our)_(?:personal_|strong_|only_|main_)?(?:preference|pet_peeve|taste|style|rule|ask)_(?:is|here|for)\b
        \bpet_peeve\b
        \b(?:id|i_would|wed|we_would)_(?:like|love|want|prefer)_(?:every|all|each|any|no|our|new|everything|more
        |less|fewer)_
        \bi_(?:dont|do_not)_(?:want|need|like)_an?_\w+(?:_\w+)?_(?:when|if|for_every|where|unless)\b
        \bthe_(?:simplest|smallest|cheapest|easiest|most_boring|boring|obvious|dumbest)_(?:thing|solution|approach
        |fix|option|version|way)_(?:first|that|possible)\b
        ^(?:(?:please|pls|and|also|so|hey|oh|ok|can_you|could_you|just)[,:]? ){{0,4}}(?:respond|answer|reply|explain
        |talk|speak|write_back)_(?:to_me_|things_|everything_|stuff_){{0,2}}(?:in_(?!one_word|the|this)|like_
        |without_|briefly|shortly|formally|concisely|more_|less_)
        \byou_(?:may|can|are_allowed_to|are_free_to|are_welcome_to)_\w+.{{0,60}}\b(?:on_your_own|yourself
        |without_\w+ing|freely|any_time|anytime|but_(?:not|never|dont|only|\w+_is)|as_you_like)\b
        (?:^|[,;.!] ?)(?:and |so |please |also |in_general,? ){{0,3}}prefer_(?!(?:this|that|it|the|option|to_not)\b)\w
        ^(?:and |also )?(?:short|shorter|small|smaller|plain|simple|simpler|clear|full|british|american|english
        |metric|brief|fewer|more|less|longer)_(?:[\w-]+_){{0,2}}[\w-]+,? (?:please|pls)[.!]*$
        \b(?:ask|check|confirm|talk|verify|clear_it|run_it)_(?:with_|by_|to_)?(?:me|us)_(?:first_)?before\b
        \bi_do_the_\w+, ?(?:you_dont|not_you)\b
        \bi_(?:always_)?expect_(?!(?:it|this|that|the|to|so|not|you_are|a_(?:call|reply|delivery))\b)\w
        \bwait_for_my_(?:ok|okay|go|approval|confirmation|word)\b
    """,
    "banned": rf"""
        \b(?:new|old|our|my|team|house|company|general|golden|first|simple|hard|only|one|another)_(?:team_|company_
        |house_|general_)?{_NORMS}(?:_\w+){{0,4}}:
        \b(?:new|golden|cardinal|unwritten|standing|iron)_{_NORMS}\b(?!_file)
        \b(?:is|are|stays?)_(?:strictly_|simply_|absolutely_|completely_|always_)?(?:sacred|untouchable|out_of_bounds
        |off_the_table|a_no-?no|a_hard_no|a_deal-?breaker|out_of_scope_for_good|compulsory|obligatory
        |not_(?:negotiable|optional|up_for_debate|permitted|acceptable|welcome)|frozen_api)\b
        \b(?:nobody|no_one|no_human|only_\w+)_(?:edits|touches|pushes|merges|deploys|writes|changes|commits|modifies
        |gets_to
        |is_(?:allowed|supposed)_to|may|should_ever)_
        {_BEGIN}(?:stay|keep|steer)_(?:out_of|away_from|clear_of|off)_\w
        {_BEGIN}(?:leave|keep)_(?:[\w./`-]+_){{1,4}}(?:alone|untouched|out_of_(?:it|there|the_(?:repo|diff|code
        |prs?)))\b
        \bhard_(?:ceiling|limit|cap|requirement|constraint|no)\b
        \b(?:zero|no)_tolerance\b
        \bgoes_without_saying\b
        \bour_(?:[\w-]+_){{1,3}}(?:wants?|requires?|demands?|expects?|forbids?|mandates?|prescribes?|insists?_on
        |disallows?|calls?_for)_
        \bis_(?:mine|my_(?:job|call|decision|business)|ours_alone|our_job|yours)\b
        \b(?:its|it_is|thats)_(?:spelled|spelt|written|pronounced|capitali[sz]ed)_
        \bis_not_an_option\b|\bis_pointless\b|\bis_useless_here\b
        ^(?:(?:and|but|so|also|ok|please)[,:]? ){{0,2}}(?!(?:if|not|the|this|it|read|desktop
        |mobile|yeah|yes|yep|sure|minor|nit|nah)\b)(?:[\w-]+_){{1,3}}only(?:_(?:until|till|in|for|on|from|during|via|through)_|[.,!;]|$)(?!_now)
        \b(?:nobody|no_one|none)_(?:but|except|other_than|besides)_\w
        \b(?:nothing|nobody|no_one)_(?:\w+_){{0,4}}(?:may|must|should|can|goes|gets|leaves|enters|ends_up
        |belongs)_(?!(?:be_(?:wrong|done|worse)|go_wrong|wrong|done|seem)\b)
        ^(?:[\w-]+[,.!] )?(?:one|two|1|2)_\w+_at_a_time\b
    """,
    "habit": rf"""
        \b(?:any|every|each)_?time_(?:you|u|we|i|there|a|an|something|someone|somebody)_(?!click|open_the|press
        |run_it)\w
        {_BEGIN}(?:anything|everything|whatever)_(?:that_|which_|you_|we_)?(?:[\w/-]+_){{1,6}}(?:goes|belongs|needs
        |has_to
        |must|should|gets|lives|stays|is_(?:done|written|kept|stored|reviewed|handled))_
        \bif_(?:you|u)(?:re|_are)_(?:ever_)?(?:unsure|not_sure|in_doubt|uncertain|stuck|blocked)\b
        \bif_(?:something|anything)_(?:is|looks|seems)_(?:unclear|ambiguous|off|odd|fishy|unsure)\b
        \bwhen_(?:reviewing|naming|refactoring|testing|debugging|committing|deploying|translating|releasing
        |answering|explaining|proposing|suggesting|designing|documenting|fixing|implementing|removing|deleting
        |upgrading|importing|logging|modelling|modeling|quoting|citing|drawing)_(?!(?:this|that|it|the)\b)\w
        (?<!as )\b(?:when|whenever|where|wherever|if|before|after|once)_(?:you|u|we|someone|somebody
        |anyone)_(?:ever_)?(?!(?:want|have|havent|hadnt|didnt|dont|can|could|like|think|know|are|re|get|did|were|find|see_fit|wish|look
        |agree|mind|say|said|feel|do|would|must|should)\b)\w{{2,15}}_(?:(?:up|to|in|on|into|with|at|out|off|for|from
        |about)_)?(?!(?:the|this|that|these|those|it|its|them|my|your|him|her|me|a_bit|anything|something|time
        |questions|any|more|a_chance|one)\b)\w(?=.{{0,80}}\b(?:use|put|add|run|ask|tell|ping|leave|keep|dont|never
        |always|check|make|write|update|also|please|link|cite|include|start|go|say|give|note|mention|bump|let|stop
        |prefer|first|skip|wrap|log|call|open|send|show)\b)
        \bfor_(?:anything|everything|all|any|every|each|new)_(?:\w+_){{0,5}}(?:use|keep|write|put|ask|go|add|run
        |prefer|stick|follow|make|check|include|need|want)_
        \b(?:anybody|anyone|whoever)_(?:who_)?\w+_.{{1,50}}\b(?:must|has_to|needs_to|should|gets)\b
        ^(?:(?:and|so|but|please|also|btw|ok)[,:]? ){{0,2}}(?:in|for|on|during|with|inside|within|at)_(?!(?:the|this
        |that|these|those|my|your|his|some|two|three|all_\w+_fields|cases|seconds|minutes|pixels|days|weeks|general
        |details)\b)(?:[\w/-]+_){{0,2}}[\w/-]+(?<!s)s,? (?:please_|always_|never_|only_|we_|you_|just_){{0,2}}(?:use
        |keep|write|put|prefer|point|start|list|ask|run|check|add|avoid|include|skip|name|mention|say|show|log
        |return|wrap|mock|dont|do_not|stick|follow|give|mark|leave|explain|link|cite|tag|pin|go|round|state|call
        |describe|focus|look)\b(?!_(?:the|this|that|it)\b)
    """,
    "forget": rf"""
        {_BEGIN}(?:forget|disregard|ignore|scrap|drop|cancel|bin|ditch|nix|withdraw|undo|retire|strike|kill|lift
        |revoke|delete)_(?:about_)?(?:the|that|this|my|our|what|any|all)_(?:[\w-]+_){{0,5}}{_SAID}\b
        \b{_SAID}_(?:\w+_){{0,4}}(?:is|are|was|no_longer|doesnt|does_not|dont)_(?:now_|officially_)?(?:gone|off|dead
        |obsolete|void|outdated|history|over|lifted|applies|apply|withdrawn|superseded|wrong_now|no_longer)\b
        \bwhat_i_(?:said|told_you|asked)_.{{0,40}}\b(?:no_longer|doesnt|does_not|is_(?:void|obsolete|outdated))\b
        \bnever_?mind_(?:what_i|the_(?:rule|thing|old)|my_(?:rule|earlier|previous))
        \bi_(?:no_longer|dont)_(?:want|need|care_about|mind)_.{{2,50}}\b(?:anymore|any_more|after_all)\b
        |\bi_no_longer_(?:want|need|care|mind|insist)\b
        \b(?:is|are)_(?:fine|ok|okay|allowed|permitted|welcome)_(?:again|now|after_all)\b|\bi_was_wrong_about\b
        \bis_plenty(?:_now)?\b
    """,
    "reverse": rf"""
        {_BEGIN}(?:forget|disregard|ignore|scrap|drop|cancel|bin|ditch|withdraw|retire)_(?:about_)?(?:the|that|this|my
        |our|what)_(?:[\w-]+_){{0,5}}{_SAID}\b
        \bis_(?:gone|dead|obsolete|lifted|history)\b.{{0,40}}\b(?:now|instead|use)\b
        \bfrom_now_on\b.{{0,60}}\b(?:again|instead|is_fine|are_fine|is_ok|allowed)\b
    """,
    "polite": rf"""
        \bwould_(?:you|u)_mind_(?:not_)?\w+ing_(?:to_|your_|all_|new_|me_)?(?:{_PROCESS}|everything|things)\b
        \b(?:can|could|would|will)_(?:you|u|we)_(?:please_|pls_|try_to_|just_|maybe_|not_){{0,2}}(?:keep|use|write
        |name|format
        |phrase|leave|include|give_me|start|stop|avoid|stick_to|make|limit)_(?:\w+ing_)?(?:your_|all_|new_
        |to_)?{_PROCESS}\b
        \b(?:can|could|shall|should)_we_(?:please_|maybe_|just_|all_)?(?:agree|make_it_a_(?:rule|habit)|settle_on
        |stop)\b
        \b(?:it_would|id|i_would|wed|we_would)_(?:really_|greatly_|also_)?(?:help|appreciate|love|like
        |be_\w+)\b.{{0,60}}\b(?:if
        |when)\b.{{0,60}}\b(?:whenever|every|each|always|never|before_\w+ing|before_you|{_PROCESS})\b
        ^(?:(?:and|so|ok|hey|hm+)[,:]? )?(?:how_about_(?:you|we)|what_about_\w+ing|why_(?:dont_you|not)
        |what_if_you)\b.{{0,60}}\b(?:before_\w+ing|after_\w+ing|before_you|every|each|always|whenever
        |yourself_before)\b
    """,
    "label": r"""
        \b(?:ground|house|basic|general|working|team|coding|few|some|standing|simple|couple_of|our|my
        |the)_(?:\w+_)?rules\b
        \b(?:how|the_way)_(?:we|i)_(?:work|like|write|do|want)\b
        \bthings_(?:i|we)_(?:care|like|want|hate|expect|insist|always|never)\b
        \bwhat_(?:i|we)_(?:expect|like|care|prefer|hate)\b
        \b(?:notes|reminders|principles|habits|expectations|principles)_(?:for_(?:you|later|the_future)|from_me
        |on_how)\b
        \b(?:style|principles|expectations|policies|non-?negotiables|pet_peeves|guardrails)[^:]{0,20}:$
        \b(?:next|future|upcoming)_(?:tickets|prs|tasks|time|round|ones|changes|sessions|sprints)\b|\bcarry_over\b
        |\b(?:takeaways|lessons|learnings)\b|\bfor_(?:you_to_)?(?:remember|memory|your_memory)\b
    """,
    "policy": rf"""
        \b(?:one|two|three|1|2|3|max_\w+|at_most_\w+|no_more_than_\w+|exactly_\w+
        |a_single)_(?:[\w-]+_){{0,3}}[\w-]+_per_(?!(?:second|minute|hour|day|frame|row|page|line|user|request|column
        |slide)\b)\w
        ^(?:(?:please|pls|plz|and|also|so|ok|hey|oh|try_to|just|maybe)[,:]? ){{0,3}}(?:keep|use|write|name|put|format
        |phrase|leave|make|prefer|include|give|start|end|begin)_(?:all_|our_|new_|your_|my_)?{_PROCESS}\b
        ^(?:all_|our_|your_|my_)?{_PROCESS}_(?:in|as|with|without|via|per|under|below|at_most|max|up_to|should|must
        |need|go
        |stay|start|end|begin|get|are_(?:always|never|only|to|written|named|kept)|have_to|can_be|reference|say
        |explain)\b
    """,
}
