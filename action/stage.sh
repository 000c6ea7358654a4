#!/usr/bin/env bash
# Run one stage of the action without the secrets of the others, wherever the job got them from.
set -euo pipefail

stage="$1"

# Not with unset: some runners give every input to every step, under names that are none to a shell.
drop=()
while IFS= read -r -d '' entry; do
  name="${entry%%=*}"
  case "$name" in
    INPUT_*) drop+=(-u "$name") ;;
    GITHUB_TOKEN | GH_TOKEN | GITEA_TOKEN | GITLAB_TOKEN | MEMCI_TOKEN | G*_ENTERPRISE_TOKEN)
      [ "$stage" = publish ] || drop+=(-u "$name")
      ;;
    ANTHROPIC_* | CLAUDE_* | AWS_* | AZURE_* | GOOGLE_* | CLOUDSDK_* | CLOUD_ML_* | ACTIONS_ID_TOKEN_*)
      [ "$stage" = dream ] || drop+=(-u "$name")
      ;;
  esac
done < <(env -0)

if [ "$stage" = install ]; then
  exec env ${drop[@]+"${drop[@]}"} bash "$GITHUB_ACTION_PATH/action/install.sh"
fi
if [ -z "$GHA_MEMCI_PYTHON" ]; then
  # Only after an installation that failed: there is nothing to report, but outputs are always set.
  printf '%s\n' operation=none changed=false findings-count=0 errors-count=0 count=0 cost-usd=0 exit-code=2 \
    >> "$GITHUB_OUTPUT"
  exit 0
fi

# -P: nothing is imported from the directory that the job happens to be in.
export PYTHONPATH="$GITHUB_ACTION_PATH"
exec env ${drop[@]+"${drop[@]}"} "$GHA_MEMCI_PYTHON" -P -m action "$stage"
