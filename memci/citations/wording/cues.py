"""The words that mark something as gone, planned, absent, forbidden or only an example.

Each line says what its phrases mean and where the claim stands that they speak of. Phrases are parted
by bars, words by blanks, choices for one word by slashes: `was/were removed/deleted` stands for four phrases. Where
words are not parted by blanks, slashes part whole phrases. All is lower case; marks inside a phrase do not count.
"""

_ENGLISH = """\
historical leads: removed/deleted/dropped/retired/renamed/moved/migrated/replaced/superseded/eliminated/decommissioned
historical leads: replaces/replacing/supersedes/superseding | got/getting rid of | ripped out | killed/kills/retires
historical leads: promoted/extracted/ported/copied/derived/forked/split/renamed/moved/migrated/replaced from
historical far: used to | formerly/previously | was/were called/named/originally | back when | in the past | at the time
historical far: no longer use/uses/call/calls/need/needs/have/has/support/supports/read/reads/contain/contains
historical far: was/were/got flagged/spotted/noticed/caught/observed/reported in/at/on/by
historical far: was/were refactored/implemented/built/added/introduced/rewritten/extracted/created as/during/under
historical opens: found/seen/observed/discovered/spotted/confirmed in/during/while | new/changed/touched files
plain far: is/are/was/were/be/been/being/it/gets/get/them/only used to
historical direct: was/were
historical next: old/legacy/former/previous/obsolete/deprecated/dead/stale/removed/deleted/retired/older/earlier/prior
historical trails: was/were/been/is/are/got/being/now/since removed/deleted/dropped/retired/renamed/moved/migrated
historical trails: was/were/been/is/are/got/being/now/since replaced/superseded/gone/obsolete/deprecated/archived
historical trails: was/were/is/are entirely/completely/fully/already/also/all removed/deleted/gone/replaced
historical trails: no longer exist/exists/used/needed/supported/available/there/called/part/required/valid/in/imported
historical trails: does/do not exist anymore | doesn't/don't exist anymore | exist/exists any more/longer
historical trails: used to be/live/exist/hold/contain | existed until | has/have gone | went away | did not survive
historical trails: renamed/moved/migrated/merged/folded to/into | replaced/superseded by/with | is now called/named
historical trails: was/were merged/folded/split/inlined/also/then/once/still | rewritten/reduced/raised/changed from
historical close: removed/deleted/renamed/retired/superseded/deprecated/obsolete/gone/legacy/fixed/added | is dead
planned far: will/'ll live/go/sit/add/create/introduce/contain/become/move/be/need/use/have | going to | todo | to do
planned far: plan/plans/planned/planning/intend/intends to | to be created/added/written | next step | follow up
planned far: should/must/could/can/need/needs/want/wants to/add/create/introduce add/create/introduce | not yet
planned far: should/must/could/can create/introduce | should/must add | once we have
planned next: future/upcoming/planned/pending/proposed
planned opens: remove/delete/drop/rename/replace/migrate/create/introduce/scaffold/add/write/build/implement/extract
planned trails: does/do not exist yet | doesn't/don't exist yet | will be/become/live/get/go/need | coming soon
planned trails: to be created/added/written/implemented/removed/renamed/deleted | is/are planned/pending/proposed/next
planned trails: should/must/can be created/added/removed/renamed/deleted/replaced/written/extracted/split | not yet
planned trails: needs/need to be created/added/removed/renamed/written | once it exists/lands | slated for
planned close: planned/todo/pending/proposed/tbd/future/upcoming/wip
negated trails: does/do/did not exist | doesn't/don't/didn't exist | never existed | is/are/was missing/absent/undefined
negated trails: is/are/was/were not supported/available/present/implemented/defined/found/there/provided/real
negated trails: isn't/aren't/wasn't supported/available/present/implemented/defined/found/there/provided/real
plain trails: is/are/was missing/absent from
negated trails: not supported/implemented/available | cannot be found | has/have not been implemented/created
negated close: missing/nonexistent/absent/unsupported/unimplemented | not found | non existent
negated leads: there is/are/was/were no/not | there isn't/aren't | there's no | has/have/had no | no such | lacks | no
negated leads: does/did not have/contain/include/define/export/support/use/read/call/need/import/interpolate
negated leads: doesn't/didn't have/contain/include/define/export/support/use/read/call/need/import/provide | not a
negated direct: no/not/nor/neither
negated next: without/missing/hallucinated/imaginary/fictional/nonexistent
prohibited far: never with/via/through/use/call/edit/import/run/commit/touch/modify/write/add/put/set/read/push/delete
prohibited far: don't/avoid/avoids/avoiding/forbid/forbidden/banned/prohibited/shouldn't/mustn't
prohibited far: do/must/should/may not
prohibited far: do/must/should/may/can not use/see/keep | don't/shouldn't/mustn't/can't use/see/keep
prohibited direct: never
prohibited leads: instead of | in place of | rather than | as opposed to | can't/cannot use/call/edit/import
prohibited trails: is/are forbidden/banned/prohibited | is/are not allowed | must/should not/never be | off limits
hedged far: e.g | for example/instance | such as | something/anything like | usually/typically/possibly/perhaps/maybe
hedged far: would/could/might be/live/go/add/have/become/look | if you have/need/want | imagine/suppose/say | like this
hedged leads: names/files/things/commands/paths/flags/values/functions/tools/scripts/tokens/keys/classes/modules like
hedged trails: may track/hold/exist/appear/live
hedged trails: if it/they/one/that exists/exist | if present/available/any | or similar/equivalent/so | might not exist
hedged close: for example/instance | optional | if needed
"""
_GERMAN = """\
historical leads: gelöscht/entfernt/umbenannt/verschoben/ersetzt/abgelöst
historical far: früher/ehemals/damals/vormals | nicht mehr
historical next: alte/alter/altes/alten/altem/ehemalige/ehemaliger/ehemaligen/frühere/früheren/veraltete/veralteten
historical trails: wurde/wurden/worden/ist/sind gelöscht/entfernt/umbenannt/verschoben/ersetzt/abgelöst/veraltet/weg
historical trails: nicht mehr | gibt es nicht mehr | hieß früher | heißt jetzt
planned far: geplant/künftig/demnächst | als nächstes | wird/soll/sollen/werden noch | noch nicht
planned trails: ist/sind geplant | noch nicht | soll/sollen/wird/muss noch | wird/werden angelegt/erstellt
negated trails: gibt es nicht | existiert/existieren nicht | fehlt/fehlen | wird nicht unterstützt | nicht vorhanden
negated leads: es gibt/gab kein/keine/keinen | ohne | kein/keine/keinen
prohibited far: nie/niemals/vermeide/vermeiden/verboten
prohibited leads: statt/anstatt/anstelle
prohibited trails: nicht/nie verwenden/benutzen/bearbeiten/ändern/anfassen/aufrufen | vermeiden | ist/sind verboten
hedged far: z.b | zum beispiel | beispielsweise/etwa/vielleicht/üblicherweise/normalerweise
hedged trails: falls/wenn/sofern vorhanden | oder ähnlich
"""
_FRENCH = """\
historical leads: supprimé/supprimée/supprimés/renommé/renommée/retiré/retirée/remplacé/déplacé
historical far: anciennement/autrefois/auparavant | n'existe/existent/utilise/utilisons plus
historical next: ancien/ancienne/anciens/anciennes/obsolète
historical trails: été supprimé/supprimée/supprimés/retiré/retirée/renommé/renommée/déplacé/déplacée/remplacé/remplacée
historical trails: n'existe/existent/est/sont plus | est obsolète
planned far: sera/seront/prévu/prévue/prévus | à créer/ajouter | pas encore
planned opens: créer/ajouter
planned trails: sera/seront | est/sont prévu/prévue/prévus | pas encore
negated trails: n'existe/existent pas | est absent/manquant | n'est pas supporté/disponible/implémenté
negated leads: il n'y a pas | pas de | sans/aucun/aucune
prohibited far: jamais/éviter/évitez/évite/interdit | ne pas
prohibited leads: au lieu de | plutôt que
hedged far: par exemple | p.ex | peut être
hedged trails: si présent/présente | s'il existe
"""
_SPANISH = """\
historical leads: eliminado/eliminada/eliminados/eliminamos/borrado/renombrado/reemplazado/movido
historical leads: se eliminó/borró/renombró/movió
historical far: anteriormente/antiguamente | ya no
historical next: antiguo/antigua/antiguos/viejo/vieja/obsoleto/obsoleta
historical trails: fue/fueron/sido/está/están eliminado/eliminada/borrado/borrada/renombrado/movido/reemplazado
historical trails: se eliminó/borró/renombró/movió | ya no
planned far: será/serán/próximamente/pendiente/planeado | se creará | por crear | todavía/aún no
planned opens: crear/añadir/agregar
planned trails: será/serán | se creará | todavía/aún no | está/están pendiente/planeado/previsto
negated trails: no existe/existen | no está disponible/implementado/soportado | falta/faltan
negated leads: no hay/tiene | sin/ningún/ninguna
prohibited far: nunca/evitar/evita/evite/prohibido | no usar/uses/use/editar/edites/tocar/toques/llamar/llames
prohibited leads: en lugar/vez de
hedged far: por ejemplo | p.ej | quizá/quizás/podría/podrían | tal vez
hedged trails: si existe/existen | o similar
"""
_RUSSIAN = """\
historical leads: удалён/удален/удалена/удалено/удалены/удалили/убран/убрана/убраны/убрали/выпилен/выпилили
historical leads: переименовали/переименован/перенесли/заменили/заменён/заменен
historical far: раньше/ранее/прежде/бывший/бывшая | больше не/нет
historical next: старый/старая/старое/старого/старые/устаревший/устаревшая/удалённый/удаленный
historical trails: удалён/удален/удалена/удалено/удалены/убран/убрана/убрано/убраны/переименован/устарел/устарела
historical trails: перенесён/перенесен/перемещён/перемещен/заменён/заменен/заменена | больше не/нет
planned far: планируется/планируем/предстоит | нужно/надо создать/добавить | будет/будут | ещё/еще/пока не/нет
planned opens: создать/добавить
planned trails: планируется/планируются/будет/будут | ещё/еще/пока не/нет
negated trails: не существует/существуют/поддерживается/реализован/реализована | отсутствует/отсутствуют/нет
negated leads: нет/без
negated direct: не
prohibited far: нельзя/избегать/избегай/запрещено/никогда | не использовать/используй/трогать/трогай/менять/вызывать
prohibited leads: вместо
hedged far: например/возможно/обычно/вроде/скажем | может быть
hedged trails: если есть/существует
"""
_CHINESE = """\
historical leads: 删除了/移除了/去掉了/废弃了/已删除/已移除/已废弃/已弃用/已下线
historical far: 以前/曾经/原先/原来的/过去/不再
historical next: 旧的/旧版/旧/老的/废弃的/已删除的
historical trails: 已删除/已经删除/被删除/已移除/被移除/已废弃/已弃用/已下线/已重命名/重命名为/改名为/更名为
historical trails: 已改名/已迁移/迁移到/移到了/移动到/被替换/已替换/替换为/被取代/不再/已合并/已不存在/删掉了
planned far: 计划/将会/将要/即将/打算/待办/尚未/还没有/还未/下一步/未来
planned opens: 新建/创建/新增
planned trails: 待创建/待添加/待实现/尚未/还没有/还未/计划中
negated trails: 不存在/未实现/不支持/没有实现/缺失
negated leads: 没有/无
negated direct: 不是/而不是/而非
prohibited far: 不要/禁止/切勿/请勿/避免/不得/严禁/不能/不可/绝不
hedged far: 例如/比如/可能/也许/通常/类似
hedged trails: 如果存在/若存在/如果有/如有
"""
_JAPANESE = """\
historical far: 以前/かつて/元々/昔は
historical next: 旧/古い/以前の/廃止された/削除された/削除済みの
historical leads: 削除済み/廃止済み
historical trails: 削除された/削除した/削除済/削除しました/廃止された/廃止した/改名した/リネームした/に改名/にリネーム
historical trails: に移動した/移動済/に移行した/移行済/置き換えた/なくなった/もう存在しない/もう使わ/非推奨
historical trails: 使われていない/でした
planned far: 今後/将来/これから/予定
planned trails: 予定/まだ存在しない/まだない/まだありません/未実装/未作成/追加する/作成する/新規作成
negated trails: 存在しない/存在しません/はない/はありません/がない/がありません/サポートされていない/未対応
negated direct: ではなく/じゃなく
prohibited trails: 禁止/しないこと/しないで/使わない/使用しない/編集しない/触らない/避ける/てはいけない/ではなく
prohibited trails: の代わりに
hedged far: 例えば/たとえば/通常/おそらく
hedged trails: かもしれない/があれば/が存在すれば/のような/などの
"""
_KOREAN = """\
historical far: 예전/당시/과거/이전에는/이전에/더 이상
historical next: 옛/구/구버전/삭제된/제거된/폐기된
historical leads: 삭제됨/제거됨/삭제했/제거했
historical close: 삭제/제거/폐기
historical trails: 삭제됨/삭제돼/삭제됐/삭제되/삭제했/삭제된/제거됨/제거돼/제거됐/제거되/제거했/제거된/폐기됨/폐기되
historical trails: 이동됨/이동했/옮겼/옮김/대체됨/대체되/대체했/더 이상/사라졌/없앴/였다/였음/변경됨/변경했/하던/있던
planned far: 예정/계획/추후/앞으로/향후/아직
planned trails: 예정/추후/아직 없/아직 구현/미구현/추가할/만들 것/생성할
negated trails: 존재하지 않/없음/없다/없습니다/없고/없으며/지원하지 않/미지원
negated direct: 아닌/아니라
prohibited far: 절대/금지
prohibited trails: 금지/하지 말/사용하지 말/쓰지 말/말 것/안 된다/안됨/대신/하지 않는다
hedged far: 예를 들어/예컨대/보통/일반적으로/아마
hedged trails: 같은/있으면/있다면/등의
"""
LANGUAGES = (_ENGLISH, _GERMAN, _FRENCH, _SPANISH, _RUSSIAN, _CHINESE, _JAPANESE, _KOREAN)

