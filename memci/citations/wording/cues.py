"""The words that mark what is cited as gone, planned, absent, forbidden or only an example.

A line of a table says what its phrases mean, and within how many words of a name. Phrases are separated by bars, and
choices for one word by slashes: `was/were gone` stands for two phrases. All is lower case; marks inside a phrase do
not count. In scripts without blanks every character counts as a word, and so does a syllable of Hangul.
"""

# In front of a name. A plain word ends the reach of what is before it: "deleted `a`, use `b`".
BEFORE = """\
plain 0: but | is/are | need/needs | use/uses | see | now | keep/keeps | when/if/that/which | has | must | because
plain 0: aber/nutze/verwende/siehe/jetzt | mais/utiliser/voir/maintenant | pero/usa/usar/ahora/ver
plain 0: но | используй/используйте/теперь/см
plain 0: 改用 | 使用 | 请用 | 现在 | 代わりに | 使う | 대신 | 사용
historical 5: removed/deleted/dropped/retired/superseded/killed | getting/got rid of | ripped out
historical 2: renamed/moved/migrated/replaced/promoted/extracted/ported/graduated/split from
historical 1: renamed/moved/replaced
historical 2: old/older/legacy/former/previous/earlier/obsolete/deprecated/dead/stale/retired
historical 2: formerly/previously
historical 5: no longer | used to
historical 9: found/seen/observed/discovered/spotted/confirmed in/during
historical 2: gelöscht/entfernt/umbenannt/ersetzt | alte/alter/altes/alten/ehemalige/veraltete | nicht mehr
historical 2: supprimé/supprimée/renommé/ancien/ancienne | eliminado/eliminada/borrado/antiguo/antigua/viejo
historical 2: ya no
historical 5: удалён/удален/удалена/удалено/удалены/убран/убраны/убрали/удалили | старый/старая/старые
historical 5: больше не
historical 4: 删除了 | 移除了 | 已删除 | 已移除 | 已废弃 | 旧的 | 旧版 | 旧 | 以前 | 削除済み | 廃止
historical 4: 삭제된 | 제거된 | 삭제됨 | 제거됨 | 예전
planned 4: will/'ll create/add/live/introduce/become/need/be | plan/plans to | going to | not yet
planned 4: planned/future/upcoming
planned 12: unfinished
planned 0: create/introduce/scaffold/implement/build/write | to do | proposed/pending
planned 3: rename/migrate/remove/delete/drop
planned 2: geplant/künftig | noch nicht | sera/créer | pas encore | será/crear | aún no | создать
planned 2: планируется | 新建 | 创建 | 予定
negated 1: no/not/nor/neither/without/lacks | no such | there is/are no
negated 2: does/do/did not have/contain/export/interpolate
negated 1: kein/keine/keinen/ohne | aucun/aucune/sans | sin/ningún | нет/без/не | 没有 | 不是
prohibited 10: never | do/must/should/may not | do/must/should not use/see
prohibited 10: never/don't/mustn't use | don't/shouldn't/mustn't/can't | avoid/avoids/forbid/forbids | cannot
prohibited 3: instead of | rather than | in place of | as opposed to
prohibited 8: nie/niemals/vermeide | nicht verwenden | jamais/évite | ne pas | nunca/evita/evite | no usar
prohibited 8: нельзя/никогда
prohibited 12: 不要 | 禁止 | 切勿 | 请勿 | 避免 | 절대
hedged 4: e.g/eg | for example/instance | such as
hedged 4: something/anything/value/values/names/files/paths/tokens/keys like
hedged 4: mention/mentions tokens like | imagine/suppose | z.b | zum beispiel | par exemple | por ejemplo
hedged 4: например | 例如
hedged 4: たとえば | 例えば | 예를 들어
"""

