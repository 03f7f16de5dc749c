import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';

// A clone can hold links, also to devices and pipes. Nothing of it may hang a command, fill the memory, or lead a write out of it.
let box: Sandbox;
let repository: string;
let outside: string;
beforeEach(() => {
  box = sandbox();
  repository = box.repository();
  outside = join(box.home, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'mine.txt'), '{}\n');
});
afterEach(() => box.end());

const make = {
  'a link to a device without an end': (path: string) => symlinkSync('/dev/zero', path),
  'a pipe': (path: string) => execFileSync('mkfifo', [path]),
  'a link to a pipe': (path: string) => {
    execFileSync('mkfifo', [`${path}.pipe`]);
    symlinkSync(`${path}.pipe`, path);
  },
  'a directory': (path: string) => mkdirSync(path),
  'a link to nothing': (path: string) => symlinkSync('nowhere', path),
} as const;

const PLACES = [
  '.piton/settings.json',
  '.piton/settings.local.json',
  '.piton/.gitignore',
  '.piton/hooks/pre-tool-use/10-guard',
  '.piton/local/hooks/stop/10-local',
  '.piton/artifacts/one/ARTIFACT.md',
  '.piton/artifacts/two/scripts/run.sh',
  '.piton/artifacts/two/tests/case.json',
];
const ARTIFACT = '---\ntype: hook\nversion: 1.0.0\nhook_event: stop\nhook_action: scripts/run.sh\n---\n';

const COMMANDS: readonly (readonly string[])[] = [
  ['lint'],
  ['hooks'],
  ['hooks', 'test'],
  ['trust', '--list'],
  ['settings'],
  ['doctor'],
  ['status'],
  ['materialize', '--agent', 'claude', '--dry-run'],
  ['init', '--agent', 'claude', '--project', '--dry-run'],
];

describe.each(Object.keys(make) as (keyof typeof make)[])('a clone in which every file of Piton’s is %s', (kind) => {
  it('hangs no command, and is reported where it matters', { timeout: 240_000 }, async () => {
    for (const place of PLACES) {
      mkdirSync(join(repository, place, '..'), { recursive: true });
      make[kind](join(repository, place));
    }
    writeFileSync(join(repository, '.piton/artifacts/two/ARTIFACT.md'), ARTIFACT);
    for (const command of COMMANDS) {
      const { code, stdout, stderr } = await box.piton(command, { cwd: repository });
      expect([command.join(' '), typeof code, stderr.includes('    at ')]).toEqual([command.join(' '), 'number', false]);
      expect((stdout + stderr).length).toBeLessThan(200_000);
      if (command[0] === 'lint' && kind.includes('device')) expect([code, stdout]).toEqual([1, expect.stringContaining('10-guard')]);
    }
  });
});

describe('a clone whose folders are links out of it', () => {
  const writes: readonly (readonly [string, string, readonly string[]])[] = [
    ['.piton', '.', ['settings', 'set', 'hooks_enabled', 'false', '--scope', 'project']],
    ['.piton', '.', ['settings', 'set', 'checkpoints.strategy', 'auto-commit', '--scope', 'local']],
    ['.piton', '.', ['init', '--agent', 'claude', '--project', '--yes']],
    ['.piton/.gitignore', 'mine.txt', ['init', '--agent', 'claude', '--project', '--yes']],
    ['.piton/.gitignore', 'mine.txt', ['settings', 'set', 'checkpoints.trailer', 'never', '--scope', 'local']],
    ['.piton/settings.json', 'mine.txt', ['settings', 'set', 'hooks_enabled', 'false', '--scope', 'project']],
    ['.piton/hooks', '.', ['hooks', 'new', 'guard', 'g', '--scope', 'project', '--as', 'executable']],
    ['.piton/artifacts', '.', ['hooks', 'new', 'guard', 'g', '--scope', 'project', '--as', 'artifact']],
    ['.piton/artifacts', '.', ['hooks', 'add', 'protect-paths', '--scope', 'project']],
  ];

  it.each(writes)('%s to %s: nothing is written there by %j', async (link, target, command) => {
    if (link !== '.piton') mkdirSync(join(repository, '.piton'), { recursive: true });
    rmSync(join(repository, link), { recursive: true, force: true });
    symlinkSync(join(outside, target), join(repository, link));
    const said = await box.piton([...command], { cwd: repository });
    expect([said.code, readdirSync(outside), readFileSync(join(outside, 'mine.txt'), 'utf8')]).toEqual([1, ['mine.txt'], '{}\n']);
    expect(said.stderr).toContain('is a link');
  });
});