# Each ends the reach of a leading cue: "removed `a` from `b`".
STOPS = (
    "from in of by via with for at on to into using because since after before so as inside within under"
    " is are was were has have when where which that if while"
    " von aus mit für bei nach zu weil durch de dans par avec pour sur vers depuis desde en con por para hacia"
    " из в на для с через по от за"
)
# Each ends the reach of any cue before it: "deleted `a`, use `b`".
TURNS = (
    "but use uses see now keep keeps instead prefer became remains still however"
    " aber nutze verwende nutzen verwenden siehe jetzt stattdessen mais utiliser utilisez maintenant voir"
    " pero usa usar ahora ver но используй используйте теперь см"
)
EAST_TURNS = "改用 使用 请用 现在 而是 但 代わりに 今は 現在 使う 대신 현재 지금 사용한다"
# Words that open a new statement, in front of which a subject does not reach.
CONJUNCTIONS = (
    "when if after because since once while where so until before unless whenever wenn weil nachdem als"
    " quand lorsque parce cuando porque когда если"
)
# Words allowed between a comma and a remark about the name before the comma.
FILLERS = (
    "which and or also it they both all this that one itself have has had is are been were was the"
    " file files still now then"
    " already since und oder auch et ou y o и или est a ont sont"
)
# Nouns that introduce a name: "the old shell script `x`".
APPOSITIONS = (
    "file files script scripts module package class function method helper parser engine shim wrapper tool suite test"
    " tests implementation version kit code ref reference citation path command service server client library config"
    " workflow job hook endpoint table variable flag skript datei modul klasse funktion fichier módulo archivo файл"
    " скрипт модуль функция"
)

