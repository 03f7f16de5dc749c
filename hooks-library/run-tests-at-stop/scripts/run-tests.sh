#!/bin/sh
# Runs the tests once per state of the files. Exit 2 makes the agent continue, with the text on stderr.
set -u
cat > /dev/null
# As in packages/git: nothing that the repository's configuration names is run.
git() {
  GIT_OPTIONAL_LOCKS=0 GIT_TERMINAL_PROMPT=0 GIT_ASKPASS=true GIT_NO_LAZY_FETCH=1 GIT_PAGER=cat command git \
    -c core.hooksPath=/dev/null -c hook.reference-transaction.enabled=false -c hook.post-index-change.enabled=false \
    -c core.fsmonitor=false -c gc.auto=0 -c maintenance.auto=false -c protocol.allow=never -c core.quotePath=false \
    "$@"
}
root=$(git rev-parse --show-toplevel 2> /dev/null) || exit 0
cd -- "$root" || exit 0

# A checksum over what is committed, changed and new.
state() {
  {
    git rev-parse -q --verify HEAD
    git diff HEAD --no-ext-diff
    git ls-files --others --exclude-standard -z | xargs -0 cksum
  } 2> /dev/null | cksum
}

# Scripts are run by the package manager of the lock file.
manager() {
  if [ -f pnpm-lock.yaml ]; then echo pnpm
  elif [ -f yarn.lock ]; then echo yarn
  elif [ -f bun.lock ] || [ -f bun.lockb ]; then echo bun
  else echo npm; fi
}

test_command() {
  if [ -f .piton/test-command ]; then grep -v -e '^[[:space:]]*#' -e '^[[:space:]]*$' .piton/test-command | head -n 1
  elif [ -f package.json ] && grep -q '"test"[[:space:]]*:' package.json && ! grep -q 'no test specified' package.json; then echo "$(manager) run test"
  elif [ -f Cargo.toml ]; then echo 'cargo test --quiet'
  elif [ -f go.mod ]; then echo 'go test ./...'
  elif [ -f pytest.ini ] || { [ -f pyproject.toml ] && grep -q pytest pyproject.toml; }; then echo 'python3 -m pytest -q'
  elif [ -f Makefile ] && grep -q '^test[[:space:]]*:' Makefile; then echo 'make test'
  fi
}

command=$(test_command)
[ -n "$command" ] || exit 0
kept=${XDG_CACHE_HOME:-$HOME/.cache}/piton/run-tests-at-stop
mkdir -p -- "$kept" || exit 0
file=$kept/$(printf '%s' "$root" | cksum | tr -c '0-9\n' '-')
now=$(state)
[ -f "$file" ] && [ "$(cat -- "$file")" = "$now" ] && exit 0
# On the first run, with nothing changed, the agent cannot have broken anything.
if [ ! -f "$file" ] && [ -z "$(git status --porcelain)" ]; then
  printf '%s\n' "$now" > "$file"
  exit 0
fi

output=$(CI=1 sh -c "$command" 2>&1 < /dev/null)
code=$?
# Tests may write files: the state after them counts.
state > "$file"
[ "$code" -eq 0 ] && exit 0
{
  printf 'The tests fail (%s, exit code %s). Repair what you broke, then finish. The end of the output:\n\n' "$command" "$code"
  printf '%s\n' "$output" | tail -n 60 | tail -c 6000
} >&2
exit 2
