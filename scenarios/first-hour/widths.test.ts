import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { COMMAND, eventually } from '@piton/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasTerminal, runOnTerminal } from '../docs/terminal.ts';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';

let box: Sandbox;
let work: string;

/** Hooks in every state, a turn with a denied call, and paths that are longer than a line. */
beforeAll(async () => {
  box = sandbox();
  work = box.repository('a-folder-with-a-long-name/and-another-one-inside-of-it/shop');
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=n@n', ...args], { cwd: work, env: box.env });
  box.write(join(work, 'cart.ts'), 'one\n');
  git('add', '-A');
  git('commit', '-qm', 'Begin with a subject that is a good deal longer than anybody should make one, and then some more');
  expect((await box.piton(['init', '--agent', 'claude,codex,gemini', '--yes'], { cwd: work })).code).toBe(0);
  const hooks = join(work, '.piton/hooks');
  box.write(
    join(hooks, 'pre-shell-execution/10-no-force-push-to-any-branch'),
    `#!/bin/sh\ngrep -q force && { echo "${'Do not rewrite what others may have pulled, '.repeat(6)}" >&2; exit 2; }\nexit 0\n`,
    0o755,
  );
  await box.piton(['trust', '--all', '--yes'], { cwd: work });
  box.write(join(hooks, 'pre-shell-execution/20-not-reviewed-by-anybody-yet'), '#!/bin/sh\n', 0o755);
  box.write(join(hooks, 'pre-shell-execution/30-not-executable'), '#!/bin/sh\n', 0o644);
  box.write(join(hooks, 'no-such-event/10-x'), '#!/bin/sh\n', 0o755);
  const fire = (event: string, more: object): void => {
    const input = JSON.stringify({ session_id: 's', hook_event_name: event, cwd: work, ...more });
    execFileSync(join(box.state, 'runtime/current/piton-forward'), ['claude', event, 'user', '60000', '-'], {
      ...{ cwd: work, env: box.env, input },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
  };
  fire('UserPromptSubmit', { prompt: `Ship the cart ${'and everything else that belongs to it '.repeat(20)}` });
  const call = { tool_name: 'Bash', tool_use_id: 'b', tool_input: { command: `git push --force origin ${'main '.repeat(40)}` } };
  fire('PreToolUse', call);
  const edit = { tool_name: 'Write', tool_use_id: 'w', tool_input: { file_path: join(work, 'cart.ts'), content: 'two\n' } };
  fire('PreToolUse', edit);
  box.write(join(work, 'cart.ts'), 'two\n');
  fire('PostToolUse', { ...edit, tool_response: {} });
  fire('Stop', { stop_hook_active: false });
  const stored = async (): Promise<string> => (await box.piton(['events', '--json'], { cwd: work })).stdout;
  await eventually(async () => (await stored()).includes('"stop"'));
});
afterAll(() => box.end());

const COMMANDS: readonly (readonly string[])[] = [
  [
    'init',
    'init --dry-run --agent codex --project',
    'status',
    'doctor',
    'hooks',
    'hooks add',
    'hooks search secret',
    'trust --list',
    'untrust nosuch',
    'agents',
    'agents gemini',
  ],
  [
    'events',
    'events --all',
    'events show @',
    'hooks explain @',
    'sessions',
    'sessions show @',
    'sessions ledger @',
    'checkpoints',
    'checkpoints show @',
    'rewind --list',
    'rewind --calls',
  ],
  [
    'explain cart.ts:1',
    'explain HEAD',
    'blame cart.ts',
    'search cart',
    'settings',
    'lint',
    'import',
    'clean --dry-run',
    'server status',
    'uninstall --dry-run',
  ],
  [
    'nosuch',
    'events --agent claud',
    'init --agent nosuch',
    'hooks test 10-no-force-push-to-any-branch --agent claude --command "git push --force"',
    'hooks new guard mine --dry-run',
    'materialize nosuch --agent claude',
    'schema',
    'resume @',
    'export @ --out /nonexistent/x',
    'trust',
  ],
];

/** What cannot be broken, or must not be: one word, something to paste, a line of a diff or of code. */
const isWhole = (line: string): boolean =>
  /^\s*(?:[✓✗~!=i-] +|[a-z ]+(?:: +| {2,}))?\S+$/.test(line) ||
  /^\s*\S*(?:piton|node|npx|cd|claude|chmod|mkdir|ln|rm|export) /.test(line) ||
  /^(?:[-+@\\]| +\||\{| {2,}")/.test(line);

describe.skipIf(!hasTerminal)('on a terminal of 80 columns no command breaks a word', () => {
  it.each(COMMANDS.map((group) => [group[0], group] as const))('from %s on', { timeout: 240_000 }, async (_, group) => {
    const script = join(box.home, 'commands.sh');
    const line = (args: string): string => `echo '@@@ ${args}'; '${process.execPath}' '${COMMAND}' ${args} < /dev/null`;
    writeFileSync(script, ['stty cols 80 rows 50', ...group.map(line)].join('\n'));
    const { output } = await runOnTerminal(script, work, { ...box.env, TERM: 'screen', PAGER: 'cat' });
    const said = stripVTControlCharacters(output).replaceAll('\r', '').split('@@@ ').slice(1);
    expect(said.map((text) => text.split('\n')[0])).toEqual(group);
    const wide = said.flatMap((text) =>
      text
        .split('\n')
        .slice(1)
        .filter((each) => [...each].length > 80 && !isWhole(each)),
    );
    expect(wide).toEqual([]);
  });
});