# Cues in a heading or list introduction, which apply to everything below it.
HEADINGS = """\
historical heading: removed/deleted/deprecated/obsolete/history/historical/changelog/archive/archived/resolved/retired
historical heading: superseded/postmortem/retrospective/incident/incidents/killed/dropped/renames/renamed/moved/replaced
historical heading: change/decision/session/work/release log | release notes | dead code | what changed | no longer
historical heading: old/legacy/previous/new/changed/added files/paths/names/code/tests | new test files | fixes
historical heading: files changed/created/modified/touched/added | what was done/shipped | key changes | changes made
historical heading: fixed bugs/issues | bugs fixed | post mortem
historical heading: geänderte/neue/gelöschte dateien | behobene fehler/probleme | änderungen/historie/erledigt/veraltet
historical heading: fichiers modifiés/créés/ajoutés/supprimés | problèmes/bugs corrigés/résolus
historical heading: modifications/historique
historical heading: archivos/arquivos modificados/creados/criados/eliminados/removidos
historical heading: problemas/erros corrigidos/resueltos
historical heading: изменённые/измененные/новые/удалённые/удаленные файлы | исправленные ошибки
historical heading: история/изменения/архив
historical heading: 修改的文件/修改文件/变更文件/新增文件/修复内容/已修复/已删除/历史/变更记录/更新日志/已解决/归档
historical heading: 変更ファイル/修正ファイル/新規ファイル/修正内容/変更内容/変更点/履歴/変更履歴/解決済み/廃止
historical heading: 변경 파일/수정 파일/변경된 파일/수정 내용/변경 내용/변경 사항/이력/히스토리/변경 이력/수정 완료
planned heading: todo/todos/planned/roadmap/future/pending/backlog/queued/proposal/proposed/proposals/upcoming/wishlist
planned heading: recommendation/recommendations/suggestion/suggestions/opportunities/ideas | next steps/up | to do/be
planned heading: potential improvements/improvement | open questions/items/tasks | not yet | follow ups/up
planned heading: geplant/offen | nächste schritte | à faire | prochaines étapes | pendiente/pendientes | próximos pasos
planned heading: планы/план | следующие шаги | 待办/计划/下一步 | 予定/今後/計画 | 예정/계획/할 일/향후
negated heading: missing/unsupported | not supported/implemented/available | out of scope | non goals
prohibited heading: never/forbidden/prohibited | do not/don'ts | anti patterns
hedged heading: example/examples/beispiel/beispiele/exemple/exemples/ejemplo/ejemplos/примеры | 示例/例/예시
"""
# Notes in a directory of such a name are kept, but not kept up.
ARCHIVES = "archive archives archived archiv history historical old obsolete deprecated superseded done"
# A file with one of these names and a date is a record of that day.
REPORTS = (
    "review audit report findings scan session log analysis retro retrospective standup meeting postmortem incident"
    " status state snapshot summary notes bericht rapport informe"
)
# Set apart at the top of a file, each marks the whole file as history.
BANNERS = """\
resolved/superseded/obsolete/archived/deprecated/outdated/historical/retired/stale
erledigt/veraltet/überholt/archiviert | résolu/obsolète/archivé/dépassé | resuelto/obsoleto/archivado
решено/устарело/архив | 已解决/已废弃/已过时/已归档/归档/历史记录
解決済み/廃止/アーカイブ | 해결됨/해결 완료/폐기/보관됨
"""
# Alone between marks in a heading, each marks the whole section as finished.
CLOSED = "fixed closed solved behoben gelöst corrigé corregido исправлено"
# Labels of paragraphs that report a past event.
ACCOUNTS = """\
first seen | last seen | seen | first observed | observed | first reported | reported | discovered | encountered
root cause | root causes | symptom | symptoms | what happened | what went wrong | commit | commits
ursache | symptome | cause racine | symptômes | causa raíz | síntomas | síntoma | причина | симптомы
根因 | 根本原因 | 症状 | 现象 | 原因 | 根本原因は | 근본 원인 | 원인 | 증상
"""
# With a date, a heading that begins with one of these is the title of a log entry.
LOG_WORDS = """\
session/sessions/log/run/day/week/entry/standup | update/updates/changes/release/status/daily/weekly/journal
"""
# A claim behind one of these is about another repository, and so is one right before it: "`x` in target repos".
ELSEWHERE = """\
other/another/sibling repo/repos/repository/repositories/project/projects
target/consumer/consuming/downstream repo/repos/repository/repositories/project/projects
separate/external/different/upstream repo/repos/repository/repositories/project/projects | upstream's
in upstream | anderen/anderes/anderem repo/repository/projekt | autre dépôt/projet | otro repositorio/proyecto
другом/другой репозитории/репозиторий/проекте | 其他仓库/另一个仓库/别的仓库/其他项目
他のリポジトリ/別のリポジトリ/別リポジトリ | 다른 저장소/다른 레포/다른 프로젝트
"""
# A hexadecimal number right behind one of these is no commit.
NOT_COMMITS = "image images digest container layer build run session trace request task job checksum md5 etag token"
# Before "commit", each refers to another repository.
STRANGE_COMMITS = "at sibling external upstream other another pinned their foreign"
# A hexadecimal number beside one of these, in its sentence, is a commit.
COMMIT_WORDS = """\
commit/commits/committed/sha/revision/rev/reverted/reverts
revert/merged/merge/introduced/cherry/bisect/hash/since
fixed/landed/shipped/added/removed/done/changed/implemented/resolved in/by/at/with
branch/branched/head/pr | commits/behoben/seit/depuis/desde/коммит/коммите/коммита/коммитом | 提交/コミット/커밋
"""
# With a number, a stage of work.
UNITS = (
    "phases? story stories epics? tasks? stages? sprints? waves? issues? tickets? weeks? sessions? milestones?"
    " iterations? bugs? cycles? rounds? runs? batch étape fase etapa фаза этап 阶段 フェーズ 단계"
)
# As the first or last word of a name or heading: about work to do, or that was done.
PAPERS = (
    "plan plans design proposal rfc roadmap audit review report findings investigation diagnosis postmortem retro"
    " handoff closeout results summary analysis tasks actions recommendations todo todos backlog progress"
    " fix fixes bugfix hotfix"
)
# In a heading, each announces a list of faults; whether a fault is still there cannot be told from its line.
FAULTS = "issue issues bug bugs violations findings problem problems gaps risks debt defects vulnerabilities"
# In a title, each marks the text below it as finished.
ENDED = (
    "completed finished fixed shipped delivered deliverables landed merged implemented resolved"
    " abgeschlossen terminé completado завершено закрыто 已完成 完了 완료"
)
# Words for the past, or for what was new at the time of writing.
PAST = (
    "was were had did new legacy introduced added fixed removed created moved replaced changed"
    " updated modified renamed deleted failed"
    " tried hit seen observed discovered needed bad wurde wurden war hatte neu était avait fue era novo foi"
    " новый новая новое новые"
)
# In front of what is meant in general: "records for new packages".
ANY = "a an any each every all for of with or"
# After one of these a participle describes what happens, not what happened.
PASSIVES = "is are be being gets get when if once as until auto not never"
