#!/bin/sh
# What somebody new to this project would read first. Text on stdout goes into the model's context.
set -u
cat > /dev/null
root=${PITON_REPO:-${PITON_CWD:-$PWD}}
cd -- "$root" || exit 0
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

about_git() {
  printf 'Branch: %s\n' "$(git symbolic-ref --quiet --short HEAD || echo 'none (detached)')"
  changed=$(git status --porcelain --ignore-submodules=dirty | head -n 31)
  if [ -n "$changed" ]; then
    printf 'Uncommitted:\n%s\n' "$(printf '%s\n' "$changed" | head -n 30)"
    [ "$(printf '%s\n' "$changed" | wc -l)" -gt 30 ] && echo '…'
  else
    echo 'Uncommitted: nothing'
  fi
  commits=$(git log --no-decorate --format='%h %s' -n 5) && [ -n "$commits" ] && printf 'Last commits:\n%s\n' "$commits"
}

about_todo() {
  for file in TODO.md TODO todo.md; do
    [ -f "$file" ] || continue
    open=$(grep -v -i -e '^[[:space:]]*[-*][[:space:]]*\[x\]' -- "$file" | grep -v '^[[:space:]]*$' | head -n 20)
    [ -n "$open" ] && printf 'Open in %s:\n%s\n' "$file" "$open"
    return 0
  done
}

about_project() {
  [ -f .piton/context.md ] && [ ! -L .piton/context.md ] && printf 'From .piton/context.md:\n' && cat .piton/context.md
}

close_git || closed=
# Whole lines, 8 KB in all.
{ about_project; [ -z "$closed" ] || about_git; about_todo; } | awk '{ size += length($0) + 1; if (size > 8000) { print "…"; exit } print }'
exit 0
