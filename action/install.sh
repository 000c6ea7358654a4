#!/usr/bin/env bash
# Make an environment for the memci of this very checkout, and a directory for what the stages hand on.
# memci itself is not built: the stages import it from the checkout. What it needs comes by hash, as wheels, so that
# nothing runs here that was not there when the lock was made.
set -euo pipefail

case "$GHA_MEMCI_COMMAND" in
  dream | check | plan | bundle | validate | publish) ;;
  *)
    echo "::error title=memci::the input command is none of dream, check, plan, bundle, validate and publish"
    exit 2
    ;;
esac

lock="$GITHUB_ACTION_PATH/action/requirements.txt"
python="$GHA_MEMCI_PYTHON"
if [ -z "$python" ]; then
  base="$GHA_MEMCI_SETUP_PYTHON"
  # Another version of the action, or of Python, in the same job gets an environment of its own.
  venv="$RUNNER_TEMP/memci-venv-$(printf '%s %s' "$GITHUB_ACTION_PATH" "$base" | cksum | cut -d ' ' -f 1)"
  python="$venv/bin/python"
  if [ ! -e "$venv/memci-ready" ]; then
    if command -v uv > /dev/null; then
      # The settings of the repository are not ours: they could name another package index.
      uv venv --no-config --quiet --python "${base:->=3.11}" "$venv"
      uv pip install --no-config --quiet --python "$python" --require-hashes --only-binary :all: -r "$lock"
    else
      base="${base:-python3}"
      if ! "$base" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
        echo "::error title=memci::memci needs Python 3.11 or newer; set the input python-version, such as 3.13"
        exit 2
      fi
      "$base" -m venv "$venv"
      "$python" -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r "$lock"
    fi
    touch "$venv/memci-ready"
  fi
fi

if ! PYTHONPATH="$GITHUB_ACTION_PATH" "$python" -P -m memci --version; then
  echo "::error title=memci::the Python that the action was given lacks what memci needs, or is older than 3.11"
  exit 2
fi

# No dot at the beginning: what uploads artifacts leaves hidden files out.
out="$(mktemp -d "$RUNNER_TEMP/memci-out-XXXXXXXX")"
printf 'python=%s\nout=%s\n' "$python" "$out" >> "$GITHUB_OUTPUT"
