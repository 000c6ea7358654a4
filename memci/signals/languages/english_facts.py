"""English words of decisions, dates, places, people and reasons."""

_ROLE = (
    r"(?:dev|devs|developer|engineer|scientist|designer|manager|pm|po|sre|analyst|student|researcher"
    r"|founder|cto|ceo|lead"
    r"|architect|admin|administrator|tester|qa|consultant|writer|teacher|physicist|biologist|mathematician"
    r"|statistician"
    r"|economist|programmer|coder|beginner|newbie|noob|junior|senior|intern|maintainer|freelancer|contractor|dba"
    r"|devops"
    r"|backend|frontend|fullstack|specialist|expert|novice|owner|person|guy|girl|hobbyist|ops|support|accountant"
    r"|doctor"
    r"|sysadmin|operator|technician|editor|marketer|linguist|chemist|lawyer|nurse|professor|postdoc|phd)"
)
_TEAM = (
    r"(?:legal|finance|ops|security|compliance|marketing|product|management|infra|platform|qa|support|sales|the team"
    r"|the client|the customer|the board|the boss|my boss|our lead|accounting|design|hr|procurement)"
)
_DROP = (
    r"(?:moved|switched|migrated|dropped|decided|agreed|chose|picked|settled|went_(?:with|for|back)"
    r"|standardi[sz]ed|deprecated|retired"
    r"|replaced|adopted|abandoned|killed|removed|ditched|froze|renamed|committed to|opted)"
)

