/**
 * Cline reads one answer from a file, and the file has the name of its event: several hooks stand in it line by line, and
 * a refusal of one counts before whatever another said.
 */
const HEAD = `#!/bin/bash
# Hooks written by piton materialize: one a line, each in its folder. They run without Piton.
# Please do not edit: piton materialize writes it anew, and with --remove takes a line away.
hooks=$(CDPATH= cd -- "$(dirname -- "$0")/../piton-hooks" && pwd -P) || exit 0
payload=$(cat) answer= refusal=
hear() {
  [ -x "$hooks/$1/run.sh" ] || return 0
  said=$(printf '%s\\n' "$payload" | "$hooks/$1/run.sh" "$2")
  if [ $? -eq 2 ]; then refusal=\${refusal:-$said}; elif [ "$said" != '{}' ]; then answer=\${answer:-$said}; fi
}
`;
const TAIL = `[ -n "$refusal" ] || refusal=\${answer:-'{}'}
printf '%s\\n' "$refusal"
`;

const lineOf = (id: string, event: string): string => `hear ${id} ${event}`;

/** Undefined where somebody else wrote the file. */
export function addHook(text: string | null, id: string, event: string): string | undefined {
  const lines = text === null ? [] : linesIn(text);
  if (lines === undefined) return undefined;
  return written(lines.includes(lineOf(id, event)) ? lines : [...lines, lineOf(id, event)]);
}

/** Null where nothing remains. */
export function removeHook(text: string, id: string): string | null {
  const lines = linesIn(text);
  if (lines === undefined) return text;
  const kept = lines.filter((line) => line.split(' ')[1] !== id);
  return kept.length === 0 ? null : written(kept);
}

const written = (lines: readonly string[]): string => `${HEAD}${lines.map((line) => `${line}\n`).join('')}${TAIL}`;

function linesIn(text: string): string[] | undefined {
  if (!text.startsWith(HEAD) || !text.endsWith(TAIL)) return undefined;
  return text.slice(HEAD.length, -TAIL.length).split('\n').filter(Boolean);
}
