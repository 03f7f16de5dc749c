import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVENTS, type EventName, type PortablePayload } from '@piton/contracts';
import type { BedStep, Workspace } from '@piton/testing';
import { ALL_CELLS, type Cell, nameOf, tokenOf } from './cells.ts';
import { shell } from './setup.ts';

/**
 * The same hooks for every agent, byte for byte: one in the directory of each event. It notes that it ran, and says what the
 * name of a cell in its payload tells it to say. Events without such a name in them look for a file of that name in `on`.
 */
export function writeHooks(workspace: Workspace): void {
  workspace.write(join(workspace.state, 'on', '.keep'), '');
  workspace.write(join(receivedIn(workspace), '.keep'), '');
  for (const event of EVENTS) {
    workspace.writeProgram(join(workspace.repo, '.piton', 'hooks', event.replaceAll('_', '-'), '10-story'), programOf(event));
  }
}

/** Lets the hooks of these cells speak; `once` only the first time. */
export function switchOn(workspace: Workspace, cell: Cell, times: 'once' | 'always'): void {
  workspace.write(join(workspace.state, 'on', nameOf(cell)), times);
}

/** Hooks of the session's end may run after the agent itself has ended: they get a moment. */
export const lastHook = (workspace: Workspace): BedStep =>
  shell(
    'wait for the last hook',
    `for i in $(seq 50); do grep -q session_end '${join(workspace.state, 'fired')}' && exit 0; sleep 0.1; done; exit 0`,
  );

const receivedIn = (workspace: Workspace): string => join(workspace.state, 'received');

/** What the hooks read on their standard input, in order. One that was killed leaves half of it. */
export const payloadsReceived = (workspace: Workspace): PortablePayload[] =>
  readdirSync(receivedIn(workspace))
    .sort()
    .map((name) => readFileSync(join(receivedIn(workspace), name), 'utf8'))
    .filter((text) => text.endsWith('}'))
    .map((text) => JSON.parse(text) as PortablePayload);

/** The events whose hooks ran, in order. */
export const firedIn = (workspace: Workspace): EventName[] =>
  (workspace.read(join(workspace.state, 'fired')) ?? '').split('\n').filter(Boolean) as EventName[];

const SWITCHED: ReadonlySet<EventName> = new Set([
  'session_start',
  'session_end',
  'subagent_start',
  'subagent_stop',
  'stop',
  'stop_failure',
  'pre_compact',
  'post_compact',
  'notification',
]);

const answerOf = (cell: Cell): string => {
  const text = `${tokenOf(cell)} says the hook`;
  if (cell.decision === 'replace') return answerWith({ decision: 'replace', content: text });
  if (cell.decision === 'rewrite')
    return SHAPED.has(cell.event) ? rewritten(cell, text) : answerWith({ decision: 'rewrite', output: text });
  if (cell.decision === 'modify') return MODIFY;
  return answerWith({ decision: cell.decision, reason: text });
};

const answerWith = (answer: object): string => `cat <<'ANSWER'\n${JSON.stringify(answer)}\nANSWER`;

/** The input that it was given, with another word in it. */
const MODIFY = `printf '%s' "$input" | node -e '
const changed = JSON.stringify(JSON.parse(require("fs").readFileSync(0, "utf8")).tool_input).replaceAll("before", "after");
console.log(JSON.stringify({ decision: "modify", input: JSON.parse(changed) }));'`;

/** What Piton derives from its own deny is no proof of what the agent reports. */
const DERIVED = `case "$input" in *'"derived":true'*) exit 0 ;; esac`;

/** A new output in the shape of the tool's own: some agents take no other. */
const SHAPED: ReadonlySet<EventName> = new Set(['post_file_edit', 'todo_update']);
const rewritten = (cell: Cell, text: string): string => `printf '%s' "$input" | node -e '
const was = JSON.parse(require("fs").readFileSync(0, "utf8")).tool_response;
const now = JSON.stringify(was ?? "").replaceAll("${nameOf(cell)}", "${text}");
const output = now.includes("${text}") ? JSON.parse(now) : "${text}";
console.log(JSON.stringify({ decision: "rewrite", output }));'`;

function programOf(event: EventName): string {
  const cells = ALL_CELLS.filter((cell) => cell.event === event);
  const branch = (cell: Cell): string =>
    SWITCHED.has(event)
      ? `if [ -e "$state/on/${nameOf(cell)}" ]; then
[ "$(cat "$state/on/${nameOf(cell)}")" = always ] || rm "$state/on/${nameOf(cell)}"
${answerOf(cell)}
exit 0
fi`
      : `case "$input" in *${nameOf(cell)}*)
${answerOf(cell)}
exit 0
esac`;
  return [
    '#!/bin/sh',
    'state="$HOME/../state"',
    'input=$(cat)',
    DERIVED,
    'echo "$PITON_EVENT" >> "$state/fired"',
    // A name of its own for each, in their order, and no process for it: there are hundreds.
    'printf "%s" "$input" > "$state/received/$PITON_EVENT_ID.$PITON_EVENT.$$"',
    ...cells.map(branch),
    '',
  ].join('\n');
}
