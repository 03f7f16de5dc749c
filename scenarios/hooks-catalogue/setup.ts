import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createTestHome, removeHome, type TestHome } from '@piton/testing';
import { onTestFinished } from 'vitest';
import { write } from '../hooks-test/setup.ts';

export function newHome(): TestHome {
  const home = createTestHome();
  onTestFinished(() => removeHome(home));
  git(home.work, 'init', '-q', '-b', 'main');
  return home;
}

const IDENTITY = [
  '-c',
  'user.name=Sam',
  '-c',
  'user.email=sam@example.com',
  '-c',
  'commit.gpgsign=false',
  '-c',
  'protocol.file.allow=always',
];

/** Somebody else's git, on their own machine. */
export const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', [...IDENTITY, ...args], {
    ...{ cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
    env: { PATH: process.env.PATH, HOME: join(cwd, '..') },
  }).trim();

export interface HookFiles {
  readonly version?: string;
  /** The word in a command that it denies. */
  readonly denies?: string;
  /** What its test case expects of that command. */
  readonly expect?: string;
  readonly description?: string;
  /** Lines of its script, before anything else: what runs leaves a trace there. */
  readonly first?: string;
}

/** A guard in a folder of its own, with a test case that passes. */
export function writeGuard(
  folder: string,
  { version = '1.0.0', denies = '--force', expect = 'deny', description, first = '' }: HookFiles = {},
): string {
  write(
    join(folder, 'ARTIFACT.md'),
    `---\ntype: hook\nversion: ${version}\ndescription: ${description ?? `Denies ${denies} in commands.`}\nhook_event: pre_shell_execution\nhook_action: scripts/guard.sh\ntags: [example]\n---\nSee the script.\n`,
  );
  write(join(folder, 'scripts', 'guard.sh'), `#!/bin/sh\n${first}case $(cat) in *${denies}*) echo 'not here' >&2; exit 2 ;; esac\n`, 0o755);
  const payload = { session_id: 's', cwd: '$REPO', tool_name: 'Bash', tool_input: { command: `git push ${denies}` } };
  const head = { name: 'denies it', agent: 'claude', event: 'pre_tool_use', native_event: 'PreToolUse' };
  write(join(folder, 'tests', 'denies.json'), `${JSON.stringify({ ...head, payload, expect: { decision: expect } }, null, 2)}\n`);
  return folder;
}

/** A repository of two guards, `no-force` and `no-reset`, below `hooks/`, with the tag `v1`. Its address. */
export function hooksRepository(home: TestHome, name = 'guards'): { path: string; url: string } {
  const path = join(home.root, name);
  mkdirSync(path, { recursive: true });
  git(path, 'init', '-q', '-b', 'main');
  writeGuard(join(path, 'hooks', 'no-force'));
  writeGuard(join(path, 'hooks', 'no-reset'), { denies: 'reset' });
  commit(path, 'Two guards');
  git(path, 'tag', 'v1');
  return { path, url: `file://${path}` };
}

export function commit(path: string, message: string): string {
  git(path, 'add', '-A');
  git(path, 'commit', '-q', '-m', message);
  return git(path, 'rev-parse', 'HEAD');
}

export const folderOf = (home: TestHome, name: string): string => join(home.places.config, 'artifacts', name);
export const isAdded = (home: TestHome, name: string): boolean => existsSync(join(folderOf(home, name), 'ARTIFACT.md'));