# Behind a name.
AFTER = """\
plain 0: use/uses | see | calls/reads/writes/sets/returns/handles/holds/needs/has/must/should
plain 0: when/if/after/because/so
historical 2: removed/deleted/retired/gone/obsolete/deprecated/superseded/archived/dropped/dead | went away
historical 4: was/were/been/is/are removed/deleted/dropped/retired/gone
historical 1: fixed in
historical 3: no longer exist/exists/used/needed/supported/there/called/imported/part/available/valid
historical 3: was/were/been/is renamed/moved/replaced/migrated/merged/split/inlined
historical 3: rewritten/reduced from
historical 1: renamed/moved/replaced/migrated to/by/with | used to be/live/exist
historical 3: wurde/wurden gelöscht/entfernt/umbenannt/ersetzt | gibt es nicht mehr | n'existe/existent plus
historical 3: été supprimé/supprimée/renommé
historical 3: ya no | se eliminó/borró | fue eliminado/eliminada/borrado
historical 3: удалён/удален/удалена/удалено/удалены/устарел
historical 9: 已删除 | 被删除 | 已移除 | 已废弃 | 不再 | 改名为 | 重命名为 | 削除され | 廃止 | 非推奨
historical 9: 삭제됨 | 삭제되 | 삭제했 | 제거됨 | 제거되 | 제거했 | 더 이상 | 폐기
planned 3: not yet | will be | to be created/added/written/removed/renamed
planned 3: planned/pending/proposed/tbd/upcoming/wip
planned 3: should/must be renamed/removed/created/deleted | doesn't/don't exist yet | coming soon
planned 4: ist/sind geplant | noch nicht | sera/seront | pas encore | será/serán | todavía/aún no
planned 4: будет/планируется
planned 9: 尚未 | 计划 | 予定 | 未実装 | 예정 | 미구현
negated 2: not exist/supported/implemented/available/found/defined/included | doesn't/don't/didn't exist
negated 2: never existed
negated 2: nonexistent/unsupported | missing
negated 3: gibt es nicht | existiert nicht | fehlt | n'existe pas | no existe/existen
negated 3: не существует/отсутствует
negated 9: 不存在 | 未实现 | 存在しない | 존재하지
prohibited 1: is/are forbidden/banned/prohibited
prohibited 3: not allowed | off limits | must/should not/never be | verboten | запрещено
prohibited 1: nicht/nie verwenden/benutzen/bearbeiten
prohibited 9: 禁止 | しないこと | 금지 | 하지 말
hedged 3: if it/they/one exists/exist | if present/available/any/needed | or similar | falls vorhanden
hedged 3: si existe
"""

# As the first or last words of a heading or list introduction, for everything below it.
HEADINGS = """\
historical 0: removed/deleted/deprecated/obsolete/retired/superseded/resolved/dropped/renamed/moved/replaced
historical 0: archive/archived/history/historical/changelog/postmortem/retrospective/incident/incidents | dead code
historical 0: release notes
historical 0: old/legacy/previous/new/changed/added/modified/touched/created files/paths/names/code/tests
historical 0: files/changes changed/created/modified/touched/added/made | what changed | what was done/shipped
historical 0: key changes
historical 0: change/decision/session/work log | no longer | bugs fixed | fixed bugs | fixes
historical 0: geänderte/neue/gelöschte dateien | erledigt/veraltet | fichiers modifiés/créés/supprimés
historical 0: historique
historical 0: problèmes/problemes/bugs corrigés/corriges/résolus | problemas/erros corrigidos/resueltos
historical 0: archivos modificados/creados/eliminados | изменённые/новые/удалённые файлы | архив/история
historical 0: 修改文件 | 新增文件 | 已修复 | 已删除 | 历史 | 归档 | 変更ファイル | 変更履歴 | 廃止
historical 0: 변경 이력 | 히스토리
planned 0: todo/todos/unfinished/queued/planned/roadmap/future/pending/backlog/proposal/proposed/proposals/upcoming
planned 0: to do | not yet
planned 0: recommendation/recommendations/suggestion/suggestions/opportunities/ideas | next steps
planned 0: follow ups/up
planned 0: open questions/items/tasks | nächste schritte | prochaines étapes | próximos pasos | план/планы
planned 0: 待办 | 今後 | 예정
negated 0: missing/unsupported | not supported/implemented/available | out of scope | non goals
prohibited 0: never/forbidden/prohibited | do/does not | don'ts | anti patterns
hedged 0: example/examples/beispiel/beispiele/exemple/exemples/ejemplo/ejemplos/примеры | 示例 | 例
"""

