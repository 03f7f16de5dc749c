import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMAND, removeHomeNow, runPitonSync } from '@piton/testing';

export const CLI = COMMAND;

/** A home, and a repository in it. One for each test. */
export interface Scene {
  readonly root: string;
  readonly work: string;
}
let scene: Scene = { root: '', work: '' };

export function openScene(): Scene {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'piton-checkpoints-')));
  scene = { root, work: join(root, 'work') };
  mkdirSync(scene.work);
  git('init', '-q', '-b', 'main');
  return scene;
}

/** With one commit of a file, and watched from then on. */
export function openWatchedScene(): Scene {
  openScene();
  writeFileSync(join(scene.work, 'a.txt'), 'one\n');
  git('add', '-A');
  git('commit', '-qm', 'Begin');
  const { status, stderr } = piton('init', '--agent', 'claude', '--yes');
  if (status !== 0) throw new Error(stderr);
  return scene;
}

/** The repository goes to another directory. */
export function moveScene(name: string): Scene {
  const work = join(scene.root, name);
  renameSync(scene.work, work);
  scene = { ...scene, work };
  return scene;
}

/** Another directory beside it, or the same again, is the repository from now on. */
export function turnTo(name: string): Scene {
  scene = { ...scene, work: join(scene.root, name) };
  return scene;
}

export function closeScene(): void {
  removeHomeNow(scene.root, join(scene.root, 'piton', 'state'), join(scene.root, 'piton', 'config'));
}

export const environment = () => ({
  ...{ PATH: process.env.PATH, HOME: scene.root, PITON_HOME: join(scene.root, 'piton'), NO_COLOR: '1', PITON_ALLOW_UNDER_AGENT: '1' },
  ...{ GIT_CONFIG_NOSYSTEM: '1', GIT_AUTHOR_NAME: 'T', GIT_AUTHOR_EMAIL: 't@e', GIT_COMMITTER_NAME: 'T', GIT_COMMITTER_EMAIL: 't@e' },
});

export const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: scene.work, env: environment(), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

export const pitonIn = (directory: string, ...args: string[]) =>
  runPitonSync(args, { cwd: join(scene.work, directory), env: environment() });

export const piton = (...args: string[]) => pitonIn('.', ...args);

/** As Claude Code would call it. */
export const fire = (event: string, more: object) =>
  execFileSync(join(scene.root, 'piton', 'state', 'runtime', 'current', 'piton-forward'), ['claude', event, 'user', '60000', '-'], {
    cwd: scene.work,
    env: environment(),
    input: JSON.stringify({ session_id: 's1', hook_event_name: event, cwd: scene.work, ...more }),
  });
