"""Messages that people typed to a coding agent, each with the rules in it that are the person's own words.

Whatever else a message holds (logs, mails, code, quotations) is foreign. All people, products and tickets are made up.
"""

# Each entry: the message, and the exact parts of it that are rules the person typed.
TYPED: tuple[tuple[str, tuple[str, ...]], ...] = (
    # Short, and plain
    (
        "always use uv, never pip",
        ("always use uv, never pip",),
    ),
    (
        "never commit to main directly",
        ("never commit to main directly",),
    ),
    (
        "Please keep answers short.",
        ("Please keep answers short.",),
    ),
    (
        "dont touch the vendor folder ever",
        ("dont touch the vendor folder ever",),
    ),
    (
        "from now on write the tests first",
        ("from now on write the tests first",),
    ),
    (
        "Always answer in English, even when I write in Dutch.",
        ("Always answer in English, even when I write in Dutch.",),
    ),
    (
        "no emojis in commit messages please 🙏",
        ("no emojis in commit messages please",),
    ),
    (
        "use tabs not spaces in the Makefile and in all .mk files",
        ("use tabs not spaces in the Makefile and in all .mk files",),
    ),
    (
        "ok good. next time run the linter before you tell me its done",
        ("next time run the linter before you tell me its done",),
    ),
    (
        "remember: the staging db is read only on weekends",
        ("the staging db is read only on weekends",),
    ),
    (
        "prefer composition over inheritance in this codebase",
        ("prefer composition over inheritance in this codebase",),
    ),
    (
        "we deploy on tuesdays only",
        ("we deploy on tuesdays only",),
    ),
    (
        "I want every public function to have type hints",
        ("I want every public function to have type hints",),
    ),
    (
        "stop adding comments that say what the next line does",
        ("stop adding comments that say what the next line does",),
    ),
    # Lower case, typos, dictated
    (
        (
            "ok so whenever you change the schema you also need to regenerate the client otherwise the "
            "frontend brakes and i get angry messages"
        ),
        ("whenever you change the schema you also need to regenerate the client",),
    ),
    (
        (
            "can you add the button on the settings page too and btw buttons should always be right "
            "aligned in dialogs thx"
        ),
        ("buttons should always be right aligned in dialogs",),
    ),
    (
        ("thats better but the tests should never hit the real api i got a bill last month becuase of that"),
        ("the tests should never hit the real api",),
    ),
    (
        ("looks good push it. also always push to my fork first and not to upstream i dont have rights there"),
        ("also always push to my fork first and not to upstream",),
    ),
    (
        (
            "hm no i think teh problem is somewhere else. check the worker. dont restart the worker on "
            "your own ask me first"
        ),
        ("dont restart the worker on your own ask me first",),
    ),
    (
        (
            "okay so um I want you to look at the import job again and uh what I noticed is that it "
            "takes like ten minutes and that's too long and also um we should never load the whole file "
            "into memory because the files can be up to forty gigabytes so yeah please stream it"
        ),
        (("we should never load the whole file into memory because the files can be up to forty gigabytes"),),
    ),
    (
        (
            "so basically what I'm saying is comma every job has to be restartable period if it dies in "
            "the middle it should just pick up where it left off and not send the mails twice"
        ),
        ("every job has to be restartable",),
    ),
    (
        ("yes do option 2, but keep the old flag working for one release, we do that with every flag we rename"),
        ("but keep the old flag working for one release, we do that with every flag we rename",),
    ),
    (
        ("wait why did you create a new file i always want changes in the existing module if there is one"),
        ("i always want changes in the existing module if there is one",),
    ),
    # Corrections and answers
    (
        "no, we use pytest here, not unittest",
        ("we use pytest here, not unittest",),
    ),
    (
        (
            "No, that's wrong again. Amounts are in cents everywhere, never in euros. Please fix the "
            "total on the invoice."
        ),
        ("Amounts are in cents everywhere, never in euros.",),
    ),
    (
        "no no no do not rebase shared branches, undo that",
        ("do not rebase shared branches",),
    ),
    (
        "Actually the API version belongs in the header, not in the path. Please change both routes.",
        ("the API version belongs in the header, not in the path",),
    ),
    (
        "Yes. And please always ask before you delete files.",
        ("And please always ask before you delete files.",),
    ),
    (
        ("1. yes\n2. no, we keep Python 3.9 support until the end of the year\n3. whatever is easier"),
        ("we keep Python 3.9 support until the end of the year",),
    ),
    (
        ("b) please. and to your other question: the feature flags live in config/flags.yml and nowhere else"),
        ("the feature flags live in config/flags.yml and nowhere else",),
    ),
    (
        ("That's not what I asked for. I asked for a plan. Don't write code before I have agreed to the plan."),
        ("Don't write code before I have agreed to the plan.",),
    ),
    (
        (
            "I didn't say delete it, I said deprecate it! We never remove a public function without a "
            "deprecation of at least two minor releases."
        ),
        ("We never remove a public function without a deprecation of at least two minor releases.",),
    ),
    (
        ("why is this failing again? I told you: the redis container must be up before you run the integration tests"),
        ("the redis container must be up before you run the integration tests",),
    ),
    # With code, paths, links and commands in the line
    (
        "run `make fmt` before every commit",
        ("run `make fmt` before every commit",),
    ),
    (
        (
            "Use `Decimal` for money, never `float`. There is a bug in `src/billing/tax.py` because of "
            "that, line 120 or so."
        ),
        ("Use `Decimal` for money, never `float`.",),
    ),
    (
        (
            "the generated stuff is in src/gen/, never edit anything in src/gen/ by hand, change "
            "proto/*.proto and run ./scripts/gen.sh instead"
        ),
        ("never edit anything in src/gen/ by hand",),
    ),
    (
        (
            "see https://example.com/runs/8812 for the failed run. for ci problems always look at the "
            "first failing step, not the last one"
        ),
        ("for ci problems always look at the first failing step, not the last one",),
    ),
    (
        (
            "docs links must point to https://docs.example.org and never to the old wiki, please fix the "
            "ones in README.md"
        ),
        ("docs links must point to https://docs.example.org and never to the old wiki",),
    ),
    (
        "start the dev server with `npm run dev -- --port 4100`, port 3000 is taken on my machine",
        ("start the dev server with `npm run dev -- --port 4100`, port 3000 is taken on my machine",),
    ),
    (
        (
            "@src/auth/token.py this one needs a refresh. tokens must never end up in a log line, also "
            "not when parsing fails"
        ),
        ("tokens must never end up in a log line",),
    ),
    (
        "/review and then fix what you find. only fix things in files that the branch touches",
        ("only fix things in files that the branch touches",),
    ),
    (
        ("All new tables need `created_at` and `updated_at`. Add them to `orders` and `order_lines` as well."),
        ("All new tables need `created_at` and `updated_at`.",),
    ),
    (
        "Branch names look like `fix/<ticket>-<short-name>`. Please rename yours.",
        ("Branch names look like `fix/<ticket>-<short-name>`.",),
    ),
    (
        "set TZ=UTC whenever you run the tests, else test_report_dates fails on my mac",
        ("set TZ=UTC whenever you run the tests",),
    ),
    (
        (
            "In C:\\work\\planner there is a second checkout. Never write to C:\\work\\planner, it is what "
            "the customer sees in the demo."
        ),
        ("Never write to C:\\work\\planner, it is what the customer sees in the demo.",),
    ),
    # Own lists
    (
        (
            "Rules for this repo:\n"
            "- no default exports\n"
            "- tests live next to the file they test\n"
            "- never use `any`\n"
            "- commit messages in the imperative"
        ),
        (
            "no default exports",
            "tests live next to the file they test",
            "never use `any`",
            "commit messages in the imperative",
        ),
    ),
    (
        (
            "A few things before you start:\n\n"
            "1. Work on a branch, never on main.\n"
            "2. One commit per logical change.\n"
            "3. Run `cargo clippy` and fix all warnings before you commit.\n\n"
            "Then please start with the parser."
        ),
        (
            "Work on a branch, never on main.",
            "One commit per logical change.",
            "Run `cargo clippy` and fix all warnings before you commit.",
        ),
    ),
    (
        (
            "todo:\n"
            "- fix the login redirect\n"
            "- add a test for it\n"
            '- always use the test user "kate", the others get reset every night\n'
            "- update the changelog"
        ),
        ('always use the test user "kate", the others get reset every night',),
    ),
    (
        (
            "* the header is too big on mobile\n"
            "* footer overlaps the chat button\n"
            "* colors only from tokens.css, no hex values in components\n"
            "* can we lazy load the map"
        ),
        ("colors only from tokens.css, no hex values in components",),
    ),
    (
        (
            "Here is how I want us to work from now on:\n\n"
            "a) you propose, I decide\n"
            "b) small pull requests, at most 300 changed lines\n"
            "c) if a test is flaky you tell me instead of retrying it\n\n"
            "OK?"
        ),
        (
            "you propose, I decide",
            "small pull requests, at most 300 changed lines",
            "if a test is flaky you tell me instead of retrying it",
        ),
    ),
    (
        (
            "My preferences\n"
            "1) British spelling in all user facing texts\n"
            "2) dates as 4 March 2025, not 03/04/25\n"
            "3) no exclamation marks"
        ),
        (
            "British spelling in all user facing texts",
            "dates as 4 March 2025, not 03/04/25",
            "no exclamation marks",
        ),
    ),
    (
        (
            "some conventions:\n\n"
            "services return Result objects, they never throw\n"
            "controllers stay free of business logic\n"
            "sql only in the repositories folder\n\n"
            "now please split OrderController, its way too big"
        ),
        (
            "services return Result objects, they never throw",
            "controllers stay free of business logic",
            "sql only in the repositories folder",
        ),
    ),
    (
        (
            "## How to work here\n\n"
            "Always read ARCHITECTURE.md before you change anything under core/.\n\n"
            "## What to do now\n\n"
            "Move the cache out of core/."
        ),
        ("Always read ARCHITECTURE.md before you change anything under core/.",),
    ),
    # Own rule with a small example of one's own
    (
        (
            "Errors should always have a code and a hint, like this:\n\n"
            "```json\n"
            '{"code": "E_CART_EMPTY", "hint": "add an item first"}\n'
            "```\n\n"
            "please change the three places in api.ts"
        ),
        ("Errors should always have a code and a hint",),
    ),
    (
        ("Name test functions as sentences, e.g.\n\n```python\ndef test_an_empty_cart_has_no_total(): ...\n```"),
        ("Name test functions as sentences",),
    ),
    (
        (
            "When you write a migration, always write the down part too:\n\n"
            "```sql\n"
            "-- down\n"
            "DROP INDEX idx_orders_day;\n"
            "```\n\n"
            "The one from yesterday has none."
        ),
        ("When you write a migration, always write the down part too:",),
    ),
    (
        ("log lines must be key=value so like\n\n    event=cart_flushed items=3 ms=12\n\nand not prose"),
        ("log lines must be key=value",),
    ),
    # Before, after and between what was pasted
    (
        (
            "this fails on ci:\n\n"
            "```\n"
            "E   AssertionError: assert 3 == 4\n"
            "tests/test_cart.py:18: AssertionError\n"
            "```\n\n"
            "don't ever change an assertion just to make a test green, find out why"
        ),
        ("don't ever change an assertion just to make a test green",),
    ),
    (
        (
            "Never silence a type error with an ignore comment. Here is the current output:\n\n"
            "```\n"
            'src/cart.py:41: error: Incompatible return value type (got "None", expected "int")  '
            "[return-value]\n"
            "Found 1 error in 1 file (checked 12 source files)\n"
            "```"
        ),
        ("Never silence a type error with an ignore comment.",),
    ),
    (
        (
            "2025-02-11 08:14:55,120 ERROR [pool-3] sync.Job - timeout after 30000 ms\n"
            "2025-02-11 08:14:55,121 INFO  [pool-3] sync.Job - giving up\n\n"
            "jobs must retry three times before they give up, this one didn't. can you check why"
        ),
        ("jobs must retry three times before they give up",),
    ),
    (
        (
            "Traceback (most recent call last):\n"
            '  File "/app/run.py", line 9, in <module>\n'
            "    main()\n"
            "ValueError: bad port\n\n"
            "ok first of all all settings get validated at startup with a readable message, no "
            "tracebacks for users. second, fix this one"
        ),
        ("all settings get validated at startup with a readable message, no tracebacks for users",),
    ),
    (
        (
            "keep the public signature stable when you refactor, you did this:\n\n"
            "```diff\n"
            "-def flush(self, timeout=5):\n"
            "+def flush(self, *, seconds=5):\n"
            "```\n\n"
            "and now three callers are broken"
        ),
        ("keep the public signature stable when you refactor",),
    ),
    (
        (
            "first paste:\n\n"
            "```\n"
            "npm WARN deprecated leftpadder@1.0.0\n"
            "```\n\n"
            "we don't update dependencies in feature branches, so ignore that one. second paste:\n\n"
            "```\n"
            "TypeError: cart is undefined\n"
            "```\n\n"
            "this is the one to fix"
        ),
        ("we don't update dependencies in feature branches",),
    ),
    (
        ("> Should I also add the dark theme?\n\nno. only do what is in the ticket, nothing extra"),
        ("only do what is in the ticket, nothing extra",),
    ),
    (
        ("> I could use a global variable here.\n\nNo globals, ever.\n\n> Or pass the session through.\n\nyes that"),
        ("No globals, ever.",),
    ),
    (
        (
            "the response is\n\n"
            '{"status": "error", "items": [], "next": null}\n\n'
            "list endpoints should return 200 with an empty list and never an error when nothing was "
            "found"
        ),
        (("list endpoints should return 200 with an empty list and never an error when nothing was found"),),
    ),
    (
        (
            "In mails to customers we always use the formal salutation. Please draft an answer to this:\n\n"
            "From: Greta Holm <greta.holm@example.com>\n"
            "Sent: Monday, 10 February 2025 16:02\n"
            "To: Support\n"
            "Subject: Invoice 4411\n\n"
            "Hello,\n"
            "the invoice shows the wrong address. Could you please send a new one?\n"
            "Regards,\n"
            "Greta Holm"
        ),
        ("In mails to customers we always use the formal salutation.",),
    ),
    (
        (
            "please do this ticket. As always: no schema changes without a migration.\n\n"
            "BILL-96\n"
            "Show the tax per line\n\n"
            "Type: Story\n"
            "Priority: Medium\n"
            "Assignee: Unassigned\n\n"
            "Description\n"
            "As an accountant I want to see the tax for each line of the invoice."
        ),
        ("As always: no schema changes without a migration.",),
    ),
    (
        (
            "reply in the same language as the customer when you draft answers. next one:\n\n"
            "[Today 11:20] Moreau, Elise\n"
            "the export is empty since this morning\n"
            "[Today 11:21] Moreau, Elise\n"
            "can somebody have a look?"
        ),
        ("reply in the same language as the customer when you draft answers",),
    ),
    (
        (
            "$ make test\n"
            "pytest -q\n"
            "412 passed, 3 skipped in 18.20s\n\n"
            "great. skipped tests need a reason in the decorator, add it for the three"
        ),
        ("skipped tests need a reason in the decorator",),
    ),
    (
        (
            "diff --git a/app/menu.css b/app/menu.css\n"
            "index 1a2b3c4..5d6e7f8 100644\n"
            "--- a/app/menu.css\n"
            "+++ b/app/menu.css\n"
            "@@ -1,3 +1,3 @@\n"
            " .menu {\n"
            "-  z-index: 10;\n"
            "+  z-index: 99999;\n"
            " }\n\n"
            "please no. z-index values come from the scale in layers.css"
        ),
        ("z-index values come from the scale in layers.css",),
    ),
    (
        "[Image #1] the left column is cut off. check every layout change at 360 px width too",
        ("check every layout change at 360 px width too",),
    ),
    (
        (
            "[Pasted text #1 +42 lines] is the log from the customer. never put customer logs into the "
            "repo, not even as test data"
        ),
        ("never put customer logs into the repo, not even as test data",),
    ),
    (
        (
            "<ide_opened_file>The user opened the file /home/rin/planner/src/board.ts in the IDE. This "
            "may or may not be related to the current task.</ide_opened_file>\n"
            "in this file the order of the exports matters, so do not sort them"
        ),
        ("in this file the order of the exports matters, so do not sort them",),
    ),
    # People, tickets and mails that are only mentioned
    (
        "Anna wrote this module, so ask Anna before you change anything in scheduler/",
        ("ask Anna before you change anything in scheduler/",),
    ),
    (
        (
            "I talked to Mehmet from ops about the outage. We will always drain the node before a "
            "restart from now on, so put that in the runbook."
        ),
        ("We will always drain the node before a restart from now on",),
    ),
    (
        (
            "After the ticket about the lost orders I decided that every queue gets a dead letter queue. "
            "Add one for mails."
        ),
        ("every queue gets a dead letter queue",),
    ),
    (
        (
            "I read the mail from legal. We need to act on it: ip addresses are deleted after 7 days. "
            "Where do we store them at the moment?"
        ),
        ("ip addresses are deleted after 7 days",),
    ),
    (
        ("in the retro we agreed on one thing: no merges after 4 pm on fridays. add it to CONTRIBUTING.md please"),
        ("no merges after 4 pm on fridays",),
    ),
    (
        "Jonas is on parental leave until June so assign reviews to Priya and not to Jonas",
        ("assign reviews to Priya and not to Jonas",),
    ),
    (
        ("the designers work in Figma but the source of truth for spacing is spacing.scss, so take it from there"),
        ("the source of truth for spacing is spacing.scss",),
    ),
    (
        "PLAN-77 is done, PLAN-78 isn't. don't close tickets yourself, I do that after testing",
        ("don't close tickets yourself, I do that after testing",),
    ),
    # Single quoted words
    (
        'Say "workspace" in the UI, never "project".',
        ('Say "workspace" in the UI, never "project".',),
    ),
    (
        'the product is called "Tidal Notes" with a space, not TidalNotes, fix the about page',
        ('the product is called "Tidal Notes" with a space, not TidalNotes',),
    ),
    (
        'the button says "Submit" and that\'s ugly. buttons should say what they do, like "Save draft"',
        ('buttons should say what they do, like "Save draft"',),
    ),
    (
        "label every PR of yours with 'agent' so that I can filter them",
        ("label every PR of yours with 'agent'",),
    ),
    # One thing, and with a reason
    (
        "one thing: never run the seed script against staging",
        ("never run the seed script against staging",),
    ),
    (
        "Great work today! 🎉 One wish for next time: show me the diff before you commit 😊",
        ("show me the diff before you commit",),
    ),
    (
        ("quick note so you don't forget it, the nightly build uses node 18, so no syntax newer than that"),
        ("the nightly build uses node 18, so no syntax newer than that",),
    ),
    (
        "⚠️ nothing from internal/ may be imported in plugins/ ⚠️ we ship the plugins as open source",
        ("nothing from internal/ may be imported in plugins/",),
    ),
    (
        (
            "Since our users are mostly on slow phones, keep the first bundle below 150 kB. At the "
            "moment we're at 212, where does it come from?"
        ),
        ("keep the first bundle below 150 kB",),
    ),
    (
        "I'm colour blind, so don't use only red and green to show a state.",
        ("don't use only red and green to show a state",),
    ),
    (
        ("I'm new to Rust. Explain lifetimes and borrow errors to me when they come up instead of just fixing them."),
        ("Explain lifetimes and borrow errors to me when they come up instead of just fixing them.",),
    ),
    # Long and rambling
    (
        (
            "Alright, this is going to be a longer one, get yourself a coffee. I had the call with the "
            "people in the warehouse today and I wrote down on the train what I took away from it, so "
            "it's a bit unsorted.\n\n"
            "They use the scanner app all day, with gloves, and the light is bad. So the buttons have to "
            "be bigger, a lot bigger, I'd say twice the height. In the scanner app no touch target may "
            "be smaller than 64 px. I checked two screens and we're at 36 on both.\n\n"
            "Next, sound. They can't look at the display while they lift a box, so after every scan they "
            "want one sound for good and another one for bad. I have no idea how hard that is in the web "
            "view, maybe try it on the old device first, the one with Android 9. The Android 9 device is "
            "our baseline, whatever doesn't run there doesn't ship.\n\n"
            "Then the network. There are dead spots between shelf 40 and shelf 52 or so, and if a scan "
            "happens there it's just lost. That's the worst of it all, since they count again by hand "
            "afterwards. A scan must be written to local storage first and only then be sent. We had a "
            "queue like that in the first prototype, it should still be in the history somewhere, around "
            "spring I think, take a look with git log before you build a new one.\n\n"
            "Some smaller things: the font of the article number (they mix up 0 and O, and 1 and l), the "
            'logout after 15 minutes which is too short for a lunch break, and the spelling of "pallet" '
            "on the start page, lol.\n\n"
            "Please start with the queue since that one costs them real money. For anything in scanner/ "
            "I want a short note in scanner/FIELD_NOTES.md about why we did it, because nobody will "
            "remember the gloves in two years. And don't worry about the desktop app for now, that's "
            "another team."
        ),
        (
            "In the scanner app no touch target may be smaller than 64 px.",
            "The Android 9 device is our baseline, whatever doesn't run there doesn't ship.",
            "A scan must be written to local storage first and only then be sent.",
            "For anything in scanner/ I want a short note in scanner/FIELD_NOTES.md about why we did it",
        ),
    ),
    (
        (
            "So I've been thinking about the importer over the weekend and I'm not really happy with "
            "where it is going. We started with a simple script that reads one file, then we added the "
            "second format, then the third, and now there are about eleven places where we check the "
            "file extension, and whenever somebody adds a format at least two of them get forgotten. "
            "What I would like to have instead is one registry of formats, with a class per format, and "
            "the rest of the code doesn't know anything about extensions. A new format must never need a "
            "change outside of formats/. I know that's a bigger change and that the old tests will need "
            "some love. Take it step by step, and after each step the whole test suite has to be green, "
            "I don't want to see a commit that breaks something and a second that repairs it. If you "
            "find out that one of the formats isn't used anymore (I suspect the .dat one) tell me and "
            "I'll ask around, but don't remove it. Oh and the class names, I don't care much, something "
            "with Format at the end is fine."
        ),
        (
            "A new format must never need a change outside of formats/.",
            (
                "after each step the whole test suite has to be green, I don't want to see a commit that "
                "breaks something and a second that repairs it"
            ),
        ),
    ),
    (
        (
            "ok i tried the new version for about an hour now and here is what i found. the search is a "
            "lot faster, really nice, but when i type quickly the results flicker because every key "
            "triggers a request, so please wait a bit before you send it, 200 ms or so. then the results "
            "page, when there are none it shows a blank page, and i thought it was broken, every list in "
            "this app needs an empty state with a short text and a button and we had that in the old "
            "version too so you can look how it was done there. the third thing is the keyboard. i use "
            "the keyboard for everything and i got stuck in the filter box, could not tab out of it. "
            "everything must be usable with the keyboard alone, thats important to me and to two of our "
            "biggest customers too. the rest is fine for now, the colors are a bit pale maybe but lets "
            "see what the others think of it. when your done with these three give me a short summary "
            "and then we can talk about the release, i'd like to have it out before the holidays if "
            "possible"
        ),
        (
            "every list in this app needs an empty state with a short text and a button",
            "everything must be usable with the keyboard alone",
        ),
    ),
    (
        (
            "Let me give you some background. The application was written by two students in 2016, then "
            "an agency took it over, then it came to us. That's why there are three ways to talk to the "
            "database in there: raw SQL in the oldest parts, the home-made query builder of the agency "
            "in the middle, and the ORM in everything that's newer than 2021.\n\n"
            "We don't have the time to rewrite all of it. When you touch a function that still uses the "
            "query builder, move that function to the ORM in the same change. That way it will go away "
            "bit by bit.\n\n"
            "Leave the raw SQL in reports/ alone, it is tuned by hand and the ORM is ten times slower "
            "there.\n\n"
            "What I'd like you to do today is the address book. It's slow when a customer has more than "
            "a thousand contacts, and I believe it is because of the query in contacts_list, but please "
            "measure before you change something. No performance change without numbers from before and "
            "after in the commit message.\n\n"
            "Take your time, it isn't urgent."
        ),
        (
            (
                "When you touch a function that still uses the query builder, move that function to the ORM "
                "in the same change."
            ),
            ("Leave the raw SQL in reports/ alone, it is tuned by hand and the ORM is ten times slower there."),
            "No performance change without numbers from before and after in the commit message.",
        ),
    ),
    (
        (
            "I want to talk about how you write tests because I spent most of the morning reading them. "
            "There is a lot of mocking in there, in test_checkout.py alone I counted 34 patches, and in "
            "the end the test only proves that the mocks do what we told them to. A month ago that cost "
            "us a day, as the payment client had changed its return value and not one of the tests "
            "noticed. So: mock only what leaves the process, that is http, mail and the clock. For "
            "everything else use the real thing, there's a sqlite fixture in conftest.py which is fast "
            "enough. I also don't like the names, test_1, test_2, test_edge, I have no idea what is "
            "broken when one of those fails. And another point, no sleeps in tests, use the fake clock. "
            "Could you please go through test_checkout.py first and show me what it would look like, "
            "then we decide about the others?"
        ),
        (
            "mock only what leaves the process, that is http, mail and the clock",
            "no sleeps in tests",
        ),
    ),
    (
        (
            "Hi! Today we need to get the release notes done. I'll explain how we do this because you "
            "haven't done it before. We take all merged pull requests since the last tag, throw out the "
            "ones that are labelled internal, and group the others by area. Release notes are written "
            "for users, so no class names, no ticket numbers and no internal words. Each note is one "
            "sentence. Start every note with a verb in the past tense. If something breaks for users it "
            "goes to the top under its own heading with what they need to do. I usually need two hours "
            "for it, let's see how long you take :) The last tag is v2.14.0. Put the draft into "
            "notes/2.15.md and don't publish anything yet."
        ),
        (
            ("Release notes are written for users, so no class names, no ticket numbers and no internal words."),
            "Start every note with a verb in the past tense.",
        ),
    ),
    (
        (
            "Morning. Yesterday evening I had the agent on the other machine run the cleanup, and this "
            "morning half of the preview environments were gone, including one a customer was looking "
            "at, so that was a fun call. I restored them from the backup, nothing is lost. But we need "
            "to be more careful. Never delete a preview environment that was opened in the last 14 days. "
            "The time of the last visit is in the table preview_visits, it's updated by the proxy. Any "
            "script that deletes things needs a dry run mode, and the dry run is the default. Please "
            "change cleanup.py like that and add a test with a fresh and with an old environment. I'll "
            "run it by hand then for a week before we put it back into cron."
        ),
        (
            "Never delete a preview environment that was opened in the last 14 days.",
            "Any script that deletes things needs a dry run mode, and the dry run is the default.",
        ),
    ),
    # Several paragraphs
    (
        (
            "The page works now, thank you.\n\n"
            "For new pages please always start from templates/base_v2.html, the old base is going away.\n\n"
            "Can you move the two from last week as well?"
        ),
        ("For new pages please always start from templates/base_v2.html, the old base is going away.",),
    ),
    (
        (
            "Two remarks on your pull request.\n\n"
            "The first one is about naming. We don't abbreviate: customer, not cust, and quantity, not "
            "qty.\n\n"
            "The second one is about the loop in line 60, I think it can be a dict lookup."
        ),
        ("We don't abbreviate: customer, not cust, and quantity, not qty.",),
    ),
    (
        (
            "Continue with the next step of the plan.\n\n"
            "Oh, and before I forget it: whenever you finish a step, tick it off in PLAN.md."
        ),
        ("whenever you finish a step, tick it off in PLAN.md",),
    ),
    (
        (
            "I merged it.\n\n"
            "Next is the mail template. Mails need a plain text part as well as the html part, some of "
            "our customers read them in mutt.\n\n"
            "Images in mails are always attached and never linked."
        ),
        (
            "Mails need a plain text part as well as the html part",
            "Images in mails are always attached and never linked.",
        ),
    ),
    # German
    (
        "bitte immer auf Deutsch antworten",
        ("bitte immer auf Deutsch antworten",),
    ),
    (
        "nein, wir duzen unsere Kunden nirgends, ändere das bitte in allen Texten",
        ("wir duzen unsere Kunden nirgends",),
    ),
    (
        (
            "Commit-Nachrichten immer auf Englisch, Kommentare im Code auch. Und mach danach bitte mit "
            "dem Parser weiter."
        ),
        ("Commit-Nachrichten immer auf Englisch, Kommentare im Code auch.",),
    ),
    (
        (
            "kurz noch was: auf dem Testserver nie die Datenbank zurücksetzen ohne mich zu fragen, da "
            "hängen gerade Schulungen dran"
        ),
        ("auf dem Testserver nie die Datenbank zurücksetzen ohne mich zu fragen",),
    ),
    (
        (
            "Regeln für dieses Projekt:\n"
            "- keine neuen Abhängigkeiten ohne Absprache\n"
            "- Beträge immer in Cent\n"
            "- jede Klasse bekommt einen Test"
        ),
        (
            "keine neuen Abhängigkeiten ohne Absprache",
            "Beträge immer in Cent",
            "jede Klasse bekommt einen Test",
        ),
    ),
    (
        (
            "der build bricht ab:\n\n"
            "```\n"
            "FEHLER: Modul lager nicht gefunden\n"
            "```\n\n"
            "bau bitte immer mit `./gradlew build --offline`, wir haben hier kein Netz"
        ),
        ("bau bitte immer mit `./gradlew build --offline`",),
    ),
    (
        (
            "Also ich hab mir das jetzt angeschaut und grundsätzlich gefällt mir das, aber die Liste "
            "lädt viel zu lange, bei mir im Homeoffice waren es gefühlt zehn Sekunden, und dann springt "
            "auch noch alles hin und her, weil die Bilder nachgeladen werden. Bilder brauchen immer "
            "feste Maße, damit nichts springt. Außerdem ist mir aufgefallen, dass man beim Zurückgehen "
            "wieder ganz oben landet, das nervt total, wenn man weit unten war. Bitte merk dir die "
            "Position irgendwie. Die Farben passen so. Und teste solche Sachen künftig auch mit "
            "gedrosseltem Netz, bevor du sagst, dass es fertig ist. Den Rest machen wir morgen, ich muss "
            "gleich los."
        ),
        (
            "Bilder brauchen immer feste Maße, damit nichts springt.",
            ("Und teste solche Sachen künftig auch mit gedrosseltem Netz, bevor du sagst, dass es fertig ist."),
        ),
    ),
    (
        (
            "Frau Albers hat das Modul gebaut, deshalb Änderungen an der Zollberechnung nur mit Tests "
            "aus der Fachabteilung."
        ),
        ("Änderungen an der Zollberechnung nur mit Tests aus der Fachabteilung",),
    ),
    # French
    (
        "réponds toujours en français stp",
        ("réponds toujours en français stp",),
    ),
    (
        "non, on n'utilise jamais de variables globales ici, corrige ça",
        ("on n'utilise jamais de variables globales ici",),
    ),
    (
        "Les messages de commit sont toujours à l'infinitif. Tu peux renommer le dernier ?",
        ("Les messages de commit sont toujours à l'infinitif.",),
    ),
    (
        (
            "Quelques règles pour la suite :\n"
            "1. une branche par ticket\n"
            "2. jamais de push sur main\n"
            "3. les textes passent par fr.json"
        ),
        (
            "une branche par ticket",
            "jamais de push sur main",
            "les textes passent par fr.json",
        ),
    ),
    (
        (
            "ça plante encore :\n\n"
            "```\n"
            "TypeError: panier.total is not a function\n"
            "```\n\n"
            "à partir de maintenant lance les tests avant de me dire que c'est fini"
        ),
        ("à partir de maintenant lance les tests avant de me dire que c'est fini",),
    ),
    (
        (
            "Bon, j'ai relu la page de paiement et il y a deux choses. D'abord les prix doivent toujours "
            "être affichés TTC, sinon les clients appellent le support. Ensuite le bouton est trop petit "
            "sur mobile."
        ),
        ("les prix doivent toujours être affichés TTC",),
    ),
    (
        ("Julien s'occupe du déploiement, donc ne touche jamais au dossier infra/ sans que je te le demande 🙂"),
        ("ne touche jamais au dossier infra/ sans que je te le demande",),
    ),
    # Spanish
    (
        "responde siempre en español",
        ("responde siempre en español",),
    ),
    (
        "no, así no. nunca modifiques los archivos de la carpeta generado/",
        ("nunca modifiques los archivos de la carpeta generado/",),
    ),
    (
        "Los nombres de las tablas van siempre en singular. Cambia la de pedidos por favor",
        ("Los nombres de las tablas van siempre en singular.",),
    ),
    (
        "oye una cosa antes de borrar algo pregúntame que ayer perdí los datos de prueba 😅",
        ("antes de borrar algo pregúntame",),
    ),
    (
        (
            "Reglas del proyecto:\n"
            "- nada de lógica en las vistas\n"
            "- los tests no usan la red\n"
            "- cada cambio lleva su entrada en CAMBIOS.md"
        ),
        (
            "nada de lógica en las vistas",
            "los tests no usan la red",
            "cada cambio lleva su entrada en CAMBIOS.md",
        ),
    ),
    (
        (
            "mira el error:\n\n"
            "Traceback (most recent call last):\n"
            '  File "app.py", line 3, in <module>\n'
            "    import tienda\n"
            "ModuleNotFoundError: No module named 'tienda'\n\n"
            "usa siempre el entorno virtual de .venv, no el python del sistema"
        ),
        ("usa siempre el entorno virtual de .venv, no el python del sistema",),
    ),
    (
        "Marta se encarga del diseño, así que no cambies los colores sin que Marta lo apruebe",
        ("no cambies los colores sin que Marta lo apruebe",),
    ),
    (
        (
            "A ver, llevo toda la mañana probando la nueva pantalla de pedidos y en general va bien, se "
            "nota que carga mucho más rápido que antes. Pero hay cosas que no me convencen. La primera "
            "es que cuando filtro por fecha y luego vuelvo atrás se pierde el filtro, y eso a los de "
            "almacén les va a molestar un montón porque lo usan todo el rato. Los filtros tienen que "
            "quedar siempre guardados en la url, así además se pueden compartir. La segunda es que el "
            "total sale con tres decimales en algunos pedidos, supongo que es por el descuento. Los "
            "importes se redondean siempre al final y nunca línea por línea, ya tuvimos ese problema con "
            "las facturas. Lo demás me gusta, cuando lo tengas avísame y lo pruebo otra vez."
        ),
        (
            "Los filtros tienen que quedar siempre guardados en la url",
            "Los importes se redondean siempre al final y nunca línea por línea",
        ),
    ),
    # Portuguese
    (
        "sempre responda em português",
        ("sempre responda em português",),
    ),
    (
        "não, a gente usa yarn aqui, nunca npm",
        ("a gente usa yarn aqui, nunca npm",),
    ),
    (
        ("ficou bom! só uma coisa, todo texto da tela precisa estar no arquivo pt.json porque depois a gente traduz"),
        ("todo texto da tela precisa estar no arquivo pt.json",),
    ),
    (
        ("Nunca rode o script de limpeza em produção. Agora ajusta o `scripts/limpa.sh` pra pedir confirmação"),
        ("Nunca rode o script de limpeza em produção.",),
    ),
    (
        (
            "segue o log:\n\n"
            "```\n"
            "erro: conexão recusada (porta 5433)\n"
            "```\n\n"
            "o banco de testes fica sempre na porta 5434, arruma a configuração"
        ),
        ("o banco de testes fica sempre na porta 5434",),
    ),
    (
        (
            "a Renata cuida da parte fiscal, então não mexe em nada da pasta fiscal/ sem avisar a "
            "Renata. o resto pode refatorar à vontade"
        ),
        ("não mexe em nada da pasta fiscal/ sem avisar a Renata",),
    ),
    # Russian
    (
        "всегда отвечай на русском",
        ("всегда отвечай на русском",),
    ),
    (
        "нет, у нас отступы только пробелами, исправь",
        ("у нас отступы только пробелами",),
    ),
    (
        "Никогда не коммить файлы из папки data/, они слишком большие. Убери последний коммит.",
        ("Никогда не коммить файлы из папки data/",),
    ),
    (
        "и ещё одно: перед каждым релизом запускай scripts/check.sh, я постоянно забываю",
        ("перед каждым релизом запускай scripts/check.sh",),
    ),
    (
        ("Правила такие:\n1) сначала план, потом код\n2) один коммит на одну задачу\n3) без новых библиотек"),
        (
            "сначала план, потом код",
            "один коммит на одну задачу",
            "без новых библиотек",
        ),
    ),
    (
        (
            "вот что я получил:\n\n"
            "```\n"
            "panic: runtime error: index out of range [3] with length 3\n"
            "```\n\n"
            "всегда проверяй длину среза перед обращением. почини и добавь тест"
        ),
        ("всегда проверяй длину среза перед обращением",),
    ),
    (
        (
            "я посмотрел твой вариант, в целом нормально, но слишком много новых классов. не создавай "
            "абстракции, пока они не нужны хотя бы в двух местах. и ещё вот тут в `report.go` ты читаешь "
            "файл целиком, а он у клиентов бывает на пару гигабайт, переделай на поток"
        ),
        ("не создавай абстракции, пока они не нужны хотя бы в двух местах",),
    ),
    # Japanese
    (
        "返事は必ず日本語でお願いします",
        ("返事は必ず日本語でお願いします",),
    ),
    (
        "いや、テストではモックを使わないでください。実際のDBでお願いします",
        ("テストではモックを使わないでください",),
    ),
    (
        "コミットメッセージは英語で書いてください。あと README も直しておいて",
        ("コミットメッセージは英語で書いてください。",),
    ),
    (
        ("このリポジトリのルール:\n- 関数名は動詞から始める\n- console.log は残さない\n- PR は小さくする"),
        (
            "関数名は動詞から始める",
            "console.log は残さない",
            "PR は小さくする",
        ),
    ),
    (
        (
            "エラーが出ました\n\n"
            "```\n"
            "Error: ENOENT: no such file or directory, open 'settings.json'\n"
            "```\n\n"
            "設定ファイルは今後 config/ の下だけに置いてください"
        ),
        ("設定ファイルは今後 config/ の下だけに置いてください",),
    ),
    # Korean
    (
        "항상 한국어로 대답해줘",
        ("항상 한국어로 대답해줘",),
    ),
    (
        "아니 main 브랜치에 바로 푸시하지 마",
        ("main 브랜치에 바로 푸시하지 마",),
    ),
    (
        "변수 이름은 줄여 쓰지 말고 항상 풀어서 써줘 그리고 결제 화면도 고쳐줘",
        ("변수 이름은 줄여 쓰지 말고 항상 풀어서 써줘",),
    ),
    (
        "좋아 👍 근데 하나만, 앞으로 작업 끝나면 꼭 테스트 결과를 같이 보여줘",
        ("앞으로 작업 끝나면 꼭 테스트 결과를 같이 보여줘",),
    ),
    (
        ("프로젝트 규칙:\n1. 새 파일 만들기 전에 물어보기\n2. 주석은 한국어로\n3. 환경 변수는 .env.example에도 추가"),
        (
            "새 파일 만들기 전에 물어보기",
            "주석은 한국어로",
            "환경 변수는 .env.example에도 추가",
        ),
    ),
    # Chinese
    (
        "以后都用中文回答我",
        ("以后都用中文回答我",),
    ),
    (
        "不对，我们这里不用 lodash，换成原生写法",
        ("我们这里不用 lodash",),
    ),
    (
        "提交之前一定要先跑一遍测试，昨天的提交把登录搞坏了",
        ("提交之前一定要先跑一遍测试",),
    ),
    (
        (
            "报错了：\n\n"
            "```\n"
            "ImportError: cannot import name 'Cart' from 'shop'\n"
            "```\n\n"
            "以后不要用循环导入，把 Cart 挪到 models.py"
        ),
        ("以后不要用循环导入",),
    ),
    (
        ("几条规则：\n1. 接口返回的字段一律用下划线命名\n2. 金额用整数，单位是分\n3. 不要改动 legacy 目录"),
        (
            "接口返回的字段一律用下划线命名",
            "金额用整数，单位是分",
            "不要改动 legacy 目录",
        ),
    ),
    (
        (
            "我看了一下新的首页，整体不错，就是图片太大了，手机上要等好几秒。图片上传之前都要压缩到 200 "
            "KB 以内，另外 `banner.vue` 里的文案还是旧的，帮我换成昨天发你的那版"
        ),
        ("图片上传之前都要压缩到 200 KB 以内",),
    ),
)
