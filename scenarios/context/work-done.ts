import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Sandbox } from '../first-day/sandbox.ts';

/** A session as a real agent played it, with `PITON_RECORD=1`, by scenarios/real-context/work.test.ts. */
export interface RecordedWork {
  readonly agent: string;
  readonly recordedWith: string;
  readonly steps: readonly { readonly event: string; readonly payload: Readonly<Record<string, unknown>> }[];
  /** Lines of the agent's transcript, where only that says how commands ended. */
  readonly transcript?: readonly { readonly payload: { readonly call_id?: string } }[];
}

export const workFile = (agent: string): string =>
  fileURLToPath(new URL(`../../packages/context/test/work/${agent}.json`, import.meta.url));

export const PROMPT = 'Mend the sum, and write down what changed.';
export const REASON = 'What was built stays.';
/** A hook on tools that denies what removes. */
export const GUARD = `#!/bin/sh
case "$PITON_TOOL_COMMAND" in *'rm -rf'*) echo '${REASON}' >&2; exit 2 ;; esac
`;

/** What was done in it, by hand: one line a fact, oldest first. */
export const DONE: readonly string[] = [
  'test failed',
  'wrote sum.js',
  'test passed',
  'wrote CHANGES.md',
  'ran git add -A && git commit -m "Mend the sum"',
  'committed Mend the sum',
  `denied rm -rf build: ${REASON}`,
  'lint failed',
];

/** The facts of a ledger, newest first, in the same words. */
export const wordsIn = (ledger: readonly Fact[], repo: string): string[] => ledger.toReversed().flatMap((fact) => wordsOf(fact, repo));

export interface Fact {
  readonly kind: string;
  readonly eventId: string;
  readonly [field: string]: unknown;
}

function wordsOf({ kind, ...fact }: Fact, repo: string): string[] {
  if (kind === 'file') return [`wrote ${String(fact.path).replace(`${repo}/`, '')}`];
  if (kind === 'commit') return [`committed ${fact.subject}`];
  if (kind === 'denial') return [`denied ${fact.what}: ${fact.reason}`];
  if (kind !== 'command') return [];
  if (fact.purpose === null) return [`ran ${fact.command}`];
  return [`${fact.purpose} ${fact.ok === null ? 'unknown' : fact.ok ? 'passed' : 'failed'}`];
}

/** The recording in this repository and this home. */
export function workIn(box: Sandbox, agent: string, repo: string): RecordedWork {
  const text = readFileSync(workFile(agent), 'utf8')
    .replaceAll('$REPO', repo)
    .replaceAll('$HOME', box.home)
    .replaceAll('$NAME_OF_REPO', repo.replace(/[^A-Za-z0-9]/g, '-'));
  return JSON.parse(text) as RecordedWork;
}

/** Sends an event as the agent does: by the installed forwarder. */
export function sendAs(box: Sandbox, agent: string, event: string, payload: object, cwd: string): Promise<string> {
  const forwarder = join(box.state, 'runtime', 'current', 'piton-forward');
  return new Promise((done, fail) => {
    const child = spawn(forwarder, [agent, event, 'user', '30000', '-'], { cwd, env: box.env, stdio: ['pipe', 'pipe', 'inherit'] });
    let answer = '';
    child.stdout.on('data', (chunk: Buffer) => (answer += chunk.toString('utf8')));
    child.on('error', fail);
    child.on('close', () => done(answer));
    child.stdin.end(JSON.stringify(payload));
  });
}
