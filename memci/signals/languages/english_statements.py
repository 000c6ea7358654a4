"""English statements about kinds of things, practice, people and dates, and what speaks against them."""

_BEGIN = (
    r"(?:^|[,;:.!?–—-] ?|\b(?:and|but|so|also|please|pls|just) )"
    r"(?:(?:please|pls|plz|just|also|ok|and|so|oh|in general,?|btw,?|hey,?|yeah,?|then|try to|lets) ){0,3}"
)
# Things of a kind: a plural without an article, and not people whose behaviour is told.
_THINGS = (
    r"(?:^|[:;!?–—] ?|, (?:and|so|but) |\b(?:that|because|since|agree|nope|no),? )"
    r"(?:(?:and|but|also|btw|so|please|oh|our|new|all|first|second|third|finally|while (?:were|youre) at it"
    r"|in general|generally|any|normally|usually|ok|nope|no|here)[,:.!]? ){0,3}"
    r"(?!(?:the|this|that|it|its|they|he|she|these|those|my|your|his|her|i|you|we|users|people|customers|clients"
    r"|players"
    r"|theirs|always|never|some|sometimes|most|many|two|three|several|looks|lets|thanks|seems|works|there|what"
    r"|how|why"
    r"|when|if|does|is|has|was|things|yes|both|a|an|if|while|as|guess|maybe)\b)"
    r"(?:(?!(?:the|this|that|these|those|is|was|has|does|which|who|to|and|my)\b)[\w/.'-]+ ){0,3}"
    r"(?:(?!(?:is|was|has|does|its|this|as|us|thus|plus|always|was)\b)[\w/-]{2,}(?<![su])s|data|code|config|copy"
    r"|metadata)"
    r"(?: (?:that|which|with|without|for|from|of|in) (?:(?!(?:and|or|but)\b)[\w-]+ ){0,4}(?!(?:and|or|but)\b)[\w-]+)?"
)

