import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BedStep, claudeDriver, createWorkspace, type Facts, recorded, runAgent, type Story, type Workspace } from '@piton/testing';
import { onTestFinished } from 'vitest';

const CLI = fileURLToPath(new URL('../../dist/cli.mjs', import.meta.url));

/** Where Piton keeps and reads its things in a workspace, as the README tells people. */
export const configOf = (workspace: Workspace): string => join(workspace.home, '.config', 'piton');
export const stateOf = (workspace: Workspace): string => join(workspace.home, '.local', 'state', 'piton');

/** A workspace in which Claude Code is known and Piton is not yet. */
export function newStage(): Workspace {
  if (!existsSync(CLI)) throw new Error(`${CLI} is not built: run npm run build`);
  const workspace = createWorkspace();
  if (process.env.PITON_KEEP_ROOMS) console.warn(`workspace kept: ${workspace.root}`);
  else onTestFinished(() => workspace.remove());
  claudeDriver.prepare(workspace);
  return workspace;
}

/** The command, as a step inside the run. */
export const piton = (...args: readonly string[]): BedStep => ({
  name: ['piton', ...args].join(' '),
  argv: [process.execPath, CLI, ...args],
});

export const shell = (name: string, line: string): BedStep => ({ name, argv: ['sh', '-c', line] });

/** What `piton init` registers, by Claude Code's names. */
export const REGISTERED = [
  'SessionStart',
  'SessionEnd',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'PermissionDenied',
  'SubagentStart',
  'SubagentStop',
  'Stop',
  'StopFailure',
  'PreCompact',
  'PostCompact',
  'Notification',
];

/** A hook for every project of this user. */
export function addUserHook(workspace: Workspace, event: string, program: string, name = 'hook'): void {
  workspace.writeProgram(join(configOf(workspace), 'hooks', event, name), program);
}

/** A hook that comes with the repository; it runs once it is trusted. */
export function addProjectHook(workspace: Workspace, event: string, program: string, name = 'hook'): void {
  workspace.writeProgram(join(workspace.repo, '.piton', 'hooks', event, name), program);
}

/** A hook that says one thing, and leaves a line in `log` each time it runs. */
export function saying(workspace: Workspace, log: string, answer: object | string): string {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  return `#!/bin/sh\ncat > /dev/null\necho ran >> ${join(workspace.state, log)}\ncat <<'ANSWER'\n${text}\nANSWER\n`;
}

/** How often a hook that writes to `log` has run. */
export const runsOf = (workspace: Workspace, log: string): number =>
  (workspace.read(join(workspace.state, log)) ?? '').split('\n').filter(Boolean).length;

/** Claude Code with Piton installed for the user. A step that fails is a broken test, not a finding. */
export async function runWithPiton(workspace: Workspace, story: Story): Promise<Facts> {
  const before = [piton('init', '--agent', 'claude', '--yes'), ...(story.before ?? [])];
  const facts = await runAgent(claudeDriver, workspace, { ...story, before });
  for (const step of before) {
    const { exit, stdout, stderr } = facts.step(step.name);
    if (exit !== 0) throw new Error(`${step.name} ended with ${exit}\n${stdout}\n${stderr}`);
  }
  return facts;
}

/** Kills every process of the run whose command line names Piton's server, and says how many. */
export const killServer = (name = 'kill the server'): BedStep =>
  shell(
    name,
    `n=0
for p in /proc/[0-9]*; do
  if tr '\\0' ' ' < $p/cmdline 2>/dev/null | grep -q 'server\\.cjs'; then kill -9 "\${p#/proc/}" && n=$((n+1)); fi
done
echo $n`,
  );

/** One event as `piton events show --json` prints it. */
export interface StoredEvent {
  readonly event: string;
  readonly nativeEvent: string;
  readonly derived: boolean;
  readonly late: boolean;
  readonly depth: number;
  readonly decision: string | null;
  readonly envelope: Readonly<Record<string, unknown>> & { readonly payload: unknown };
}

const DUMP = `
const { execFileSync } = require('node:child_process');
const [cli] = process.argv.slice(1);
const piton = (...args) => JSON.parse(execFileSync(process.execPath, [cli, ...args, '--json'], { encoding: 'utf8' }));
const list = () => piton('events', 'list', '--limit', '1000');
// Events are answered first and stored a moment later: wait until the session has ended and nothing more comes.
const until = Date.now() + 20000;
let listed = list();
for (;;) {
  const before = listed.length;
  listed = list();
  const ended = listed.some((event) => event.nativeEvent === 'SessionEnd' && event.depth === 0);
  if (Date.now() > until || (ended && listed.length === before)) break;
}
process.stdout.write(JSON.stringify(listed.map(({ eventId }) => piton('events', 'show', eventId))));
`;

/** Reads back all that is stored, by the command. */
export const readEvents: BedStep = { name: 'read events', argv: [process.execPath, '-e', DUMP, CLI] };

export function storedEvents(facts: Facts): readonly StoredEvent[] {
  const { exit, stdout, stderr } = facts.step(readEvents.name);
  if (exit !== 0) throw new Error(`the events could not be read: ${stdout}\n${stderr}`);
  return JSON.parse(stdout) as readonly StoredEvent[];
}

/** What is stored of what the agent sent, in a form that can be compared with a recorder's. */
export const livePayloads = (events: readonly StoredEvent[]): string[] =>
  events
    .filter((event) => !event.derived)
    .map((event) => `${event.nativeEvent} ${JSON.stringify(event.envelope.payload)}`)
    .sort();
export const recordedPayloads = (workspace: Workspace): string[] =>
  recorded(workspace)
    .map((call) => `${call.event} ${JSON.stringify(call.payload)}`)
    .sort();