CUES = {
    "remember": r"""
        (?:^|[,.;:!] ?|\b(?:please|pls|and|also|ok|right|so|just) )remember(?:_that|[:,]|_for_(?:later|next|the)
        |_this|_we|_our|_the_\w+_(?:is|are|has|gets|runs|must|does)|_to_(?:always|never)|_we|_never|_always)
        (?<!not )(?:^|[,.;:!] ?|\b(?:please|pls|and|also|just|but) )(?:keep|bear|have)_in_mind
        \b(?:commit|save|add|write|store|put)_(?:this|that|it)_(?:down_)?(?:to|in|into)_(?:your_)?(?:memory
        |notes?|memories)
        (?:^|[.!,] ?)(?:please_)?(?:note|nb|n\.b\.|reminder|remember|important|psa|lesson_learned|for_the_record
        |noted|note_to_self)(?:_for_later|_for_the_future)? ?:
        \bnote_that\b
        \breminder_for_(?:later|the_future|next)\b
        \bmake_a_(?:mental_)?note\b
        \bfor_(?:the_record|your_(?:notes|information|memory)|later_reference)\b
        \bmemori[sz]e_(?:that|this|:)
        \bdont_(?:ever_)?forget(?:_that|:)_?(?!to)
    """,
    "forget": r"""
        \bforget_(?:about_)?(?:what_(?:i|we)_(?:told|said)|the_(?:old|previous|earlier)|my_(?:old|previous
        |earlier)|that_(?:rule|thing_about))
        \b(?:old|previous|earlier|that)_(?:rule|convention|advice|note|guideline)_(?:is|no_longer|doesnt|does_not
        |was)\b
        \b(?:you_can|please)_(?:forget|drop|delete|remove)_(?:the|that)_(?:rule|memory|note|convention)\b
    """,
    "correct": r"""
        ^(?:(?:hm+|uh+m*|ah|oh|argh|ugh|well|sorry|hey|ok|yeah)[,.!]* )?(?:(?:no|stop|actually|wait|false
        |incorrect)(?:_no)*[,.!:]|(?:nope|nah|noo+|wrong|not_quite)\b)
        \b(?:thats|this_is|that_is|thats_just|youre|its)_(?:wrong|incorrect|not_(?:right|true|correct|how)
        |mistaken|not_the_case|outdated)\b
        \bactually,? (?:the|its|we|our|that|it)\b
        \b(?:is|was|are)_(?:not|in)_?(?:correct|right|true|accurate)\b,?
        \bnot_how\b
        ^correction\b
    """,
    "contrast": r"""
        [,;–—-] ?(?:and_)?not_(?:the_|a_|an_|from_|in_|into_|on_|to_|by_|via_|with_|at_|next_|inside_|for_|just_)?\w
        \bnot_\w+(?:_\w+){0,4},? but\b
        \b(?:isnt|arent|is_not|are_not|not)_\w.{0,40}, ?(?:its|theyre|it_is|but)\b
        \binstead_of\b
        \brather_than\b
        \bis_only_for\b
        \bonly_for\b
    """,
    "confirm": r"""
        \bkeep_(?:on_)?doing\b
        \bkeep_(?:it|that|this|these|those)_(?:up|that_way|this_way|like_(?:that|this))\b
        \b(?:was|is|were)_(?:exactly_)?the_right_(?:call|choice|move|approach|decision)\b
        \b(?:good|great|right|nice|smart)_(?:call|choice|move)_(?:on_|to_|with_|not_|in_)?\w{3,}
        \b(?:this|that)(?:_is|s)_(?:exactly_)?(?:how|the_way)_(?:i|we)_(?:like|want|do|prefer)\b
        \bthe_(?:kind|sort|type|style)_of_\w+(?:_\w+)?_(?:i|we)_(?:want|like|need|expect)\b
        \bdo_(?:that|it|this)_(?:every_time|from_now|again_next|the_same_way|always)\b
        \b(?:always|please)_do_it_(?:like_)?(?:this|that)\b
        \bmore_of_(?:this|that)_(?:please|in)\b
        \bwhat_i_(?:want|need|like|expect)_(?:for|in|from|on|with)_(?:every|all|each|any|these|future)\b
        \bi_(?:really_)?(?:like|love|appreciate)_(?:it_when|how|that)_(?:you|u)\b
        \bthat_worked_(?:really_)?(?:well|great|nicely)\b.{0,40}\b(?:again|keep|same|always)\b
        \bstick_(?:to|with)_(?:that|this|it)\b
        \bdo_it_(?:that|this)_way\b
        \b(?:keep|leave)_(?:doing_)?(?:it|that|this)_the_same\b
    """,
    "decide": rf"""
        \bwe(?:ve|_have|_had|_all|_just|_already|_finally|_recently|_now)?_(?:{_DROP})\b(?!_(?:on_with|through
        |to_lunch|out|home|back_to_bed|there|over_(?:it|this)))
        \b(?:we|were|we_are|theyre)_(?:now_|currently_)?(?:rewriting|replacing|migrating|moving|switching
        |dropping|deprecating|phasing|retiring|going_with|standardi[sz]ing|sticking|splitting|merging_the
        |sunsetting|staying|back_to|back_on|keeping)\b
        \b(?:{_TEAM})_(?:has_|have_)?(?:decided|insist\w{{0,3}}|require[sd]?|flagged|signed|asked_(?:for|us|to)
        |demand\w{{0,3}}|agreed|approved)\b
        \bwe_(?:no_longer|stopped_\w+ing)\b
        \b(?:the|our|final|a)_decision\b(?!_tree)
        \bdecision:(?!_QUOTE)
        \b(?:is|are)_(?:the|our)_(?:single_|only_)?source_of_truth\b
        \b(?:it_was|was|been|is|were)_decided\b
        \bwe_(?:cant|cannot|can_not|wont|will_not)_(?:upgrade|use|move|switch|drop|migrate|change|deploy|support
        |remove|touch|bump|update|merge|rely|ship)\b
        \b(?:picked|chose|went_with|settled_on|opted_for)_\w.{{0,60}}\b(?:over|because|since|instead|bc)\b
    """,
    "reverse": r"""
        \bwe(?:ve|_have)?(?:_just|_now|_already|_recently)?_(?:switched|moved_(?:off|away|from|to)|migrated
        |dropped|reverted|went_back|changed_that)
        \bwere_back_(?:to|on)\b
        \bi(?:ve)?_(?:have_)?changed_my_mind
        \bforget_(?:the|about|what|my|that|everything)\b.{0,30}\b(?:rule|said|told|convention|earlier|old|about)\b
        \bno_longer\b
        \b(?:not|isnt|arent|dont|doesnt|nobody|nothing)\b.{0,60}\b(?:anymore|any_more|any_longer)\b
        \bthe_old_(?:rule|convention|way|policy)\b
        \binstead_of_the_old\b
        \b(?:is|are)_now\b.{0,60}\bnot\b
        \bnow,? not\b
        \bused_to_be\b
        \bupdated?_rule\b
        \bthat_rule_(?:is|no|doesnt)\b
        \b(?:was|were)_(?:just_)?changed_(?:from|to)\b
        \bi_take_(?:it|that)_back_about\b
        \bsupersede[sd]?\b
    """,
    "deadline": r"""
        \b(?:deadline|freeze|frozen|cut-?off|cutover|go-?live|launch|release_branch|embargo|end_of_life|eol
        |sunset|code_freeze|blackout|maintenance_window)\b
        \bdue_(?:on|by|date|in|this|next|tomorrow)\b
        \b(?:is|are)_due\b
        \b(?:go(?:es)?|going)_(?:live|out|away|down|offline|dark|public)\b
        \b(?:gets?|will_be|is_being|are_being|is|are|be)_(?:\w+_)?(?:shut_down|switched_off|turned_off|deleted
        |removed|retired|decommissioned|deprecated|merged|dropped|migrated|moved|rotated|disabled|archived
        |replaced|wiped)\b
        \b(?:shuts?|shutting)_down\b
        \b(?:expires?|launch(?:es)?|ships?|starts?|begins?|ends?|moves?|switch(?:es)?|leaves?|migrates?|closes
        |opens)\b
        \bnothing_(?:\w+_)?(?:gets_)?(?:merge[sd]?|merged|ships?|goes|lands?|deploy\w{0,3}|released?)\b
        \bno_(?:deploys?|deployments?|merges?|releases?|merging|deploying)\b
        \bhas_to_(?:be|ship|go)\b
        \bmust_(?:ship|be_(?:done|finished|out|live))\b
    """,
    "blocked": r"""
        \b(?:is|are)_(?:on_hold|paused|parked|blocked|frozen|suspended)\b.{0,80}\b(?:until|till|because|waiting)\b
        \b(?:blocked|on_hold|parked|frozen|paused)_(?:until|till|by|for|because)\b(?!_(?:you|me|i)\b)
        \b(?:stays?|remains?)_.{2,60}\b(?:until|till)_(?!(?:i|im|you|its|then|tomorrow
        |later|the_tests)\b)\w
        \bnot_(?:before|until)_\w.{0,40}\b(?:signs?_off|approv|ships?|release|launch)\w{0,3}\b
        \buntil_.{2,50}\b(?:signs?_off|approves?|ships|launch(?:es)?|migrat\w{1,4}|is_done|is_over|lands)\b
    """,
    "owner": r"""
        \b(?!(?:who|it|that|this|which|he|she)\b)\w+_(?:\w+_)?(?:owns|maintains|took_over|takes_over
        |is_taking_over|runs_the|leads)_(?:the_|our_|all_)?\w
        \bis_(?:now_)?(?:in_charge_of|responsible_for|the_(?:owner|maintainer|contact|lead|go-?to|code_?owner
        |person|reviewer|release_manager|one)_(?:of|for|who)|on_the_hook)\b
        \bare_(?:now_)?(?:in_charge_of|responsible_for)\b
        \b(?:owner|maintainer|contact|point_of_contact|release_manager|code_?owner)_(?:of|for)_.{1,40}\bis\b
        \b(?:belongs|belong)_to_(?:the_)?\w+_team\b
        \bowned_by\b
        \b(?:person|one|guy|contact|team|people)_to_(?:ask|talk_to|ping|contact|bug|consult|go_to)_.{0,40}\b(?:is
        |are)_
        \b(?:talk|go|speak|reach_out)_to_(?!(?:the_\w+_page|me|you|it|this|that|sleep|lunch
        |bed)\b)[\w-]+_(?:\w+_)?(?:about
        |before|for_anything)_
        \b(?:questions|requests|anything|issues|changes)_(?:about|on|regarding|around|for|to)_.{1,40}\b(?:go
        |goes)_to_\w
        \b(?!(?:who|it|that|this|which|he|she|code|function|class|service|module|method|handler
        |server|already|case|branch|block|path|logic|helper)\b)\w+_(?:handles
        |looks_after|takes_care_of|is_handling|signs_off_on|approves|reviews)_(?:all_|everything|anything|every
        |our_)\w*
        \bask_(?:her|him|them|\w{2,15})_(?:first_)?(?:before|about|for_(?:access|approval|permission|anything
        |schema))\b
        \b(?:needs?|requires?)_(?:a_|an_)?(?:sign-?off|approval|review|ok|okay)_(?:from|by|of)\b
        \bloop_(?:in_)?(?:her|him|them|\w{2,15})(?:_in)?_(?:on|for|when|before)\b
    """,
    "purpose": r"""
        \bon_purpose\b
        \bintentional(?:ly)?\b
        \bdeliberate(?:ly)?\b
        \bby_design\b
        \bis_not_a_(?:bug|mistake|typo)\b
        \b(?:isnt|not)_a_(?:bug|mistake|typo)\b
        \bthere_for_a_reason\b
        \bfor_(?:historical|legal|compliance|contractual|regulatory)_reasons\b
        \bdont_be_surprised\b
        \bload-?bearing\b
    """,
    "fact": r"""
        \b(?:moved|switched|migrated|renamed|changed|upgraded|relocated)_(?:from_.{1,40}_)?(?:to|over_to|into)\b
        \b(?:is|are)_no_longer\b
        \b(?:is|are)_now_(?:at|on|in|called|named|behind|hosted|read|managed|owned|part|under)\b
        \bnow,? not\b
        \bas_of_(?:today|now|tomorrow|yesterday|this|next|last|version|v?\d|january|february|march|april|may|june
        |july|august|september|october|november|december)\b
        \bsource_of_truth\b
        \bin_production_(?:we|it|the)\b
        \b(?:we_dont|we_do_not|isnt|arent|is_not|are_not|nobody|nothing)\b.{0,50}\b(?:anymore|any_more|any_longer)\b
        ,?_not_\S{1,30}_(?:anymore|any_more)\b
        \bonly_(?:supports?|works?_with|runs?_on|exists?_(?:for|in)|used_(?:by|for|in))\b
        \b(?:generated|managed|deployed|provisioned|synced|seeded|reset|wiped)_(?:by|from|via|every|nightly
        |weekly)\b
    """,
    "aside": r"""
        \b(?:fyi|btw|by_the_way|heads_?up|for_context|just_so_you_know|for_your_info|context:|some_context
        |background:|side_note|small_note|one_thing|to_be_clear|for_what_its_worth|fwiw|info:|remark:|important)\b
        ^context\b
    """,
    "system": r"""
        \bURL\b
        (?<!\w)\#[a-z][\w-]{2,}
        \b(?:linear|jira|notion|confluence|slack|grafana|datadog|sentry|figma|asana|trello|pagerduty|airtable
        |miro|clickup|kibana|splunk|looker|tableau|metabase|sharepoint|google_(?:drive|docs?|sheets?)|gdrive
        |dropbox|zendesk|intercom|opsgenie|newrelic|new_relic|honeycomb|prometheus|discord|ms_teams
        |microsoft_teams|youtrack|bugzilla|redmine|basecamp|monday\.com|shortcut|servicenow|statuspage|1password
        |bitwarden|hashicorp_vault|the_vault|the_wiki|our_wiki|intranet|shared_drive|the_nas|runbooks?
        |dashboards?|backstage|storybook|amplitude|mixpanel|launchdarkly|posthog|argocd|artifactory|nexus)\b
        \b[a-z0-9-]+(?:\.[a-z0-9-]+){1,4}/[\w/-]{2,}
        \b(?:[a-z0-9-]{2,30}\.){1,3}(?:com|org|net|io|dev|internal|local|example|corp|lan)\b
    """,
    "placed": r"""
        \b(?:sentry|jira|linear|grafana|datadog|slack|notion|figma|confluence|asana|trello)_(?:project|board
        |space|channel|workspace|team|file|dashboard|page|key|org)\b.{0,40}\b(?:is|are)_
        \b(?:ends?_up|lands?|shows?_up|arrives?|gets?_(?:filed|logged|posted|tracked|reported))_(?:over_)?(?:in|at
        |on|under)_
        \bwe_(?:track|keep|log|file|manage|document|collect|store|plan|host|report|publish|discuss)_.{2,50}\b(?:in
        |on|at|with
        |under)_
        \b(?:lives?|located|tracked|documented|kept|stored|filed|hosted|posted|collected|managed|reported|logged
        |published|written_up|written_down|recorded|listed|summari[sz]ed|maintained|described
        |archived)_(?:over_)?(?:in|at|on|under|here|there|to|into|as|inside)\b
        \b(?:is|are|sits?|stays?)_(?:all_|always_|now_|also_|only_|still_)?(?:in|at|on|under|over_at|behind)_
        \b(?:is|are|here): ?(?:URL|CODE)
        \b(?:deployed|available|running|reachable|served|visible)_(?:here|at|on|under)\b
        \b(?:goes|go|belongs?|comes?)_(?:in|into|to|on|under|through|via)_
        \b(?:can_be_found|you_find|youll_find|you_can_find|find|look_up)\b
        \b(?:dashboard|runbook|board|docs?|documentation|wiki|tracker|spec|design|mocks?|channel|guide|playbook
        |ticket_queue|policy|source_of_truth|backlog|roadmap|metrics|logs|alerts|page)s?(?:_for_.{1,40})?(?:_is
        |_are|:)_?(?:URL|CODE|\#|at_|in_|on_|under_|here)
        \b(?:report|file|post|check|look|ask)_.{0,30}\b(?:in|at|on|to)_(?:the_)?(?:channel_)?\#
        \blook_(?:at|in|there|into).{0,60}\bfirst\b
        \b(?:tracker|ticket_system|ticketing|wiki|error_tracking|monitoring|chat|board|docs_tool)_is_(?:now_|in_
        |on_|at_)?(?:URL|jira|linear|notion|confluence|github|gitlab|slack|youtrack|asana|trello|sentry)
        \b(?:come|comes|coming)_in_(?:via|through|over)_
        \b(?:dashboard|board|runbook|docs?|wiki|tracker|channel|spec|playbook): ?(?:URL|\#)
    """,
    "person": rf"""
        \bbackground: ?(?:im|i)_
        \b(?:im|i_am)_(?:\w+_){{0,2}}(?:a|an)_(?!(?:bit|little|few|lot|huge|big|tad|couple|fan|number
        |bit)\b)(?:[\w./+#-]{{1,20}}_){{0,4}}(?!(?:believer|stranger|lover|sucker|loser|monster|number|order|paper
        |letter|matter|fever|other|another|year|hour
        |minute|super|later|whatever|over|never|ever|better|under|after)\b)[\w-]{{2,}}(?:er|or|ist|ian|eer|ician|legal
        |nurse|ologist|ographer|crat|smith|wright)(?=[ ,.;:!)]|$)(?!_(?:of|about)\b)
        \b(?:im|i_am)_not_(?:a|an|really_an?|much_of_an?)_(?:\w+_){{0,2}}{_ROLE}\b
        \bi_work_(?:from|with|part|remotely|nights|full|mondays?|tuesdays?|wednesdays?|weekends|in|at|on)\b(?!_(?:it
        |this
        |that|them|the_(?:bug|ticket|task|fix))\b)
        \bi_(?:live|am_based|sit)_in_\w
        \bmy_(?:background|day_job|job|role|degree|field|expertise|first_language|native_language|native_tongue
        |english
        |time_?zone|title|specialty|team|working_hours|math|maths|screen_reader)_(?:is|was|are)_
        \b(?:ive|i_have)_(?:been_\w+ing|used|written|done|worked|shipped|built|taught|run
        |maintained)_.{{1,50}}\b(?:for_(?:(?:about|over|more_than|almost|nearly|the_last|the_past)_)?(?:[\w-]+_){{0,2}}(?:years?
        |yrs|months|decades?|weeks|ages)|since_(?:\w+_){{0,2}}(?:20\d\d|19\d\d|school|university|college))\b
        \b(?:first|second|third)_(?:week|month|day|year|job|internship)_(?:here|on_(?:the|this)|at|as|in)\b
        \b(?:im|i_am)_(?:\w+_){{0,2}}(?:familiar|comfortable|fluent|at_home|experienced|proficient|rusty|hopeless
        |useless
        |clueless|good|bad|terrible|not_great)_(?:with|in|at)_(?!(?:it|this|that|the)\b)\w
        \b(?:is|are)_(?:all_|completely_|totally_|fairly_|pretty_|very_|quite_)?(?:new|foreign|greek|unfamiliar
        |a_mystery)_to_me\b
        \bi_(?:do|write|code|use)_\w.{{1,40}}\bfor_a_living\b
        \b(?:coming|i_come|i_came)_from_(?:a_|an_|the_)?(?!(?:lunch|home|it|this|that|here|there
        |work)\b)\w+_?\w*(?:_(?:background|world
        |side|land))?\b(?=.{{0,60}}\b(?:so|new|never|explain|but|i)\b)
        \bi_(?:teach|study|studied|trained_as|majored)_\w
        \bi_(?:own|lead|maintain|manage|run|head|oversee|support|administer)_(?:the|our|all|a|two
        |three)_(?:\w+_){{0,3}}(?:team
        |side|group|service|services|docs|infra|platform|product|studio|department|lab|pipeline|program|shop
        |practice)\b
        \bi_(?:mostly|mainly|usually|normally)_(?:do|write|work|use|code)_
        \b(?:im|i_am)_(?:more_of_|kind_of_|sort_of_|basically_|mostly_|actually_|also_|just_|really_|by_training_
        |only_|still_)?(?:a|an|the
        |your|one_of_the)_(?:[\w./+#-]{{1,20}}_){{0,5}}{_ROLE}s?\b
        \b(?:im|i_am)_(?:a_)?(?:totally_|completely_|pretty_|quite_|fairly_|relatively_|rather_|very_|still_
        |kinda_|brand_)?new_(?:to|at|here|with|in)\b
        \bmy_\w+(?:_skills?)?_(?:is|are)_(?:a_bit_|pretty_|very_|quite_)?(?:rusty|weak|limited|basic|fluent
        |nonexistent)\b
        \bi_come_from\b(?!_(?:lunch|a_meeting|home))
        \bmy_(?:background|day_job|job|role|experience|field|speciali?ty|native_language|first_language
        |title)_(?:is|was|as|in)\b
        \b(?:ive|i_have|i)_(?:been_)?(?:\w+ing|done|worked|used|written|spent)_.{{0,40}}\b(?:for
        |in)_(?:the_last_)?(?:\d+|\w+|many|several)_(?:years?|yrs|decades?)\b
        \b(?:\d+|ten|five|fifteen|twenty|twelve|many)_(?:\+_)?(?:years?|yrs)_(?:of|in|with|doing|writing)\b
        \b(?:my|this_is_my)_(?:very_)?first_(?:time|\w+_(?:codebase|project|job|repo|app|language)|\w+_?project
        |contact)\b
        \bfirst_time_(?:touching|using|working|doing|writing)\b
        \bi(?:ve)?_(?:have_)?(?:never|havent|have_not)_(?:really_)?(?:touched|used|written|worked|done|learned
        |coded)_.{{1,40}}\b(?:before|until|yet|in_my_life)\b
        \bi_(?:know|understand|speak|can_read|can_write|am_fluent|am_good|am_comfortable)_(?!(?:i|you|we|he|she|they
        |it|its|that|thats|this|what|why|how|where|the)\b).{{1,50}}\b(?:but|not
        |well|inside_out|very_well|only)\b
        \bi_(?:dont|do_not|cant|cannot)_(?:really_)?(?:write_code|code|program|know_(?:any|much|a_thing)|speak
        |read_(?:any|code))\b
        \b(?:about_me|who_i_am|my_name_is|call_me)\b
        ^(?:hi,? |hey,? )?(?:im_)?new_here\b
        \b(?:i_)?(?:just_|recently_)?joined_the_\w+(?:_\w+)?_team\b
        ^never_(?:worked_with|touched|coded|used)_\w+(?!.{{0,60}}\b(?:lol|here)\b)
        \bi_(?:work|manage|lead|run|maintain|teach|study)_(?:as|at|in|on|for|the|a|mostly|mainly)\b(?!_(?:it|this
        |that|them|tests?|script|command|suite|build|app|cli|e2e|server|migrations?|same|code)\b)
        \bi(?:m|_am)_(?:on|in|with|from)_the_\w+(?:_\w+)?_(?:team|side)\b
        \b(?:im|i_am)_(?:colou?r-?blind|dyslexic|blind|deaf|visually|self-?taught|based_in|located_in
        |in_the_\w+_time_?zone|responsible_for|in_charge_of|on_call)\b
        \bas_(?:a|an)_(?:[\w-]{{1,20}}_){{0,2}}{_ROLE},? i\b
    """,
    "reason": r"""
        \b(?:because|bc|bcs|cuz|coz|since|otherwise|so_that|due_to|or_else|thats_why|the_reason|reason:|else
        |hence)\b
        \b(?:in_order_to|to_avoid|to_prevent)\b
    """,
    "clause": r"""
        , ?(?:\w+_){1,3}(?:does|handles?|owns?|needs?|uses?|reads?|has|will|already|generates?|manages?|breaks?
        |relies|depends?|expects?|requires?|cant|wont|doesnt|pulls?|deletes?|overwrites?|insists?)\b
        , ?so_(?:everything|all|every|any|nothing|nobody)_
        , ?so_(?:no|dont|do_not|never|only|always|please)_
        [,–—-] ?(?:it|its|thats|they|theyre|that|this|we|our|the|ci|people|ppl|everyone|everybody|nobody|users
        |customers|some|someone|support|legal|finance|ops|security|two|half|other|i|reviewers)_
    """,
    "incident": r"""
        \b(?:got|were|was|been)_(?:burned|burnt|bitten|hit|paged|hacked|audited|fined)\b
        \b(?:bit|burned|burnt|hurt|cost|broke|killed|bites|hurts|costs|breaks)_(?:us|me|prod|production|the
        |everything|half|everybody|our)\b
        \bi_keep_having_to\b
        \btook_(?:prod|production|the|us|down|everything)\b
        \b(?:outage|incident|postmortem|audit|cve|data_loss|rollback|compliance|contract|regulation|gdpr|sev\d)\b
        \b(?:last|this)_(?:week|month|quarter|year|summer|spring|winter|fall|autumn|time|sprint|release)\b
        \b(?:in|since)_(?:january|february|march|april|may|june|july|august|september|october|november|december
        |20\d\d)\b
    """,
}
