import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { placesOf } from '@piton/contracts/places';
import { COMMAND, eventually, removeHome } from '@piton/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareScreen } from './screens.ts';
import { hasTmux, openTerminal, type Terminal } from './terminal.ts';

let root: string;
let clone: string;
let work: string;
let terminal: Terminal;
let env: NodeJS.ProcessEnv;

/** What lies in `dist` for others than the command. */
const OTHERS = new Set(['packages', 'pictures']);

/**
 * As a person has it: an agent's settings, a repository with a commit, and the command on PATH. Its path has always the same length, wherever
 * the clone lies: it stands in remedies, and a longer one breaks other lines.
 */
beforeAll(async () => {
  if (!hasTmux) return;
  root = realpathSync(mkdtempSync('/tmp/hour-'));
  work = join(root, 'shop');
  env = {
    ...{ HOME: root, PATH: `${root}/.local/bin:${root}/bin:${process.env.PATH}`, PS1: '$ ', TERM: 'screen', LANG: 'C.UTF-8', PAGER: 'cat' },
    ...{ NO_COLOR: '1', PITON_ALLOW_UNDER_AGENT: '1', GIT_CONFIG_NOSYSTEM: '1', TZ: 'UTC', PITON_HOME: join(root, 'piton') },
    ...{ GIT_AUTHOR_NAME: 'T', GIT_AUTHOR_EMAIL: 't@e', GIT_COMMITTER_NAME: 'T', GIT_COMMITTER_EMAIL: 't@e' },
  };
  for (const each of ['bin', '.claude', 'shop']) mkdirSync(join(root, each));
  writeFileSync(join(root, '.claude/settings.json'), '{\n  "model": "opus"\n}\n');
  clone = realpathSync(mkdtempSync('/tmp/pi-'));
  const build = join(clone, 'dist');
  cpSync(dirname(COMMAND), build, { recursive: true, filter: (path) => !OTHERS.has(relative(dirname(COMMAND), path)) });
  symlinkSync(join(dirname(COMMAND), '../node_modules'), join(clone, 'node_modules'));
  writeFileSync(join(root, 'bin/piton'), `#!/bin/sh\nexec '${process.execPath}' '${join(build, basename(COMMAND))}' "$@"\n`);
  chmodSync(join(root, 'bin/piton'), 0o755);
  writeFileSync(join(work, 'cart.ts'), 'export const total = 1;\n');
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '-A'],
    ['commit', '-qm', 'Begin'],
  ])
    execFileSync('git', args, { cwd: work, env });
  terminal = await openTerminal(`${root}.tmux`, work, env);
});
afterAll(async () => {
  if (!hasTmux) return;
  terminal.end();
  rmSync(clone, { recursive: true, force: true });
  const state = join(root, 'piton/state');
  if (existsSync(state)) await removeHome({ root, places: placesOf(state, join(root, 'piton/config')) });
  else rmSync(root, { recursive: true, force: true, maxRetries: 5 });
});

/** Looked at by a person when it was recorded. */
const expectScreen = (name: string, screen: string): void => {
  const { shown, recorded } = compareScreen(name, root, screen);
  expect(shown).toBe(recorded);
};

const fire = (event: string, more: object): { status: number; stderr: string } => {
  const input = JSON.stringify({ session_id: 'hour', hook_event_name: event, cwd: work, transcript_path: join(root, 't.jsonl'), ...more });
  const forwarder = join(root, 'piton/state/runtime/current/piton-forward');
  try {
    execFileSync(forwarder, ['claude', event, 'user', '60000', '-'], { cwd: work, env, input, stdio: ['pipe', 'pipe', 'pipe'] });
    return { status: 0, stderr: '' };
  } catch (error) {
    const { status, stderr } = error as { status: number; stderr: Buffer };
    return { status, stderr: stderr.toString() };
  }
};

const HOOK = `#!/bin/sh
if grep -q 'push.*--force'; then
  echo "Do not force-push. Open a pull request." >&2
  exit 2
fi
`;

/** What a person looks at. */
const LISTINGS = [
  'status',
  'doctor',
  'agents',
  'agents claude',
  'events',
  'events --all',
  'sessions',
  'checkpoints',
  'rewind --list',
  'rewind --calls',
  'hooks',
  'trust --list',
  'settings',
  'search cart',
  'sessions show @',
  'sessions ledger @',
  'observations',
  'observations show @',
  'handoff @ --to codex --print',
  'mcp install --agent claude --dry-run',
  'hooks explain @~1',
  'explain cart.ts:1',
  'blame cart.ts',
];

