"""The phrases of `injection`: instructions to a model as they look in folded text, by purpose.

In a phrase `_` is a blank or a line or paragraph break, and `~` is up to 60 characters of the same sentence.
"""

# The clause ends here: "do not tell the user." asks to hide, "do not tell the user which field is wrong" does not.
_STOP = r"(?=[.,;:!)。]|_?\n|_?$|_(?:and|but|or|about_(?:this|it)|of_this|that_you|this)\b)"
_NOT = r"(?:do_not|don'?t|never|must_not|mustn't|should_not)"
_WHO = r"(?:(?:the|any|your)_)?(?:user|human|operator|developer|person|reviewer|maintainer|owner|anyone|anybody)s?"
_EARLIER = r"(?:previous|prior|above|earlier|preceding|foregoing)"
_ORDERS = r"(?:instruction|direction|prompt|guideline|rule|command|message|context|constraint|order)s?\b"
_NOTE = r"(?:note|memory|entry|rule|instruction|topic|memo)"
_DROP = (
    r"(?<!never )(?<!not )(?<!n't )\b(?:ignore|disregard|forget|override|bypass|discard|pay_no_attention_to"
    r"|stop_following|(?:do_not|don't)_(?:follow|obey))_"
)
_DROPPED = (
    *("ignore", "disregard", "forget", "override", "bypass", "discard"),
    *("no attention", "stop following", "not follow", "n't follow", "not obey", "n't obey"),
)
_CHECKS = r"(?:confirmation|permission|approval|safety|review|security)"
_SECRETS = (
    r"(?:contents?|secrets|(?:all|any|your|stored|found|every)_credentials?|environment_variables|\.env|api_keys"
    r"|private_key|ssh_key|output_of_env|\.ssh|id_rsa|\.aws|transcript|conversation|source_code)"
)
_AWAY = r"(?:https?://|[a-z0-9.-]{1,40}@[a-z0-9-]{1,40}\.)"
_SHELL = r"\|_?(?:sudo_)?(?:ba|z|da)?sh\b"
# Separates a command to be run unasked from one that a person may run.
_UNASKED = (
    r"(?:(?:each|every|any|a|the)_(?:new_)?session|before_(?:anything_else|each_task|every_task|answering|you_answer)"
    r"|without_asking|(?:do_not|don't|never)_ask|always_start)"
)
_TIDY = r"(?:tid(?:y|ies|ying)|clean(?:s|ing)?|(?:consolidat|summari[sz]|merg|prun)(?:e|es|ing))"
_MODEL = r"(?:ai|llm|language_model)s?(?:_(?:assistant|agent|model|system|reviewer|tool)s?)?"

