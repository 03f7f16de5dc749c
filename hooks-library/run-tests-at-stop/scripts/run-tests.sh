#!/bin/sh
# Runs the tests once per state of the files. Exit 2 makes the agent continue, with the text on stderr.
set -u
cat > /dev/null
# As packages/git does it. Git reads a directory of ours with settings of ours: nothing that the repository's configuration names is run.
ask_git() {
  PATH=$trusted GIT_OPTIONAL_LOCKS=0 GIT_TERMINAL_PROMPT=0 GIT_ASKPASS=true GIT_NO_LAZY_FETCH=1 GIT_PAGER=cat command git \
    -c core.hooksPath=/dev/null -c hook.reference-transaction.enabled=false -c hook.post-index-change.enabled=false \
    -c core.fsmonitor=false -c gc.auto=0 -c maintenance.auto=false -c protocol.allow=never -c core.quotePath=false \
    -c color.ui=false "$@" 2> /dev/null
}
git() (
  export GIT_DIR="$git_dir" GIT_COMMON_DIR="$closed" GIT_WORK_TREE="$tree" GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
  ask_git "$@"
)

# PATH without what a repository may fill: what lies in a working tree, and what depends on where we are.
trusted=$(
  set -f
  IFS=:
  for entry in $PATH; do
    case $entry in /*) ;; *) continue ;; esac
    at=$entry
    while [ -n "$at" ] && [ ! -e "$at/.git" ]; do at=${at%/*}; done
    [ -n "$at" ] || printf '%s:' "$entry"
  done
)
trusted=${trusted%:}

# The repository around us; fails where there is none.
close_git() {
  git_dir=$(ask_git rev-parse --absolute-git-dir) || return 1
  common=$(ask_git rev-parse --path-format=absolute --git-common-dir) || return 1
  tree=$(ask_git rev-parse --show-toplevel) && [ -n "$tree" ] || return 1
  cache=${XDG_CACHE_HOME:-$HOME/.cache}/piton
  closed=$({ mkdir -p -- "$cache" && mktemp -d "$cache/git-XXXXXX"; } 2> /dev/null || mktemp -d) || return 1
  trap 'rm -rf -- "$closed"' EXIT
  trap 'exit 1' HUP INT TERM
  for name in HEAD index refs packed-refs reftable objects info logs shallow worktrees; do ln -s -- "$common/$name" "$closed/$name"; done
  : > "$closed/config"
  ask_git config --get-regexp '^(core\.(repositoryformatversion|filemode|symlinks|ignorecase|precomposeunicode|autocrlf|eol|excludesfile|sparsecheckout|sparsecheckoutcone)|extensions\.(objectformat|refstorage))$' \
    | while read -r key value; do ask_git config --file "$closed/config" --add "$key" "${value:-true}"; done
}
close_git || exit 0
root=$tree
cd -- "$root" || exit 0

# A checksum over what is committed, changed and new.
state() {
  {
    git rev-parse -q --verify HEAD
    git diff HEAD --no-ext-diff --ignore-submodules=dirty
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
if [ ! -f "$file" ] && [ -z "$(git status --porcelain --ignore-submodules=dirty)" ]; then
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