CUES = {
    "story": r"""
        \b(?:my|our|a|some)_(?:coworker|colleague|friend|buddy|flatmate|wife|husband|brother|sister|intern|teammate
        |uncle|neighbou?r|ex)\b.{0,20}\b(?:says|said|thinks|insists|claims|always|never|keeps|wants|swears|believes)\b
    """,
    "placed": r"""
        \b(?:wiki|drive|share|intranet|site|portal|handbook|space|folder|board|sheet|spreadsheet)_(?:\w+_){0,2}(?:at
        |on|under)?_?(?:URL|[\w.-]+)?_?(?:has|holds|contains|lists|shows|covers)_
    """,
    "trouble": r"""
        \bnothing_works\b|\bstopped_working\b|\bplease_help\b|\blooks_like_(?:every|all|the)\b
    """,
    "person": r"""
        \bmy_(?:eyesight|hearing|vision|dyslexia|adhd|rsi|memory|screen_reader|spelling)\b
        \bi_(?:have|got)_(?:adhd|dyslexia|rsi|poor_eyesight|a_background|a_degree|no_(?:background|experience
        |clue_about|idea_about)|little_experience|limited_experience|a_phd)\b
        \bi_(?:only_)?(?:speak|read|know)_(?:only_|no_|a_little_|some_|basic_|enough_|almost_no_|hardly_any_
        |very_little_)\w
        \b(?:isnt|is_not|aint)_my_(?:first_language|native_language|mother_tongue|thing|strong_suit|forte|strength
        |area)\b
        \b(?:hardly|barely|almost_no|zero|not_much)_(?:any_|ever_)?(?:experience|clue|python|code|coding|knowledge)\b
        \b(?:remember|know|address)_me_as_\w|\bi_go_by_\w|\bmy_(?:name|pronouns)_(?:is|are|s)_|\bmy_names_\w
        |\b(?:they/them|she/her|he/him)\b
        \b(?:im|i_am)_(?:solely_|also_)?(?:responsible|accountable|in_charge|the_(?:only|main|sole))_
        \b(?:im|i_am)_the_(?!(?:one|only_one|first|last|same|kind|type|worst|best)\b)(?:[\w-]+_){1,3}(?:for|of|at
        |here|on|in)\b
    """,
    "purpose": r"""
        ^(?:(?:and|but|no|hey|also)[,:]? ){0,2}(?:that|this|the|those|these)_(?:[\w-]+_){1,4}(?:stays?|is_staying
        |has_to_stay|must_stay|is_(?:there|here)_(?:to|for|because))(?:[.,!;]|$|_(?:as_is|where|put|in_place|because
        |for|to)\b)
        \b(?:looks|may_look|seems)_(?:odd|weird|wrong|strange|ugly|redundant|pointless|unused)\b.{0,40}\bbut\b
        \b(?:isnt|is_not|arent|are_not|not)_(?:arbitrary|random|an?_accident|accidental|a_coincidence|redundant
        |dead_code|unused|an_oversight|leftover|superfluous)\b|\bthere_is_a_reason_(?:for|why|that)\b|\b(?:has
        |have)_(?:a|its|their)_reasons?\b
    """,
    "correct": r"""
        ^(?:hey,? |hm+,? |sorry,? )?(?:thats|that_is|this_is|those_are|these_are|it_is|its)_not_(?:our|the|where
        |what|who|a|an)\b
        \b(?:you|u)_(?:have|got|ve_got)_(?:it|that|them|this)_(?:backwards|wrong|mixed_up|the_wrong_way)\b
        |\bother_way_a?round\b
        ^(?:small|quick|one|minor)_correction\b
    """,
    "dictate": r"""
        ^(?:(?:ok|please|pls|and|also|then|just|can_you|could_you)[,:]? ){0,3}(?:tell|email|mail|message|text|dm
        |remind|inform|ping|write|reply_to|answer|write_to|write_an?_(?:email|mail|letter|message|note|reply|post
        |tweet)_to)_(?!(?:me|us|it|tests?|code|docs?|all|every)\b)(?:(?:the|my|our|a|an|her|him
        |them)_)?\w*_?(?:(?:team|client|customer|reviewer|vendor|boss|manager|user|folks|guys|people)_)?(?:that|we|i
        |to_never|to_always|saying|about_how|not_to)\b
    """,
    "once": r"""
        \b(?:im|were|theyre|hes|shes|is|are)_(?:still|currently|in_the_middle_of|mid|busy|about_to|halfway)\b
        |\bmid_\w+|\bmeanwhile\b|\bwhile_(?:the_)?\w+(?:_\w+)?_(?:is|are)_|\btonight\b|\byet(?:[.,!]|$)
        |\buntil_(?:tomorrow|tonight|later|the_(?:demo|meeting|call)|lunch)\b
        [,;–—.] ?(?:because_|since_|as_|while_)?(?:im|i_am)_(?:\w+ly_|still_|just_)?\w+ing\b
    """,
    "deadline": r"""
        \b(?:until|till|by|before|starting|effective|as_of|through)_(?:the_)?(?:\d{4}-\d\d|\d{1,2}(?:st|nd|rd|th)\b
        |(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]{0,6}\b|q[1-4]\b|end_of_(?:the_)?(?:year|month
        |quarter|q[1-4]|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]{0,6}))
        \b(?:cuts?|switch(?:es)?|turns?|shuts?|kills?)_(?:it|them|us|that|this)_off\b
        \b(?:is|are|happens?|takes?_place|scheduled|planned|set|starts?|begins?|lands?|runs?_out|ends?)_(?:for|on|in
        |by)_(?:the_)?(?:\d{4}-\d\d|\d{1,2}(?:st|nd|rd|th)\b|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov
        |dec)[a-z]{0,6}\b|q[1-4]\b|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b)
        \b(?:until|till|by|before)_.{2,40}\bon_(?:the_)?(?:\d{4}-\d\d|\d{1,2}(?:st|nd|rd|th)\b|(?:jan|feb|mar|apr
        |may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]{0,6}\b|q[1-4]\b|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b)
        \b(?:submission|camera-?ready|defen[cs]e|exam|audit|election|conference|inspection|certification|contract
        |licen[cs]e|trial|grant|pitch|beta|gold_master|cert|review_board|handover|migration)s?_(?:\w+_){0,3}(?:is
        |ends?|on|by|expires?|starts?|due|runs?|begins?)\b
        \b(?:goes|go|is|are|will|gets?|leaves|comes|ships|moves|has_to|must|due|happens)_.{0,30}\bon_(?:(?:jan|feb
        |mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]{0,6}_\d|the_\d{1,2}(?:st|nd|rd|th)|\d{1,2}(?:st|nd|rd
        |th)?_(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|20\d\d-)
    """,
    "decide": r"""
        \b(?:is|are)_(?:always_|now_)?(?:authoritative|canonical|binding|the_(?:reference|master_copy|truth
        |authority|gold_standard|original|law))\b
        \bif_.{2,40}\b(?:differ|differs|disagree|disagrees|conflict|conflicts|contradict)\b.{0,40}\b(?:wins?
        |is_right|is_correct|counts|takes_precedence|goes)\b
        \b(?:trumps|overrules|takes_precedence_over|wins_over)_\w
        \bwe(?:re|_are)_(?:legally_|contractually_)?(?:bound|required|obliged|obligated|committed|not_(?:allowed
        |permitted)|forbidden|supposed|prohibited)_
        \b(?:legal|finance|ops|security|compliance|marketing|product|management|infra|platform|qa|support|sales
        |accounting|design|hr|procurement|the_(?:team|client|customer|board|boss|editor|publisher|regulator
        |auditors?|committee|vendor|partner|cto|ceo|lead|architects?|lawyers?|community|sponsor|pi|supervisor)
        |my_(?:boss|manager|advisor|supervisor|pi)|our_(?:lead|client|customer|publisher|auditors?|lawyers?|sponsor
        |investors?))_(?:has_|have_|really_)?(?:wants?(?!_the\b)|wont_\w+|vetoed|prefers?|rejects?|rejected|banned
        |forbids?|says?_no|said_no|needs?_us|expects?|signed_off|mandates?|will_not)\b
        \bthe_(?:plan|idea|goal|deal|agreement|agreed_\w+)_is_(?:to|that)_(?!i\b)
        (?<!user )(?<!manually )\b(?:replaces|is_replacing|supersedes|has_replaced|gets_replaced_by|is_replaced_by
        |was_replaced_by)_\w
        \b(?:is|are)_(?:officially_)?(?:out|dead|history|deprecated|retired|eol)[,;.] .{0,20}\b(?:is_in|use|it_is
        |instead|replaces|only)\b
        \bas_(?:agreed|discussed|decided|approved|requested|required|signed)_(?:with|by|in|on)_\w
        \bper_(?:legal|compliance|contract|policy|the_contract|our_(?:policy|contract|agreement))\b
    """,
    "fact": r"""
        \bwe(?:ll|_will|re_going_to|_are_going_to|re_gonna|_are_not_going_to|_wont)_(?:be_)?(?:go_with|going_with
        |go_for|use|using|stay|stick|keep|move_to|switch_to|build|support|drop|host|skip)_(?!(?:it|this|that|them
        |the_same|for_now|you)\b)\w
        \bwe(?:ve|_have)_(?:now_|already_)?(?:got|had)_(?:to|until)\b
    """,
    "kind": rf"""
        {_THINGS}_(?:(?:all_|only_|always_|never_|also_)?(?:(?:go|goes|belong|belongs)_(?:in|into|to|through|under|via
        |on|behind|next|with|before|after|first|last|straight|only)\b
        |(?:start|starts|begin|begins|end|ends)_(?:with|in|on)_
        |(?:live|lives|stay|stays|sit|sits|remain)_(?:in|under|on|out|below|behind|next|at|with|inside|within)\b
        |(?:get|gets|need|needs|require|take|carry|want)_(?:a|an|the|their|its|one|two|no|at_least|to_be|both|explicit
        |own)_)
        |(?:are|is)_(?:all_|only_|always_|never_|also_)?(?:written|named|prefixed|kept|stored|generated|spelled
        |formatted|logged|signed|reviewed|versioned|translated|done|called|ordered|sorted|measured|counted|tested
        |deployed|released|built|handled|rounded|encoded|expressed|quoted|numbered|tagged|approved|edited|produced
        |imported|for|not_|one_|immutable|append-?only|read-?only|idempotent|opt-?in)\b
        |are_(?!(?:green|red|fine|ok|okay|good|bad|slow|fast|broken|failing|passing|done|ready|back|down|up|in|out
        |missing|wrong|gone|weird|great|nice|flaky|empty|not|still|now|all|too|very|so|really|being|getting|running
        |here|there|cool|hard|easy|fun|awful|stuck|off|on|amazing|identical|pretty|quite|kind|just|a_(?:bit|mess)|over
        |coming)\b)\w
        |(?:use|follow|inherit|extend|return|take|speak|reference|mirror|match|come_from|pass_through|cite)_)
    """,
    "remember": r"""
        (?:^|[.!,;] ?)(?:and |also |oh |please |pls |so |hey,? ){0,2}(?:(?:quick|small|one|important|side|little
        |another|short)_)+(?:note|notice|reminder|fact)(?:_(?:for|on|about|before|to)_.{1,40}?)? ?[:–—-]
        (?:^|[.!,;] ?)(?:and |also |oh |please |pls |so |just |but ){0,2}(?:be_aware|mind_you|mind|beware|take_note
        |jot_down|write_down|bear_in_mind|dont_lose_sight_of_the_fact|know)_that_
        \b(?:keep|bear|have)_(?:that|this|it)_in_mind\b
        \bworth_(?:knowing|remembering|noting)\b
        \bfor_(?:next_time|later_use|posterity)\b
        \b(?:please_)?(?:jot|write|note)_(?:this|that|it)_down\b
        \b(?:add|save|put|commit)_.{1,60}\bto_(?:your_)?(?:memory|long-?term_memory|notes)\b
        \b(?:you_should_(?:also_|probably_)?know|just_(?:to_let|letting)_you_know|to_let_you_know
        |so_(?:that_)?you_know|in_case_(?:you_(?:wonder|wondered|didnt_know)|it_matters)|i_(?:should|forgot_to
        |wanted_to)_(?:also_)?mention|worth_mentioning|good_to_know|one_thing_to_know|as_a_reminder
        |reminder_that|before_i_forget)\b(?!.{0,60}\?$)
        (?:^|[,;] |\b(?:please|pls|also|and|but) )take_into_account\b
        \b(?:make|keep)_a_note\b|\bplease_note\b|\bbe_advised\b
    """,
    "confirm": rf"""
        {_BEGIN}keep_(?:on_)?(?!(?:going|working|trying|looking|digging|reading|debugging|running|waiting|thinking
        |watching
        |searching|scrolling|pushing|playing|testing)\b)\w{{2,20}}ing_\w
        \b(?:exactly|precisely|just)_the_(?:\w+_){{1,3}}(?:i|we)(?:d|m|_am|_was|ve_been)?_(?:want|wanted|like|liked
        |need
        |needed|love|expect|mean|meant|prefer|hoping|hoped|looking_for)\b
        \b(?:exactly|precisely|just)_(?:what|how)_(?:i|we)_(?:want|like|need|love|expect|mean|prefer)(?:[:,] ?
        |_(?:it|them
        |in|for|from|every|with|when|on)_)\w
        \b(?:glad|happy|relieved)_(?:that_)?(?:you|u)_(?!(?:are|re|could|can|like|liked)\b)\w
        \b(?:thanks|thank_you|thx|kudos|props|good_job|nice_job|well_done|great_job|nice_work|great_work)_for_(?:not_
        |always_)?(?:asking|checking|keeping|splitting|leaving|flagging|warning|confirming|separating|avoiding
        |sticking
        |reusing|waiting|pointing|naming|writing_the_test)\b(?=.{{0,80}}\b(?:keep|always|again|every|going_forward)\b)
        \b(?:continue|carry_on)_(?:to_\w+|\w+ing)_\w.{{0,60}}\b(?:like_this|this_way|that_way|the_same_way)\b
        \bthats_the_(?:spirit|pattern|style|format|level_of_detail|tone|way)\b
        \byour_\w+(?:_\w+)?_(?:was|were)_(?:spot_on|perfect|right|exactly_right)\b
        \b(?:good|great|right|nice|smart|solid|excellent|clever|wise)_(?:instinct|thinking|decision|pick|approach
        |judgement|judgment)_(?:on_|to_|with_|not_|in_|\w+ing_)\w
        ^(?:please |pls |and |so )?(?:continue|carry_on|go_on|keep)_(?:to_do_(?:so|that|this|it)|doing_(?:so|that
        |this|it)|like_(?:that|this)|it_up|this_up|that_up)\b
    """,
    "manner": r"""
        \b(?:unasked|blindly|silently|without_(?:tests?|a_test|reading|confirmation|review|approval|running
        |benchmarks?))\b
        \b(?:on_(?:a_)?(?:fridays?|weekends?)|during_(?:business|market|trading|office|school|peak)_hours|at_night)\b
    """,
    "forbid": rf"""
        {_BEGIN}(?:be_careful_(?:not_to|with|to_not)|make_sure_(?:you_)?(?:not_to|never)|try_not_to
        |watch_out_(?:not_to
        |for)|beware_of|do_without|hold_back_on|no_\w+ing)_\w
        {_BEGIN}(?:dont|do_not)_bother_(?:with_|to_)?\w
        (?:^|[,;.!] ?)(?:and |so |there_is |theres ){{0,2}}no_need_(?:for|to)_(?!(?:worry|hurry|rush|thank
        |apologi[sz]e|reply|answer)\b)\w
        \byou_(?:dont|do_not|never|must_not|mustnt|only|shouldnt|should_not)_(?!(?:have|need|know|want|like|think
        |seem|get|see|understand|say|mind|even|really|remember|care|mean|look|sound|fail|ask_me_why)\b)\w
        \b(?:we|you|they|clients|code|it)_may_not_\w
    """,
    "practice": r"""
        \bwe_(?:always_|never_|only_|usually_|normally_|generally_|typically_|all_|do_)?(?!(?:are|were|have|had|has
        |need
        |want|got|get|think|know|see|saw|can|cant|could|couldnt|should|shouldnt|will|wont|would|wouldnt|might|may
        |must|did
        |didnt|do|dont|just|also|already|still|now|both|really|actually|re|ve|ll|noticed|found|lost|tried|guess|hope
        |wonder|care|mean|said|say|told|talked|discussed|met|spent|live|love|hate|like|cannot|ought|used|to|in|at
        |who|call
        |look|looked|wait|waited|end|ended|hit|start|started|come|came|go|went|make|made|fix|fixed|finish|finished
        |always|never|only|usually|normally|generally|typically|all|sometimes|often|caught|seem|seemed|havent|hasnt|hadnt
        |arent|werent|missed|broke|forgot|ran|took|wrote|gave|left)\b)[a-z]{3,15}(?<!ed)_\w
        \b(?:is|are)_(?:how|where|what|why)_we_\w
        \bour_(?:[\w-]+_){1,3}(?:expect|expects|want|wants|need|needs|require|requires|insist|insists|read|reads|rely
        |relies|has|have|runs?|starts?|ends?|lives?|sits?|deploys?|ships?|targets?)_
        \bours_(?:is|are|lives?|uses?)_
        \bwe(?:re|_are)_(?:a|an|on|all_on|using|strict_about|careful_with|aiming_for|targeting)_(?!(?:bit|little
        |track|it|the_same|fire|schedule|time)\b)\w
        \bwe_have_(?:an?_|our_own_)?[\w-]+(?:_for_(?:that|this))?, ?(?:so_)?use_(?:it|that|them)\b
    """,
    "here": r"""
        \b(?:in|for|across|throughout|inside|within)_(?:this|our|the)_(?:workspace|code|tree|game|engine|firmware
        |paper
        |thesis|service|product|platform|library|sdk|notebook_repo|data_?set_repo|department|lab|office|group
        |studio)\b
        \b(?:around|over)_here\b
    """,
    "clause": r"""
        [,;:–—-] ?(?:\w+_){1,6}(?:kills?|breaks?|ruins?|wrecks?|costs?|trips?|confuses?|crashes|corrupts?|leaks?
        |blocks?
        |slows?|hurts?|spams?|floods?|loses?|lost|fails?|chokes?|hates?|rejects?|rejected|complains?|screams?
        |takes_\w+
        |gets?_(?:rejected|lost|confused|stuck|angry|paged|billed)|went_\w+|cares?|checks?|prints?|parses?|audits?
        |bills?
        |charges?|watches|scans?|mirrors?|syncs?|ships?|deploys?|runs?|imports?|builds?|sees?|counts?|cries|signs?)\b
        [,;–—-] ?(?:two|three|half|most|every|all|each|no|nobody|everyone|dana|translators|auditors|regulators|clients
        |players|testers|designers|lawyers|partners|vendors|students|patients|teachers|operators|reviewers)_
    """,
}
