import { type ConfinedLine, type PortableHook, RUNTIME_CWD, RUNTIME_HOME } from '@piton/contracts';
import type { Pieces } from './answers.ts';

/** What the script does at one native event. */
export interface ScriptEvent {
  readonly native: string;
  /** Exit 2, by the tool: the first whose pattern is found in the payload counts, null is every tool. */
  readonly block: readonly { readonly payload: string | null; readonly pieces: Pieces | null }[];
  /** Plain text; null where it reaches nobody. */
  readonly context: Pieces | null;
  readonly nothing: string;
}

export interface Script {
  readonly agent: string;
  readonly title: string;
  readonly hook: PortableHook;
  readonly events: readonly ScriptEvent[];
  /** What the payload must hold, for `grep -E`; empty is anything; null: nobody needs to look. */
  readonly filter: string | null;
  readonly quietCrash: boolean;
  /** For a dispatcher that reads the exit code: 2 is a block. */
  readonly exitsOnBlock?: boolean;
}

export const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
/** Names and versions are somebody's text: they stay on the line of their comment. */
export const inComment = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?');

const JSON_TEXT = `# A text as the inside of a JSON string.
json() {
  LC_ALL=C tr '\\t' ' ' | LC_ALL=C tr -d '\\000-\\010\\013-\\037\\177' | LC_ALL=C sed 's/\\\\/\\\\\\\\/g; s/"/\\\\"/g' | awk '{ printf "%s%s", sep, $0; sep = "\\\\n" }'
}`;

/** A POSIX shell script that runs the hook's action and says what came of it in the agent's own form. */
export function runScript(script: Script): string {
  const { hook, agent, title } = script;
  const head = `#!/bin/sh
# ${inComment(hook.name)} ${inComment(hook.version)}, written for ${title} by piton materialize. It runs without Piton.
# Please do not edit: piton materialize writes it anew, and with --remove takes it away.
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd -P) || exit 1
event=\${1:-}
PITON_ARTIFACT_DIR=$here/artifact PITON_AGENT=${agent} PITON_EVENT=${hook.event}
export PITON_ARTIFACT_DIR PITON_AGENT PITON_EVENT
`;
  return `${head}\n${[runFunction(hook), filterPart(script), hook.native ? `${piped(script)}run\n` : hook.observe ? observing(script) : answering(script)].filter(Boolean).join('\n')}`;
}

function runFunction({ confinement }: PortableHook): string {
  if (confinement === null) return `run() {\n  /bin/sh "$here/action.sh"\n}\n`;
  return confinedRun(confinement);
}

/** A profile that hides HOME would show all of it to a hook that works there. */
const SEES_NO_HOME = `  if [ "$PWD" = "$HOME" ] || [ "$project" = "$HOME" ]; then
    echo "this hook works in HOME itself, so it would see all of it" >&2
    return 126
  fi
`;

/** The same command line that Piton would make, from what is known only now: where the agent works. The system's own program goes first. */
function confinedRun({ head, bind, hidden, tail }: ConfinedLine): string {
  const words = (line: readonly string[]): string => line.map(word).join(' ');
  const [confiner = '', ...options] = head;
  return `# Confined as its sandbox_profile says. What cannot be confined does not run.
run() {
  confiner=$(command -p -v ${word(confiner)} || command -v ${word(confiner)}) && [ "$HOME" != / ] || {
    echo "this hook must be confined, and ${confiner} is not here" >&2
    return 126
  }
  project=$(git -C "$PWD" rev-parse --show-toplevel 2> /dev/null) || project=$PWD
${hidden.includes(RUNTIME_HOME) ? SEES_NO_HOME : ''}  set -- "$confiner" ${words(options)}
  shown=
  for path in "$PWD" "$project" "$here"; do
    for place in ${words(hidden)}; do
      case "$path/" in
      "$place"/*)
        case "$shown" in *"|$path|"*) continue ;; esac
        shown="$shown|$path|"
        set -- "$@" ${word(bind)} "$path" "$path"
        ;;
      esac
    done
  done
  "$@" ${words(tail)} /bin/sh "$here/action.sh"
}
`;
}

