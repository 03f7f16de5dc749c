import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AGENTS } from '@piton/agents';
import { machineDisk } from '../../../src/built-in-guard/disk.ts';
import { type BuiltInGuard, createBuiltInGuard } from '../../../src/built-in-guard/guard.ts';
import { guardedPlacesOf } from '../../../src/built-in-guard/machine-guard.ts';

const MARK = 'PITON WAS HERE';
const CONTENT = 'a\nb\n';

/** What lies in the home directory before each command; what of it is ours is what the guard claims. */
const OURS = [
  '.local/state/piton/trust/index.json',
  '.config/piton/settings.json',
  '.claude/settings.json',
  '.codex/hooks.json',
  'code/app/.piton/settings.json',
  'code/app/.piton/hooks/guard',
  'code/app/.claude/settings.json',
];
const OTHERS = [
  '.claude/skills/one/SKILL.md',
  '.claude/todos/one.json',
  '.codex/prompts/one.md',
  'code/app/src/a.ts',
  'code/app/build/settings.json',
  'code/app/notes.md',
  'code/app/settings.json',
  'code/app/list.txt',
  'code/app/.claude/commands/one.md',
  'code/app/.vscode/settings.json',
  ...['settings.json', 'hooks.json', 'post-commit', 'piton.json', 'index.json', 'other', 'skills/two/SKILL.md'].map(
    (name) => `code/app/evil/${name}`,
  ),
];

/** A home directory with a project in it, for real. */
export interface World {
  readonly project: string;
  readonly guard: BuiltInGuard;
  /** Runs it there, from the same beginning each time: did anything of ours change? */
  changes(command: string): boolean;
}

export function worldAt(base: string): World {
  const pristine = join(base, 'pristine');
  const home = join(base, 'home');
  const project = join(home, 'code', 'app');
  write(pristine);
  restore(pristine, home);
  const places = { home: join(home, '.local/state/piton'), config: join(home, '.config/piton'), sockets: join(base, 'sockets') };
  const machine = { places, agents: AGENTS, env: { HOME: home }, gitHooks: { names: ['post-commit'], mark: MARK }, pids: [4711] };
  const before = seenIn(home);
  return {
    project,
    guard: createBuiltInGuard(guardedPlacesOf(machine), machineDisk),
    changes(command) {
      const env = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1', TERM: 'dumb' };
      spawnSync('bash', ['-c', command], { cwd: project, env, timeout: 20_000, stdio: 'ignore' });
      const changed = seenIn(home) !== before;
      restore(pristine, home);
      return changed;
    },
  };
}

function write(home: string): void {
  const project = join(home, 'code', 'app');
  for (const name of [...OURS, ...OTHERS]) put(join(home, name), name.includes('/evil/') ? 'evil\n' : CONTENT);
  put(join(project, 'evil/any.patch'), '--- a\n+++ b\n@@ -1,2 +1,2 @@\n-a\n+z\n b\n');
  put(join(project, 'evil/new.patch'), '--- /dev/null\n+++ new.txt\n@@ -0,0 +1 @@\n+z\n');
  put(join(project, 'gone-dir/x'), '');
  const git = (...args: readonly string[]): void =>
    void execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...args], { cwd: project, stdio: 'ignore' });
  git('init', '-q', '--template=');
  mkdirSync(join(project, '.git/hooks'));
  git('add', '.piton', 'src');
  git('commit', '-qm', 'One');
  git('commit', '-q', '--allow-empty', '-m', 'Two');
  git('update-ref', 'refs/piton/checkpoints/one', 'HEAD');
  writeFileSync(join(project, '.piton', 'settings.json'), 'a\nb\nchanged\n');
  writeFileSync(join(project, '.git/hooks/post-commit'), `#!/bin/sh\n# ${MARK}\na\n`, { mode: 0o755 });
  const run = (command: string): void => void execFileSync('sh', ['-c', command], { cwd: project, stdio: 'ignore' });
  run('ln -s .piton/hooks linked; gzip -k evil/settings.json; tar cf evil.tar -C evil .; gzip -k evil.tar; mv evil.tar.gz evil.tgz');
  // Without Python there is no such archive, and commands that unpack it show nothing.
  run('cd evil && python3 -m zipfile -c ../evil.zip settings.json hooks.json post-commit other || true');
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function restore(pristine: string, home: string): void {
  try {
    rmSync(home, { recursive: true, force: true });
  } catch {
    spawnSync('chmod', ['-R', 'u+rwX', home]); // a command took the right to remove it away
    rmSync(home, { recursive: true, force: true });
  }
  cpSync(pristine, home, { recursive: true, verbatimSymlinks: true });
}

/** All of ours as it is now, as one text. */
function seenIn(home: string): string {
  const project = join(home, 'code', 'app');
  const git = ['.git/hooks/post-commit', '.git/refs/piton', '.git/config'].map((name) => join(project, name));
  const roots = ['.local/state/piton', '.config/piton', '.claude/settings.json', '.codex/hooks.json'].map((name) => join(home, name));
  const inProject = ['.piton', '.claude/settings.json', '.claude/settings.local.json'].map((name) => join(project, name));
  return [...roots, ...inProject, ...git].map(seen).join('\n');
}

function seen(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return `${path} is not there`;
  const head = `${path} ${stat.mode}`;
  if (stat.isSymbolicLink()) return `${head} ${readlinkSync(path)}`;
  if (stat.isDirectory())
    return [
      head,
      ...readdirSync(path)
        .sort()
        .map((name) => seen(join(path, name))),
    ].join('\n');
  if (!stat.isFile()) return head; // reading a pipe would never end
  try {
    return `${head} ${readFileSync(path, 'latin1')}`;
  } catch {
    return head; // its mode tells
  }
}