# Notes in a directory of such a name are kept, but not kept up.
ARCHIVES = "archive archives archived archiv history historical old obsolete deprecated superseded done"
# A file with one of these names and a date is a record of that day.
REPORTS = (
    "review audit report findings scan session log analysis retro retrospective standup meeting postmortem incident"
    " status state snapshot summary notes bericht rapport informe"
)
# Set apart at the top of a file, each marks the whole file as history.
BANNERS = (
    "resolved superseded obsolete archived deprecated outdated historical retired stale erledigt veraltet résolu"
    " obsolète resuelto obsoleto решено устарело 已解决 已废弃 已过时 已归档 解決済み 廃止 해결됨 폐기"
)
# Labels of paragraphs that report a past event.
ACCOUNTS = (
    "(?:first |last )?(?:seen|observed|reported)|discovered|encountered|root causes?|symptoms?|what happened"
    "|what went wrong|commits?|ursache|symptome|cause racine|causa raíz|síntomas?|причина|симптомы|根因|根本原因|症状"
    "|现象|原因|원인|증상"
)
# A claim behind one of these is about another repository, and so is one right before it: "`x` in target repos".
ELSEWHERE = """\
other/another/sibling/target/consumer/consuming/downstream/separate/external/different/upstream repo/repos/repository
other/another/sibling/target/consumer/consuming/downstream/separate/external/different repositories/project/projects
upstream's | in upstream | anderen/anderes/anderem repo/repository/projekt
autre dépôt/projet | otro repositorio/proyecto | другом/другой репозитории/репозиторий/проекте
其他仓库 | 另一个仓库 | 別のリポジトリ | 다른 저장소
"""
# A hexadecimal number right behind one of these is no commit.
NOT_COMMITS = "image images digest container layer build run session trace request task job checksum md5 etag token"
# Before "commit", each refers to another repository.
STRANGE_COMMITS = "at sibling external upstream other another pinned their foreign"
# A hexadecimal number beside one of these, in its sentence, is a commit.
COMMIT_WORDS = """\
commit/commits/committed/sha/revision/rev/reverted/reverts/revert/merged/merge/introduced/cherry/bisect/hash/since
fixed/landed/shipped/added/removed/done/changed/implemented/resolved in/by/at/with
branch/branched/head/pr | behoben/seit/depuis/desde/коммит/коммите/коммита/коммитом | 提交 | コミット | 커밋
"""
# With a number, a stage of work.
UNITS = (
    "phases? story stories epics? tasks? stages? sprints? slices? waves? issues? tickets? weeks? sessions? milestones?"
    " iterations? bugs? cycles? rounds? runs? batch étape fase etapa фаза этап 阶段 フェーズ 단계"
)
# As the first or last word of a name or heading: about work to do, or that was done.
PAPERS = (
    "plan plans design proposal rfc roadmap audit review report findings investigation diagnosis postmortem retro"
    " handoff closeout results summary analysis tasks actions recommendations backlog progress"
    " fix fixes bugfix hotfix"
)
# In a title, each marks the text below it as finished.
ENDED = (
    "completed finished fixed shipped delivered deliverables landed merged implemented resolved"
    " abgeschlossen terminé completado завершено закрыто 已完成 完了 완료"
)
# Words for the past, or for what was new at the time of writing.
PAST = (
    "was were had did new legacy introduced added fixed removed created moved replaced changed"
    " updated modified renamed deleted failed tried hit needed wurde wurden hatte était avait fue era novo foi"
    " новый новая новое новые"
)