const word = (text: string): string =>
  text === RUNTIME_HOME ? '"$HOME"' : text === RUNTIME_CWD ? '"$PWD"' : /^[\w./:=-]+$/.test(text) ? text : quote(text);

/** Where the agent has no matcher the script looks for itself, and rather runs once too often. */
function filterPart({ filter, events }: Script): string {
  if (filter === null) return '';
  const read = `payload=$(cat)
has() {
  printf '%s' "$payload" | grep -Eq "$1"
}
`;
  if (filter === '') return read;
  return `${read}has ${quote(filter)} || {
${printed([events[0]?.nothing ?? ''], '', '  ')}  exit 0
}
`;
}

const piped = ({ filter }: Script): string => (filter === null ? '' : `printf '%s\\n' "$payload" 2> /dev/null | `);

const observing = (script: Script): string => `# It only watches: nothing that it says or does reaches the agent.
${piped(script)}run > /dev/null 2>&1
${printed([script.events[0]?.nothing ?? ''], '', '')}exit 0
`;

function answering(script: Script): string {
  const { hook, events, quietCrash, exitsOnBlock } = script;
  return `${JSON_TEXT}

# In the agent's own form: that there is nothing to say, that it must not be done, a text for the model.
nothing() {
${perEvent(events, ({ nothing }) => printed([nothing], '', '    '))}}
block() {
${perEvent(events, (event) => blockText(event))}}
context() {
${perEvent(events, ({ context, nothing }) => printed(context ?? [nothing], '"$1"', '    '))}}

newline='
'
# One line after what it printed: its exit code, and what it wrote to stderr.
result=$(
  exec 3>&1
  said=$(${piped(script)}run 2>&1 >&3 3>&-)
  status=$?
  printf '\\n%s %s' "$status" "$(printf '%s' "$said" | json)"
)
last=\${result##*"$newline"}
out=\${result%"$newline"*}
status=\${last%% *}
reason=\${last#* }

case $status in
0)
  case $(printf '%s' "$out" | tr -d ' \\t\\r\\n' | cut -c 1) in
  '{') printf '%s' "$out" ;;
  '') nothing ;;
  *) ${hook.injectOutput === false ? 'nothing' : 'context "$(printf \'%s\' "$out" | json)"'} ;;
  esac
  ;;
2)
  block "\${reason:-${inComment(hook.name).replace(/["\\$`]/g, '?')} gave no reason}"
${exitsOnBlock ? '  exit 2\n' : ''}  ;;
*)
${crashed(script, quietCrash)}  ;;
esac
`;
}

function crashed({ hook, exitsOnBlock }: Script, quiet: boolean): string {
  const name = inComment(hook.name).replace(/["\\$`]/g, '?');
  if (hook.failClosed)
    return `  # fail_closed: what cannot answer denies.\n  block "${name} failed with exit code $status: $reason"\n${exitsOnBlock ? '  exit 2\n' : ''}`;
  if (quiet) return '  nothing\n';
  return `  printf '%s\\n' "${name} failed with exit code $status: $reason" >&2\n  exit 1\n`;
}

const perEvent = (events: readonly ScriptEvent[], body: (event: ScriptEvent) => string): string =>
  `  case $event in\n${events.map((event) => `  ${event.native})\n${body(event)}    ;;\n`).join('')}  esac\n`;

function blockText({ block, nothing }: ScriptEvent): string {
  const lines = block.map(({ payload, pieces }, at) => {
    const text = printed(pieces ?? [nothing], '"$1"', payload === null && at === 0 ? '    ' : '      ');
    if (payload === null) return at === 0 ? text : `    else\n${text}    fi\n`;
    return `    ${at === 0 ? 'if' : 'elif'} has ${quote(payload)}; then\n${text}`;
  });
  const open = block.length > 0 && block.at(-1)?.payload !== null;
  return lines.join('') + (open ? '    fi\n' : '');
}

function printed(pieces: Pieces, text: string, indent: string): string {
  if (pieces.length === 1 && pieces[0] === '') return `${indent}:\n`;
  return `${indent}printf '%s\\n' ${pieces.map(quote).join(text)}\n`;
}