if (!hasTmux) console.warn('tmux is not here: the walk through the first hour is skipped. Install tmux.');

describe.skipIf(!hasTmux)('the first hour, in a terminal of 80 columns', () => {
  it('piton alone says what to do first', async () => {
    const screen = await terminal.type('piton');
    expectScreen('start', screen);
    await terminal.clear();
  });

  it('init names everything that it will change, and asks once', async () => {
    const asked = await terminal.type('piton init --link', /\[y\/N\]/);
    expectScreen('init', asked);
    const done = await terminal.type('y');
    expectScreen('init-done', done);
    expect(done).toContain('Done:');
    expect(done).toContain('piton status');
    await terminal.clear();
  });

  it('a hook of the project is shown, and trusted after a yes', async () => {
    mkdirSync(join(work, '.piton/hooks/pre-shell-execution'), { recursive: true });
    writeFileSync(join(work, '.piton/hooks/pre-shell-execution/10-no-force-push'), HOOK, { mode: 0o755 });
    const asked = await terminal.type('piton trust', /\[y\/N\]/);
    expect(asked).toContain('Do not force-push');
    const done = await terminal.type('y');
    expectScreen('trust', done);
    expect(done).toContain('is trusted');
    await terminal.clear();
  });

  it('an agent is denied, and events says what and why', async () => {
    fire('UserPromptSubmit', { prompt: 'Ship the new cart' });
    const call = { tool_name: 'Bash', tool_use_id: 'b', tool_input: { command: 'git push --force origin main' } };
    const answer = fire('PreToolUse', call);
    expect(JSON.stringify(answer)).not.toContain('"status":1');
    const edit = { tool_name: 'Write', tool_use_id: 'w', tool_input: { file_path: join(work, 'cart.ts'), content: 'broken\n' } };
    fire('PreToolUse', edit);
    writeFileSync(join(work, 'cart.ts'), 'broken\n');
    fire('PostToolUse', { ...edit, tool_response: {} });
    const tests = { tool_name: 'Bash', tool_use_id: 't', tool_input: { command: 'npm test' } };
    fire('PreToolUse', tests);
    fire('PostToolUse', { ...tests, tool_response: { stdout: '3 passed', stderr: '', interrupted: false } });
    fire('Stop', { stop_hook_active: false });
    const said = (): string => execFileSync(process.execPath, [COMMAND, 'events', '--json'], { cwd: work, env, encoding: 'utf8' });
    await eventually(() => said().includes('Do not force-push') && said().includes('stop'));
    const screen = await terminal.type('piton events');
    expectScreen('events', screen);
    expect(screen).toContain('git push');
    await terminal.clear();
  });

  it.each([80, 120])(
    'every listing is readable at %i columns',
    async (width) => {
      const wide = await openTerminal(`${root}.${width}`, work, env, width);
      try {
        for (const listing of LISTINGS) {
          const screen = await wide.type(`piton ${listing}`);
          expectScreen(`${listing.replace(/\W+/g, '-')}-${width}`, screen);
          expect(Math.max(...screen.split('\n').map((line) => line.length))).toBeLessThanOrEqual(width);
          if (listing === 'hooks') expect(screen).toContain('LAST RUN');
          await wide.clear();
        }
      } finally {
        wide.end();
      }
    },
    120_000,
  );

  it('rewind gives the file back, after a yes', async () => {
    const asked = await terminal.type('piton rewind', /\[y\/N\]/);
    expectScreen('rewind', asked);
    expect(asked).toContain('cart.ts');
    const done = await terminal.type('y');
    expectScreen('rewind-done', done);
    expect(readFileSync(join(work, 'cart.ts'), 'utf8')).toBe('export const total = 1;\n');
    await terminal.clear();
  });

  it('export tells what the agent did', async () => {
    const done = await terminal.type('piton export hour --out report.md');
    expectScreen('export', done);
    expect(readFileSync(join(work, 'report.md'), 'utf8')).toContain('Ship the new cart');
    await terminal.clear();
  });

  it('uninstall names what goes and what stays, and gives the settings back byte for byte', async () => {
    const asked = await terminal.type('piton uninstall', /\[y\/N\]/);
    expectScreen('uninstall', asked);
    const done = await terminal.type('y', /What stays:[\s\S]*\n\$$/);
    expectScreen('uninstall-done', done);
    expect(done).toContain('refs/piton');
    expect(readFileSync(join(root, '.claude/settings.json'), 'utf8')).toBe('{\n  "model": "opus"\n}\n');
  });
});
