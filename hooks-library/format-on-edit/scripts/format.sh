#!/bin/sh
# Formats each edited file with the formatter that its project configures. If that fails, the edit stays.
set -u
cat > /dev/null
root=${PITON_REPO:-${PITON_CWD:-$PWD}}

# The nearest directory, from $1 up to the root, with a file of one of the other names.
nearest() {
  at=$1
  shift
  while :; do
    for name in "$@"; do
      [ -e "$at/$name" ] && printf '%s\n' "$at" && return 0
    done
    [ "$at" = "$root" ] || [ "$at" = / ] || [ "$at" = . ] && return 1
    at=$(dirname -- "$at")
  done
}

# A program from the project, or one on PATH.
program() {
  own=$(nearest "$directory" "node_modules/.bin/$1") && printf '%s\n' "$own/node_modules/.bin/$1" && return 0
  command -v "$1"
}

with_biome() {
  nearest "$directory" biome.json biome.jsonc > /dev/null && tool=$(program biome) || return 1
  "$tool" format --write --no-errors-on-unmatched "$file"
}

with_prettier() {
  nearest "$directory" .prettierrc .prettierrc.json .prettierrc.yaml .prettierrc.yml .prettierrc.js .prettierrc.cjs .prettierrc.mjs \
    .prettierrc.toml prettier.config.js prettier.config.cjs prettier.config.mjs prettier.config.ts > /dev/null ||
    { place=$(nearest "$directory" package.json) && grep -q '"prettier"[[:space:]]*:[[:space:]]*[{"]' "$place/package.json"; } || return 1
  tool=$(program prettier) || return 1
  "$tool" --write --ignore-unknown --log-level silent "$file"
}

with_ruff() {
  nearest "$directory" ruff.toml .ruff.toml > /dev/null || configured '\[tool\.ruff' || return 1
  tool=$(program ruff) && "$tool" format --quiet "$file"
}

with_black() {
  configured '\[tool\.black' && tool=$(program black) && "$tool" --quiet "$file"
}

configured() {
  place=$(nearest "$directory" pyproject.toml) && grep -q "^$1" "$place/pyproject.toml"
}

with_rustfmt() {
  place=$(nearest "$directory" Cargo.toml) && tool=$(program rustfmt) || return 1
  edition=$(sed -n 's/^edition[[:space:]]*=[[:space:]]*"\([0-9]*\)".*/\1/p' "$place/Cargo.toml" | head -n 1)
  "$tool" --edition "${edition:-2021}" "$file"
}

format() {
  case $file in
    *.js | *.jsx | *.mjs | *.cjs | *.ts | *.tsx | *.mts | *.cts | *.json | *.jsonc | *.css | *.graphql) with_biome || with_prettier ;;
    *.html | *.vue | *.svelte | *.astro | *.scss | *.less | *.md | *.mdx | *.yaml | *.yml) with_prettier ;;
    *.py | *.pyi) with_ruff || with_black ;;
    *.go) nearest "$directory" go.mod > /dev/null && tool=$(program gofmt) && "$tool" -w "$file" ;;
    *.rs) with_rustfmt ;;
    *.c | *.cc | *.cpp | *.cxx | *.h | *.hh | *.hpp | *.m | *.mm | *.proto)
      nearest "$directory" .clang-format _clang-format > /dev/null && tool=$(program clang-format) && "$tool" -i "$file" ;;
    *.sh | *.bash) nearest "$directory" .editorconfig > /dev/null && tool=$(program shfmt) && "$tool" -w "$file" ;;
  esac
}

printf '%s\n' "${PITON_TOOL_FILES:-}" | while IFS= read -r file; do
  case $file in '') continue ;; /*) ;; *) file=${PITON_CWD:-$PWD}/$file ;; esac
  [ -f "$file" ] && [ ! -L "$file" ] || continue
  directory=$(dirname -- "$file")
  tool=
  before=$(cksum < "$file")
  (cd -- "$directory" && format) > /dev/null 2>&1 < /dev/null
  [ "$before" = "$(cksum < "$file")" ] || printf '%s was formatted: read it again before you edit it.\n' "$file"
done
exit 0
