import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The temporary directories of one run. */
export interface Workspace {
  readonly root: string;
  readonly repo: string;
  readonly home: string;
  /** For files of hooks and steps, outside home and repository. */
  readonly state: string;
  write(path: string, content: string | object): void;
  /** Writes a program and makes it executable. */
  writeProgram(path: string, content: string): void;
  /** The text of a file, or undefined if there is none. */
  read(path: string): string | undefined;
  /** One JSON value per line. */
  readLines(path: string): unknown[];
  remove(): void;
}

export function createWorkspace(): Workspace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'piton-bed-')));
  const [repo, home, state] = [join(root, 'repo'), join(root, 'home'), join(root, 'state')];
  for (const path of [repo, home, state]) mkdirSync(path);
  const workspace: Workspace = {
    root,
    repo,
    home,
    state,
    write(path, content) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`);
    },
    writeProgram(path, content) {
      workspace.write(path, content);
      chmodSync(path, 0o755);
    },
    read: (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined),
    readLines: (path) =>
      (workspace.read(path) ?? '')
        .split('\n')
        .filter(Boolean)
        .map((line): unknown => JSON.parse(line)),
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 3 }),
  };
  workspace.write(join(repo, 'README.md'), '# demo\n');
  git(workspace, 'init', '-q', '-b', 'main');
  commitAll(workspace, 'Begin');
  return workspace;
}

/** The machine's git, without any configuration. */
export function git(workspace: Workspace, ...args: readonly string[]): string {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
  const env = { PATH: process.env.PATH, HOME: workspace.home, GIT_CONFIG_NOSYSTEM: '1' };
  return execFileSync('git', [...identity, ...args], { cwd: workspace.repo, env, encoding: 'utf8' });
}

export function commitAll(workspace: Workspace, message: string): void {
  git(workspace, 'add', '-A');
  git(workspace, 'commit', '-qm', message, '--allow-empty');
}
