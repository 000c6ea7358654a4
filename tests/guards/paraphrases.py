"""Honest statements with their evidence, as a good model paraphrases real talk."""

from typing import NamedTuple


class Paraphrase(NamedTuple):
    """What was said (messages are separated by `||`), and what a model makes of it."""

    said: str
    statement: str
    # The line that the statement replaces, cited as well.
    old: str = ""
    speaker: str = ""
    lookup: str = ""
    people: tuple[str, ...] = ()


P = Paraphrase
# Free rewording within English.
_ENGLISH = (
    P(
        "the sandbox locks our office out after three failed logins, so don't hammer it",
        "After three failed logins the sandbox locks the office out.",
    ),
    P(
        "we don't go out on thursday any more, release day is tuesday now",
        "Releases go out on Tuesday, no longer on Thursday.",
    ),
    P(
        "every config gets copied to the edge nodes by hand, marek does it",
        "Marek copies each config to the edge nodes by hand.",
    ),
    P(
        "bot replies have to be under 200 chars or the app cuts them",
        "A reply of the bot stays under 200 characters, because the app truncates it.",
    ),
    P(
        "pls dont reformat files you arent touching, the diff gets unreadable",
        "Leave files alone that a change does not touch: reformatting them makes the diff unreadable.",
    ),
    P(
        "ok so billing is on stripe now, we killed the braintree integration in march",
        "Billing runs on Stripe; the Braintree integration was dropped in March.",
    ),
    P("i hate long summaries. just tell me what broke", "Keep summaries short and say only what broke."),
    P(
        "never ever run migrations from your laptop, they go through the deploy job",
        "Migrations run in the deploy job, never from a laptop.",
    ),
    P(
        "lucia reviews everything that touches the ledger, no exceptions",
        "Changes to the ledger are always reviewed by Lucia.",
    ),
    P(
        "the staging db gets wiped every sunday night so dont keep anything in there",
        "The staging database is wiped each Sunday night; nothing in it lasts.",
    ),
    P(
        "tests that need the network go in tests/online, ci skips those",
        "Tests that need the network belong in `tests/online`, which CI skips.",
    ),
    P(
        "no you cant just bump node, the lambda runtime is stuck at 18",
        "Node cannot be bumped: the Lambda runtime is stuck at 18.",
    ),
    P(
        "stop putting type hints in docstrings, mypy checks the real ones",
        "Docstrings carry no type hints; mypy checks the real annotations.",
    ),
    P(
        "for the love of god use the existing logger, we have one in core/log.py",
        "Use the existing logger in `core/log.py` instead of a new one.",
    ),
    P(
        "we ship the desktop build on the first monday of the month",
        "The desktop build ships on the first Monday of each month.",
    ),
    P("price is always in cents, never floats", "Prices are stored in cents and never as floats."),
    P(
        "yeah keep the feature flag for another two weeks, sales still demos the old flow",
        "The feature flag stays another two weeks, because sales still shows the old flow.",
    ),
    P(
        "the old wiki is dead, everything moved to notion",
        "Documentation moved to Notion; the old wiki is no longer used.",
    ),
    P("if a job takes more than 20 min kill it, something is off", "Kill a job that takes longer than 20 minutes."),
    P("dont use the word user in the ui, we say member", 'In the UI say "member", not "user".'),
    P(
        "i work mornings only, so ask me stuff before noon",
        "Works only in the mornings; questions should come before noon.",
    ),
    P(
        "pricing page copy comes from marketing, we dont touch it",
        "The copy of the pricing page belongs to marketing and is not edited by the team.",
    ),
    P(
        "all the cron stuff lives in infra/cron now, not in the app repo",
        "Cron jobs live in `infra/cron`, no longer in the app repository.",
    ),
    P("you need to be on the vpn for the artifact server", "The artifact server is reachable only through the VPN."),
    P(
        "our customers are dentists mostly, they dont know what json is",
        "Most customers are dentists who do not know JSON.",
    ),
    P(
        "squash merges only please. rebase merges mess with the changelog script",
        "Merge with squash only: rebase merges confuse the changelog script.",
    ),
    P(
        "retry twice then give up, the partner bills us per call",
        "Give up after two retries; the partner charges for each call.",
    ),
    P("the pdf export has been flaky since the font update", "The PDF export is flaky since the fonts were updated."),
    P("we dropped ie11 support last year so no polyfills", "IE11 is no longer supported, so polyfills are not needed."),
    P("name branches like ab-1234-short-title", "Branches are named after the pattern `ab-1234-short-title`."),
)
# Two messages together, speakers, people, dates, numbers.
_TOGETHER = (
    P(
        "the importer runs at 4 || it's the one that talks to the SAP box, so dont restart that between 4 and 5",
        "The importer runs at 4 and talks to the SAP box, which must not be restarted between 4 and 5.",
    ),
    P(
        "we use buf for protos || and pin it to 1.47, newer ones break the gateway",
        "Protos are built with buf, pinned to 1.47 because newer versions break the gateway.",
    ),
    P(
        "Aneta handles the invoices || she's on leave till january",
        "Invoices are Aneta's job; she is on leave until January.",
    ),
    P("deploy window is 10 to 12 || utc obviously", "The deploy window is 10 to 12 UTC."),
    P(
        "dont email customers from the script || use the outbox table instead, it gets picked up hourly",
        "The script does not email customers; it writes to the outbox table, which is picked up hourly.",
    ),
    P("i'm the one who signs off on schema changes", "Dana signs off on schema changes.", speaker="Dana"),
    P(
        "ping me before you touch the terraform state",
        "Ask Jonas Weber before touching the Terraform state.",
        speaker="Jonas Weber",
    ),
    P("kowalska owns the tax rules", "Aneta Kowalska owns the tax rules.", people=("Aneta Kowalska",)),
    P(
        "ask priya about anything with oauth",
        "Questions about OAuth go to Priya Nair.",
        people=("Priya Nair", "Marek Nowak"),
    ),
    P("that was marek's idea, he maintains the parser", "Marek maintains the parser."),
    P("freeze starts on 1 november and ends two weeks later", "The freeze starts on 2026-11-01."),
    P("the audit is friday next week", "The audit is on 2026-11-20."),
    P("demo is tomorrow at 3", "The demo is on 2026-11-10 at 3."),
    P("contract with the vendor ends on the 15th of december", "The vendor contract ends on 2026-12-15."),
    P("we do releases on fridays, after lunch", "Releases happen on Fridays after lunch."),
    P("the limit is twelve requests a second", "The limit is 12 requests per second."),
    P("keep at most 5 backups", "At most five backups are kept."),
    P("since this month the nightly build runs on arm", "Since November 2026 the nightly build runs on ARM."),
    P("half the team is in oslo, so no meetings after 15:00", "Half of the team is in Oslo: no meetings after 15:00."),
    P(
        "there are three environments: dev, qa, prod || qa is the only one with real traffic replays",
        "Of the three environments only QA has real traffic replays.",
    ),
    P("use port 8443 locally || 8080 is taken by the proxy", "Locally use port 8443, because the proxy takes 8080."),
    P(
        "the mobile folks want semver tags || backend doesn't care",
        "Mobile wants semver tags; the backend does not care.",
    ),
    P(
        "dont open prs against develop || main is the trunk since october",
        "Pull requests go against main, not develop, since October.",
    ),
    P(
        "run make gen after you change a proto || forgot it twice this week already",
        "After a change of a proto run `make gen`.",
    ),
    P(
        "the fixtures come from real orders || but names are scrambled",
        "Fixtures are made from real orders with scrambled names.",
    ),
    P("our SLA says 99.5 || measured per calendar month", "The SLA is 99.5, measured per calendar month."),
)
# A newer fact in place of an old line.
_REPLACED = (
    P("coverage gate is 85 now", "The coverage gate in CI is 85%.", old="The coverage gate in CI is 80%."),
    P("jonas left, tariq does the on-call rota", "Tariq plans the on-call rota.", old="Jonas plans the on-call rota."),
    P(
        "we moved the docs to docs.example.org",
        "The documentation is at docs.example.org.",
        old="The documentation is at wiki.example.org.",
    ),
    P(
        "standup is at 10 now because of the oslo people",
        "Standup is at 10.\n**Why:** the people in Oslo.",
        old="Standup is at 9:30.",
    ),
    P("switched from yarn to pnpm yesterday", "Install with pnpm.", old="Install with yarn."),
    P(
        "you can push to the docs repo directly now, we dropped the review there",
        "Pushing to the docs repo directly is allowed; the review there was dropped.",
        old="Never push to the docs repo directly; wait for the review.",
    ),
    P("line length is 100 these days", "Lines have at most 100 characters.", old="Lines have at most 88 characters."),
    P(
        "the queue is kafka since september, nats is gone",
        "The queue is Kafka since September.",
        old="The queue is NATS.",
    ),
    P(
        "no more daily standups, we do tuesdays only",
        "Standups are on Tuesdays only, no longer daily.",
        old="Standups are daily.",
    ),
    P(
        "MAX_RETRIES should match the code",
        "The client retries 7 times (`MAX_RETRIES`).",
        old="The client retries 5 times (`MAX_RETRIES`).",
        lookup="MAX_RETRIES = 7",
    ),
    P(
        "",
        "Uploads are limited to 25 MB (`MAX_UPLOAD_MB`).",
        old="Uploads are limited to 10 MB (`MAX_UPLOAD_MB`).",
        lookup="MAX_UPLOAD_MB = 25",
    ),
    P("", "The service listens on port 9090.", old="The service listens on port 8080.", lookup="listen_port: 9090"),
    P("the intern is called Rafael, not Raphael", "The intern is Rafael.", old="The intern is Raphael."),
    P(
        "tokens now live 15 minutes, security asked for it",
        "Access tokens expire after 15 minutes.",
        old="Access tokens expire after 60 minutes.",
    ),
    P(
        "we are five people now, Ines joined",
        "The team has five people, including Ines.",
        old="The team has four people.",
    ),
    P(
        "builds are done by buildkite, we ditched jenkins",
        "Builds run on Buildkite instead of Jenkins.",
        old="Builds run on Jenkins.",
    ),
    P(
        "the customer demo env is now demo2",
        "The demo environment of the customer is `demo2`.",
        old="The demo environment of the customer is `demo1`.",
    ),
    P("reports go out weekly instead of daily", "Reports go out weekly.", old="Reports go out daily."),
)
# From and into other languages.
_TRANSLATED = (
    P(
        "bitte nie freitags deployen, der support ist dann nicht da",
        "Never deploy on Fridays: support is not there then.",
    ),
    P("die rechnungen macht jetzt Aneta, nicht mehr Jonas", "Aneta does the invoices now, no longer Jonas."),
    P("wir nehmen ab november nur noch postgres 16", "From November only Postgres 16 is used."),
    P("der import läuft nachts um 3, da bitte nix neu starten", "The import runs at 3 at night; restart nothing then."),
    P("antworte mir bitte auf deutsch", "Answers in German."),
    P("keine emojis in commit messages", "No emojis in commit messages."),
    P("vi kjører migreringer bare på tirsdager, aldri ellers", "Migrations run only on Tuesdays, never otherwise."),
    P(
        "Ingrid eier betalingsmodulen, spør henne før du endrer noe i src/pay",
        "Ingrid owns the payment module; ask her before changing anything in `src/pay`.",
    ),
    P("ikke bruk localstorage, det er forbudt av sikkerhet", "Do not use localStorage; security forbids it."),
    P("fristen er 15. desember", "The deadline is 2026-12-15."),
    P("nie wrzucaj niczego na main w piątek po południu", "Never put anything on main on Friday afternoon."),
    P("Kasia zajmuje się raportami, pisz do niej na slacku", "Kasia takes care of the reports; write to her on Slack."),
    P("limit to 40 minut na job", "The limit is 40 minutes per job."),
    P("ne touche pas au fichier config/prod.yml sans me demander", "Do not touch `config/prod.yml` without asking."),
    P("les tests tournent sur gitlab, plus sur jenkins", "Tests run on GitLab, no longer on Jenkins."),
    P("on livre le premier mardi du mois", "Delivery is on the first Tuesday of the month."),
    P("réponds en français stp", "Answer in French."),
    P("no uses var en typescript, siempre const o let", "In TypeScript never use `var`, always `const` or `let`."),
    P("el servidor de staging es srv-22, no srv-21", "The staging server is srv-22, not srv-21."),
    P("Carmen aprueba los cambios de precios", "Carmen approves price changes."),
    P("デプロイは火曜日だけです。金曜日はしないでください", "Deploys are on Tuesday only, never on Friday."),
    P("コミットメッセージは英語で書いてください", "Commit messages are written in English."),
    P("田中さんがDBの変更を承認します", "田中 approves changes of the DB."),
    P("タイムアウトは30秒にして", "The timeout is 30 seconds."),
    P("never deploy on fridays, support is not around", "Freitags nie deployen, der Support ist nicht da."),
    P("Marta owns the billing module", "Marta ist für das Billing-Modul zuständig."),
    P("the nightly job takes 40 minutes", "Der nächtliche Job dauert 40 Minuten."),
    P("use pnpm, not npm", "pnpm verwenden, nicht npm."),
    P("don't touch dist/, it is generated", "Ne pas toucher à `dist/` : c'est généré."),
    P("reviews are done by Lucia on wednesdays", "Las revisiones las hace Lucia los miércoles."),
    P("answer in japanese when I write japanese", "日本語で書かれたら日本語で答える。"),
    P("the api version is v3 since october", "API は10月から v3。"),
    P("postgres 15 stays until the vendor certifies 16", "Postgres 15 bleibt, bis der Hersteller 16 zertifiziert."),
    P("ask Tariq before you change the nightly schedule", "Vor Änderungen am nächtlichen Zeitplan Tariq fragen."),
    P("wir haben drei umgebungen, dev qa und prod", "There are three environments: dev, QA and prod."),
    P("im sommer arbeite ich nur bis 14 uhr", "Works only until 14:00 in summer."),
)
# Denials and obligations in other words.
_SENSE = (
    P("you must always run the linter before you commit", "Running the linter before committing is mandatory."),
    P(
        "it's fine to skip the changelog for docs only changes",
        "The changelog may be skipped for changes of docs only.",
    ),
    P("we're not allowed to store ips, legal said so", "Storing IPs is forbidden by legal."),
    P("nobody should edit the generated client by hand", "The generated client is never edited by hand."),
    P("there is no staging for the payments service", "The payments service has no staging."),
    P("don't bother with windows, nobody uses it here", "Windows needs no support, as nobody uses it."),
    P("avoid lodash, the native stuff is good enough", "Do not use lodash; native functions are good enough."),
    P("instead of mocks use the fake server in tests/fake", "Use the fake server in `tests/fake` rather than mocks."),
    P(
        "without the tenant header the api returns 404, not 403",
        "If the tenant header is missing, the API answers 404 and not 403.",
    ),
    P("i don't want you to commit, i do that myself", "The user commits personally; never commit for them."),
    P(
        "leave the copyright headers out, legal doesn't need them anymore",
        "No copyright headers: legal no longer needs them.",
    ),
    P(
        "this repo is not public, dont link to it from tickets",
        "The repository is not public, so tickets must not link to it.",
    ),
    P("we only support python 3.12 and up", "Python older than 3.12 is not supported."),
    P("no force pushes on shared branches", "Never force-push a shared branch."),
)
# Freer ones.
_LATER = (
    P(
        "honestly just use the repo's own date helper, moment is 300kb",
        "Dates are handled with the helper of the repository rather than moment, which weighs 300kb.",
    ),
    P(
        "the qa folks start testing at 9 so have the build ready before that",
        "The build has to be ready before 9, when QA begins testing.",
    ),
    P("i'd like smaller prs, like max 300 lines", "Pull requests should be small: 300 lines at most."),
    P(
        "our partner api rate limits us hard, 50 per minute, so batch stuff",
        "Batch requests to the partner API, which allows only 50 per minute.",
    ),
    P("you keep forgetting the changelog entry", "Every change needs a changelog entry."),
    P("dont name things manager or helper", 'Avoid the names "manager" and "helper".'),
    P(
        "we can't upgrade django until the reporting plugin supports 5",
        "Django stays as it is until the reporting plugin supports version 5.",
    ),
    P("no comments on every line please, i can read code", "Code is not commented line by line."),
    P(
        "the french team reviews on mondays, so dont merge i18n before that",
        "I18n changes are merged only after the French team has reviewed them on Monday.",
    ),
    P("mobile is frozen from 20 nov till 5 dec", "The mobile freeze lasts from 2026-11-20 to 2026-12-05."),
    P(
        "I prefer if you explain the why in the pr description, not in comments",
        "The reason for a change belongs in the PR description, not in comments.",
    ),
    P("tmp files go to /var/spool/app, nowhere else", "Temporary files are written only to `/var/spool/app`."),
    P(
        "the payment webhooks come twice sometimes, so everything has to be idempotent",
        "Payment webhooks can arrive twice; handlers must be idempotent.",
    ),
    P("we only deploy from the release branch", "Deployments are made from the release branch only."),
    P("ask Sofia for access to the metrics board", "Sofia grants access to the metrics board."),
    P("legacy/ is off limits, it gets deleted in q1", "Do not touch `legacy/`, which is deleted in Q1."),
    P("kein camelcase in der db, alles snake_case", "Database names use snake_case, not camelCase."),
    P(
        "Der Kunde sitzt in Graz, Termine nur vormittags",
        "The customer is in Graz; appointments are in the morning only.",
    ),
    P("wir schreiben keine Unit-Tests für generierten Code", "No unit tests are written for generated code."),
    P("Bjørn tar over CI fra mandag", "Bjørn takes over CI from Monday."),
    P("testy odpalaj zawsze z flagą --ci", "Tests are always run with `--ci`."),
    P("la base de données est en lecture seule le dimanche", "The database is read-only on Sundays."),
    P(
        "mis reuniones son por la tarde, déjame las preguntas por la mañana",
        "Meetings are in the afternoon; questions should come in the morning.",
    ),
    P("ログは全部UTCで出してください", "All logs are in UTC."),
    P("mergear solo con dos aprobaciones", "Merge only with two approvals."),
    P(
        "we stopped using sentry, errors go to honeybadger",
        "Errors go to Honeybadger; Sentry is no longer used.",
        old="Errors go to Sentry.",
    ),
    P("the retention is 90 days by now", "Logs are kept for 90 days.", old="Logs are kept for 30 days."),
    P("Ben took over the design system from Carla", "Ben owns the design system.", old="Carla owns the design system."),
    P("we may commit lockfiles now", "Lockfiles are committed.", old="Never commit lockfiles."),
    P("the office moved to Gdansk", "The office is in Gdansk.", old="The office is in Warsaw."),
    P(
        "",
        "The cache lives for 600 seconds (`CACHE_TTL`).",
        old="The cache lives for 300 seconds (`CACHE_TTL`).",
        lookup="CACHE_TTL = 600",
    ),
    P("python 3.13 is the minimum from now on", "The minimum is Python 3.13.", old="The minimum is Python 3.11."),
    P(
        "we dont do friday reviews anymore, its monday and wednesday",
        "Reviews are on Monday and Wednesday.",
        old="Reviews are on Friday.",
    ),
    P(
        "mobile team has its own repo since last week",
        "The mobile team has its own repository.",
        old="The mobile app is part of this repository.",
    ),
    P(
        "don't ever commit generated files || the ci regenerates them anyway",
        "Generated files are never committed, because CI regenerates them.",
    ),
    P("when in doubt ask, don't guess", "Ask instead of guessing when in doubt."),
    P("it's ok to use any in tests", "`any` is acceptable in tests."),
    P("there's nothing sensitive in the fixtures", "The fixtures contain nothing sensitive."),
    P("the api never returns null, it leaves the key out", "The API omits a key instead of returning null."),
    P(
        "turn off the animations in e2e tests, they make them flaky",
        "E2E tests run without animations, which make them flaky.",
    ),
    P(
        "cucumber scenarios are owned by Hanne, she hates it when the wording changes",
        "Hanne owns the Cucumber scenarios; their wording stays as it is.",
    ),
    P(
        "don't put business logic in the controllers, it goes into services/",
        "Business logic belongs in `services/`, not in controllers.",
    ),
    P("we freeze translations a week before each release", "Translations are frozen one week before every release."),
    P("if the build is red nobody merges", "Nothing is merged while the build is red."),
    P(
        "i read mails only once a day so slack me for urgent stuff",
        "Urgent matters go through Slack, because mails are read only once a day.",
    ),
    P(
        "the orders table is huge, like 400 million rows, so no full scans",
        "The orders table has 400 million rows: avoid full scans.",
    ),
    P("we version the api by header not by url", "The API version is set by a header, not in the URL."),
    P(
        "Kenji set up the linux runners, ask him when they hang",
        "Kenji maintains the Linux runners; ask him when one hangs.",
    ),
    P("please stop rewriting my commit messages", "Do not rewrite the user's commit messages."),
    P("our design tokens come from figma, generated nightly", "Design tokens are generated nightly from Figma."),
    P(
        "the legacy importer can't handle utf-16, convert first",
        "Convert files before the legacy importer reads them, as it cannot handle UTF-16.",
    ),
    P("no need to keep python 3.9 compat", "Compatibility with Python 3.9 is not required."),
    P("errors should be actionable. tell the user what to do", "Error messages say what the user can do."),
    P("screenshots in the docs are made by hand, ask Lea", "Lea makes the screenshots in the docs by hand."),
    P("use british spelling in user facing text", "User-facing text uses British spelling."),
    P(
        "we had an outage because someone ran the seed script on prod, so guard it",
        "The seed script must be guarded: running it on prod caused an outage.",
    ),
    P("kurze funktionen bitte, nicht mehr als 40 zeilen", "Functions have at most 40 lines."),
    P(
        "Das Release ist am 3. Dezember, vorher kein Merge auf main",
        "The release is on 2026-12-03; nothing is merged to main before.",
    ),
    P("frag Mateusz wenn es um die Steuern geht", "Questions about taxes go to Mateusz."),
    P("bruk norsk i brukergrensesnittet", "The user interface is in Norwegian."),
    P("nie zmieniaj pliku schema.sql ręcznie", "`schema.sql` is never changed by hand."),
    P("les logs sont gardés 14 jours", "Logs are kept for 14 days."),
    P("los despliegues los hace Pilar los jueves", "Pilar deploys on Thursdays."),
    P("テストはpytestで書く。unittestは使わない", "Tests are written with pytest, not unittest."),
    P("backend runs on go 1.24 now", "The backend runs on Go 1.24.", old="The backend runs on Go 1.22."),
    P(
        "Emil is out, Yara decides about the roadmap",
        "Yara decides about the roadmap.",
        old="Emil decides about the roadmap.",
    ),
    P("we got rid of the weekly sync", "There is no weekly sync any more.", old="The weekly sync is on Thursday."),
    P(
        "always use the v2 client from now on, v1 is deprecated",
        "Always use the v2 client.",
        old="Always use the v1 client.",
    ),
    P(
        "",
        "The worker pool has 12 workers (`POOL_SIZE`).",
        old="The worker pool has 8 workers (`POOL_SIZE`).",
        lookup="POOL_SIZE = 12",
    ),
    P("tabs are fine in makefiles of course", "Makefiles may use tabs."),
    P(
        "the staging url changed to https://stage.example.net",
        "Staging is at https://stage.example.net.",
        old="Staging is at https://staging.example.com.",
    ),
    P("we test on safari too since the ipad rollout", "Testing covers Safari since the iPad rollout."),
    P("never mind the coverage in scripts/, nobody cares", "Coverage does not matter in `scripts/`."),
    P(
        "keep the first line of commits under 50 chars || and write them in english",
        "Commit subjects are in English and under 50 characters.",
    ),
    P("accessibility first: every button has a label", "Every button has a label for accessibility."),
    P("Nadia wants to see every copy change before it ships", "Copy changes are shown to Nadia before they ship."),
)
PARAPHRASES = (*_ENGLISH, *_TOGETHER, *_REPLACED, *_TRANSLATED, *_SENSE)
DEVELOPMENT, TEST, LATER = PARAPHRASES[::2], PARAPHRASES[1::2], _LATER
