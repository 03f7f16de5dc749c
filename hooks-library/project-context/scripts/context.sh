#!/bin/sh
# What somebody new to this project would read first. Text on stdout goes into the model's context.
set -u
cat > /dev/null
root=${PITON_REPO:-${PITON_CWD:-$PWD}}
cd -- "$root" || exit 0
# As in packages/git: nothing that the repository's configuration names is run.
git() {
  GIT_OPTIONAL_LOCKS=0 GIT_TERMINAL_PROMPT=0 GIT_ASKPASS=true GIT_NO_LAZY_FETCH=1 GIT_PAGER=cat command git \
    -c core.hooksPath=/dev/null -c hook.reference-transaction.enabled=false -c hook.post-index-change.enabled=false \
    -c core.fsmonitor=false -c gc.auto=0 -c maintenance.auto=false -c protocol.allow=never -c core.quotePath=false \
    -c color.ui=false "$@" 2> /dev/null
}

about_git() {
  git rev-parse --git-dir > /dev/null || return 0
  printf 'Branch: %s\n' "$(git symbolic-ref --quiet --short HEAD || echo 'none (detached)')"
  changed=$(git status --porcelain | head -n 31)
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

# Whole lines, 8 KB in all.
{ about_project; about_git; about_todo; } | awk '{ size += length($0) + 1; if (size > 8000) { print "…"; exit } print }'
exit 0