# Kind, literals of which one must occur, phrase.
PHRASES: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (
        "override",
        _DROPPED,
        (
            rf"{_DROP}(?:(?:all|any|every|the|your|my|of|these|those|other)_){{0,4}}(?:{_EARLIER}|system|safety|developer)_"
            rf"(?:(?:system|safety|security|user|developer|and|or)_){{0,2}}{_ORDERS}"
        ),
    ),
    (
        "override",
        _DROPPED,
        rf"{_DROP}(?:all_)?(?:of_)?your_(?:own_|default_)?(?:instructions|guidelines|training|system_prompt|safety_)",
    ),
    (
        "override",
        _DROPPED,
        (
            rf"{_DROP}(?:everything|anything|all|what|whatever)_(?:that_)?"
            r"(?:(?:is|was|came|comes|stands|i_said|you_(?:were_told|have_been_told|know|learned|read))_)?"
            r"(?:above|before|prior|previously|earlier|until_now|so_far)\b(?!_the\b)"
        ),
    ),
    (
        "override",
        _DROPPED,
        (
            rf"{_DROP}(?:any|all|every|the|other)_(?:instruction|rule|order|guideline)s?_"
            r"(?:(?:in|of|from|by)_(?:the_)?(?:claude\.md|agents\.md|system_prompt|users?\b|humans?\b)"
            r"|that_(?:conflict|contradict|disagree)s?_with_this_(?:memory|file|note|topic))"
        ),
    ),
    ("override", ("the above",), rf"\b(?:ignore|disregard|forget)_(?:all_)?(?:of_)?the_above{_STOP}"),
    (
        "override",
        ("from now on", "no longer", "no restrictions", "unrestricted"),
        (
            r"\bfrom_now_on,?_you_(?:are_(?:an?_|no_longer)|will_(?:act_as|obey)|must_obey)"
            r"|\byou_are_(?:no_longer|not)_bound_by|\b(?:you_(?:are|have)|act_as)_~\b(?:unrestricted|no_restrictions)\b"
        ),
    ),
    (
        "override",
        ("precedence", "priority", "supersede", "override", "overrule"),
        (
            r"\b(?:these|this|the)_(?:new_)?(?:instructions?|rules?|orders|memory|file|note)_(?:in_this_\w{1,12}_)?"
            r"(?:(?:take|has|have|takes)_(?:precedence|priority)_over|supersedes?|overrides?|overrules?)_"
            r"(?:[a-z.,]{1,12}_){0,4}?(?:system_prompt|users?\b|the_human|safety|them\b)"
        ),
    ),
    (
        "override",
        ("void", "obsolete", "cancel", "revoked", "replaced", "superseded", "invalid", "lifted", "suspended"),
        (
            rf"\b(?:your|all)_(?:{_EARLIER}|original|old)_(?:instructions|rules|guidelines)_(?:are|have_been)_"
            r"(?:now_)?(?:void|obsolete|cancell?ed|revoked|replaced|superseded|invalid|lifted|suspended)"
        ),
    ),
    ("override", ("system override",), r"\bsystem_override\b_?:"),
    ("concealment", ("tell", "inform", "alert", "notify"), rf"\b{_NOT}_(?:tell|inform|alert|notify)_{_WHO}{_STOP}"),
    ("concealment", ("without",), rf"\bwithout_(?:telling|informing|alerting|notifying)_{_WHO}{_STOP}"),
    (
        "concealment",
        ("no need to",),
        rf"\bno_need_to_(?:mention|report|disclose|tell)_(?:it|this|that|{_WHO})(?:{_STOP}|_to_{_WHO}\b)",
    ),
    (
        "concealment",
        ("mention", "reveal", "disclose", "report", "show"),
        (
            rf"\b{_NOT}_(?:mention|reveal|disclose|report|show)_(?:this|it|that|these|them)(?:_(?:{_NOTE}|step)s?)?_to_{_WHO}\b"
            rf"|\b{_NOT}_(?:mention|reveal|disclose)_this_(?:{_NOTE}|file|step)\b"
        ),
    ),
    (
        "concealment",
        ("keep this", "keep it", "hide this", "hide it", "bring it up", "bring this up", "deny", "no trace"),
        (
            rf"\bkeep_(?:this|it)_(?:(?:hidden|secret)_from_{_WHO}\b|(?:to_yourself|between_us)\b)|\bhide_(?:this|it)_from_{_WHO}\b"
            rf"|\b{_NOT}_bring_(?:it|this)_up\b|\bleave_no_trace_of_(?:this|it)\b|\bdeny_(?:having|knowing|any_knowledge|that_(?:you|this_{_NOTE}))\b"
        ),
    ),
    (
        "concealment",
        ("secretly", "notice"),
        (
            r"\b(?:do|run)_(?:this|it|so)_secretly\b"
            r"|\bso_(?:that_)?(?:the_)?(?:reviewer|maintainer)s?_(?:do_not|does_not|don't|doesn't|will_not|won't|never|cannot)_notice"
        ),
    ),
    (
        "concealment",
        ("that it", "that they", "that this", "that everything", "that all", "as passed"),
        (
            r"(?<!never )(?<!not )\b(?:say|claim|pretend|state|reply)_that_"
            r"(?:it|they|this_\w{1,12}|everything|all_tests)_"
            r"(?:has_|have_|is_|are_)?(?:passed|succeeded|clean|does_not_exist)\b"
            r"|(?<!never )(?<!not )\b(?:mark|report)_(?:it|them)_as_passed\b"
        ),
    ),
    (
        "role-marker",
        ("<system", "</system", "<user ", "<assistant ", "<human ", "|>"),
        (
            r"</?system(?:[- ](?:reminder|prompt|message|instruction)s?)?>"
            r"|</?(?:user|assistant|human)[- ](?:message|turn|prompt|input|query)>|<\|[a-z ]{2,30}\|>"
        ),
    ),
    (
        "role-marker",
        ("inst]", "<<sys>>", "function calls>", "<invoke name", "tool use>"),
        r"\[/?inst\]|<<sys>>|</?(?:antml:)?function_calls>|<(?:antml:)?invoke_name=|</?tool_use>",
    ),
    (
        "role-marker",
        ("human:", "user:", "system:"),
        (
            r"(?:^|(?<=\n))(?:human|user|system): [^\n]{8,2000}\n{1,3}"
            r"(?:user: [^\n]{1,2000}\n{1,3})?assistant: [^\n]{4}"
            r"|(?:^|(?<=\n))human: [^\n]{1,2000}\n{1,3}assistant:"
            r"|(?:^|(?<=\n))system:[ \n]{1,3}you_(?:are|must|may|will|have|can)\b"
        ),
    ),
    ("role-marker", ('"system"', "'system'"), r"\{_?['\"]role['\"]_?:_?['\"]system['\"]_?,_?['\"]content['\"]"),
    (
        "addressed-to-model",
        (
            "note to",
            "message to",
            "notice to",
            "instructions to",
            "attention",
            "dear",
            "hello",
            "hey",
            "reading this",
            "if you are a",
        ),
        (
            rf"\b(?:note|message|notice|attention|instructions?)_to_(?:all_|any_)?{_MODEL}\b"
            rf"|\b(?:attention|dear|hello|hey),?_(?:all_|any_)?{_MODEL}\b|\b{_MODEL}_(?:that_(?:is|are)_|who_(?:is|are)_)?reading_this\b"
            rf"|\bif_you_are_an?_(?:ai|llm|language_model)\b"
        ),
    ),
    (
        "exfiltration",
        ("http://", "https://", "@"),
        (
            r"(?<!never )(?<!not )\b(?:send|post|upload|forward|transmit|submit|exfiltrate|leak"
            r"|email|curl|append|paste|scp)_~"
            rf"{_SECRETS}\b~\b(?:in)?to_~?{_AWAY}"
            rf"|(?<!never )(?<!not )\b(?:upload|email|paste|leak|scp)_~"
            rf"\b(?:credentials|keys|tokens|passwords)\b~\b(?:in)?to_~?{_AWAY}"
        ),
    ),
    (
        "exfiltration",
        ("exfiltrate",),
        r"(?:^|(?<=\n)|(?<=[.;:>-] )|(?<=and )|(?<=then ))exfiltrate_(?:the|all|any|its|your|every|contents)\b",
    ),
    (
        "exfiltration",
        ("the user asks",),
        r"\b(?:if|when|whenever)_the_user_asks~,_(?:first_|always_|also_)?(?:upload|send|post|run|curl|forward)_[^.,;!?\n]{0,60}https?://",
    ),
    (
        "exfiltration",
        ("curl", "wget", "| nc", "scp", "rsync"),
        (
            r"\b(?:env|printenv|cat_[^ \n|]{1,60}(?:\.env|\.ssh|id_rsa|credentials)[^ \n|]{0,20})_?"
            r"\|[^\n]{0,60}?\b(?:curl|wget|nc)_"
            r"|\bcurl_[^\n|]{0,80}@['\"]?(?:\x7e|\$home)/\."
            r"|\bcurl_[^\n|]{0,80}@['\"]?[^ \n]{0,40}(?:\.env\b|id_rsa|/credentials)"
            r"|(?:\x7e/\.(?:ssh|aws|config|gnupg)|\.git_directory)\b~\b(?:scp|rsync)_"
        ),
    ),
    (
        "exfiltration",
        ("credential", "secret", "password", "api key"),
        (
            r"(?<!never )(?<!not )\b(?:stor|cop|writ|sav|record|collect|append)(?:e|y|es|ies|s)?_~"
            r"\b(?:every|all|any)_(?:credential|secret|password|api_key)s?_(?:that_)?(?:it|you)_(?:see|find|encounter|come_across)"
        ),
    ),
    (
        "remote-code",
        ("http://",),
        rf"\b(?:curl|wget)_[^\n|]{{0,60}}http://(?!localhost|127\.|10\.|192\.168\.|0\.0\.0\.0)[^\n|]{{1,100}}{_SHELL}",
    ),
    ("remote-code", ("base64",), rf"base64_(?:-d|--decode)[^\n|]{{0,40}}{_SHELL}"),
    ("remote-code", ("exec(",), r"\bexec\([^\n]{0,80}(?:urlopen|requests\.get|fetch)\("),
    (
        "remote-code",
        ("curl", "wget", "npx", "uvx", "pipe ", "download and"),
        (
            rf"(?:^|(?<=\n))(?=[^\n]{{0,400}}?\b{_UNASKED}\b)(?=[^\n]{{0,400}}?(?:\b(?:curl|wget)_[^\n|]{{0,200}}{_SHELL}"
            r"|\b(?:ba|z)?sh_<\(_?(?:curl|wget)|\bpipe_[^\n]{0,100}_into_(?:ba|z)?sh\b|\bdownload_and_(?:run|execute)_|\b(?:npx_(?:-y|--yes)|uvx)_@?[a-z]))[^\n]{1,400}"
        ),
    ),
    (
        "remote-code",
        ("http://", "https://"),
        (
            r"(?<!never )(?<!not )\b(?:fetch|read|load|open|get|download|curl|visit)(?:ing)?_(?:the_(?:file|page|text)_(?:at_|from_)?)?https?://"
            r"[^ \n]{1,200},?_(?:and|then|and_then)_(?:do_what|do_as|follow|obey|execut)"
        ),
    ),
    (
        "addressed-to-consolidator",
        ("consolidation", "dream", "cleanup", "clean-up"),
        (
            r"\b(?:on|at|during|in)_(?:the_|each_|every_|any_)?(?:next_)?(?:memory_)?(?:consolidation|dream|clean-?up)s?,?~"
            r"\b(?:copy|add|write|replicate|append|propagate|keep|duplicate)_this\b"
        ),
    ),
    (
        "addressed-to-consolidator",
        ("copy this", "replicate this", "propagate this", "duplicate this", "append this", "add this", "spread this"),
        rf"\b(?:copy|replicate|propagate|duplicate|append|add|spread)_this_(?:{_NOTE}|line|message)_(?:in)?to_(?:every|all|each|other)\b",
    ),
    (
        "addressed-to-consolidator",
        ("tid", "clean", "consolidat", "summari", "merg", "prun"),
        (
            rf"\b(?:when|whenever|if|while)_you_(?:are_)?{_TIDY}_(?:up_)?(?:this|these|the)_(?:memor|note|file|topic)[a-z]{{0,3}}~"
            r"\b(?:add|copy|keep|include|write|insert)_(?:a_(?:line|note|rule|sentence)|the_(?:line|sentence|following)|this)\b"
            rf"|\b(?:(?:to_)?(?:the|any|every)_(?:agent|model|assistant|tool)(?:_(?:that|which|who))?|whoever)_{_TIDY}_(?:up_)?(?:this|these|the)?_?"
            rf"(?:memor|note|file|topic)[a-z]{{0,3}}(?:_(?:must|should|has_to)\b|:)"
        ),
    ),
    (
        "addressed-to-consolidator",
        ("remove", "prune", "delete", "retire", "forget", "consolidate", "must not be", "must never be"),
        (
            rf"\b(?:{_NOT}|must_never|cannot)_(?:be_)?(?:remove|prune|delete|retire|forget|consolidate)_this_{_NOTE}s?\b"
            rf"|\bthis_{_NOTE}_(?:[a-z]{{1,12}}_){{0,4}}must_(?:never|not)_be_(?:removed|pruned|deleted|retired|changed|edited|consolidated)"
            rf"|\basks?_(?:you_)?to_(?:remove|delete|forget)_this_{_NOTE}\b"
        ),
    ),
    ("addressed-to-consolidator", ("prune",), r"\b(?:do_not|don'?t|never)_prune(?:_this)?(?=[.!)]|_?\n|_?$)"),
    (
        "fake-authority",
        ("do not remove", "do not delete", "never remove", "do not edit", "do not modify"),
        r"\b(?:audit|compliance|security|legal|policy|mandatory|administrator|anthropic)\b[^.!?\n]{0,60}\((?:please_)?(?:do_not|never)_(?:remove|delete|edit|modify)\)",
    ),
    (
        "fake-authority",
        (
            "as your",
            "as the",
            "message from",
            "notice from",
            "directive from",
            "authorize you",
            "authorise you",
            "anthropic",
        ),
        (
            r"\bas_your_(?:administrator|admin|developer|creator|owner|operator)\b|\b(?:message|notice|order|directive)_from_(?:anthropic|openai)\b"
            r"|\bi_(?:hereby_)?authori[sz]e_you_to\b|\bas_the_(?:[a-z]{1,12}_)?(?:administrator|admin|owner|operator),_i_"
            r"|\banthropic(?:_(?:staff|employees|engineers|support|security))?_(?:has|have)_(?:verified|approved|authori[sz]ed|disabled)\b"
        ),
    ),
    (
        "fake-authority",
        ("approved", "authorized", "authorised", "commands from", "instructions from", "orders from", "coming from"),
        (
            r"\b(?:user|owner|administrator|admin|operator|team)s?_(?:has|have)_(?:already_)?(?:pre-?_?)?(?:approved|authori[sz]ed)_(?:all|every|any)\b"
            r"|(?<!never )(?<!not )\btreat_~\bas_(?:commands_|instructions_|orders_)?(?:coming_)?from_"
            r"(?:the_)?(?:[a-z]{1,12}_)?(?:user|owner|administrator|admin|system)\b"
        ),
    ),
    (
        "reveal-prompt",
        ("prompt", "instructions"),
        (
            r"\b(?:print|reveal|show|output|repeat|display|leak|dump)(?:ing)?_(?:me_)?(?:all_)?(?:of_)?(?:your|the_hidden)_(?:full_|entire_|complete_|hidden_|initial_)?"
            r"(?:system_prompt|(?:hidden|initial|system|original)_instructions)"
        ),
    ),
    (
        "disable-safety",
        ("approve", "merge"),
        (
            r"(?<!never )(?<!not )\b(?:approve|merge)_(?:every|all|any|the)_"
            r"(?:[a-z]{1,12}_)?(?:prs?|pull_requests?|changes?|merge_requests?)_~"
            r"(?:without_(?:a_|any_)?(?:review|reading|looking|checking)|no_matter|regardless)"
        ),
    ),
    (
        "disable-safety",
        ("you may", "you can", "you must", "you should", "permission"),
        (
            rf"\byou_(?:may|can|must|should)_(?:skip|bypass|ignore)_(?:the_|any_|all_)?{_CHECKS}(?:_(?:prompt|check|request|rule)s?)?\b"
            r"|\b(?:grant|accept|approve|allow)_(?:every|all|any)_permission"
        ),
    ),
    (
        "encoded",
        ("decode", "decrypt"),
        (
            r"\b(?:decode|decrypt)_(?:[a-z0-9]{1,12}_){0,4}(?:and|then)_(?:then_)?(?:follow|obey|execute)"
            r"(?:_(?:it|them|this|these|the_(?:result|instructions?|orders?|text|output))\b|(?=[.:!]|_?\n|_?$))"
        ),
    ),
)
