import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createGit } from '@piton/git';
import { onTestFinished } from 'vitest';
import { openWorktree } from '../src/repositories/open-worktree.ts';
import { findRepository, type Repository } from '../src/repositories/repository.ts';
import { createWorktree, type Worktree, type WorktreeOptions } from '../src/worktree.ts';

/** An environment in which nothing of this machine's git configuration counts. */
function environment(home: string): NodeJS.ProcessEnv {
  const person = {
    GIT_AUTHOR_NAME: 'Ann',
    GIT_AUTHOR_EMAIL: 'ann@example.org',
    GIT_COMMITTER_NAME: 'Ann',
    GIT_COMMITTER_EMAIL: 'ann@example.org',
  };
  return { PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1', GIT_EDITOR: 'true', ...person };
}

export class Scratch {
  readonly home: string;
  readonly root: string;
  /** What git writes as the time of a commit, where two repositories shall agree. */
  date: string | undefined;

  constructor(home: string, root: string) {
    this.home = home;
    this.root = root;
  }

  environment(): NodeJS.ProcessEnv {
    const dates = this.date ? { GIT_AUTHOR_DATE: this.date, GIT_COMMITTER_DATE: this.date } : {};
    return { ...environment(this.home), ...dates };
  }

  /** The user's git, with the user's environment. */
  git(...args: string[]): string {
    return execFileSync('git', args, {
      cwd: this.root,
      env: this.environment(),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  }

  /** Reads the same repository with no configuration but its own, which is asked for nothing. */
  plumbing(...args: string[]): string {
    return execFileSync('git', ['-c', 'core.hooksPath=/dev/null', ...args], {
      cwd: this.root,
      env: this.environment(),
      encoding: 'utf8',
    }).trim();
  }

  /** What an agent's shell tool would run. */
  shell(command: string): string {
    return execFileSync('sh', ['-c', command], {
      cwd: this.root,
      env: this.environment(),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  path(name: string): string {
    return join(this.root, name);
  }

  write(name: string, content: string | Buffer, mode = 0o644): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), content, { mode });
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }

  remove(name: string): void {
    rmSync(this.path(name), { recursive: true, force: true });
  }

  commit(message: string): string {
    this.git('add', '-A');
    this.git('commit', '--quiet', '--allow-empty', '-m', message);
    return this.git('rev-parse', 'HEAD');
  }

  /** Every file of the working tree but git's own: name → type, execute bit and bytes. */
  everything(): Map<string, string> {
    const found = new Map<string, string>();
    const visit = (directory: Buffer, prefix: Buffer) => {
      for (const entry of readdirSync(directory, { encoding: 'buffer', withFileTypes: true }) as unknown as { name: Buffer }[]) {
        const name = Buffer.concat([prefix, entry.name]);
        if (entry.name.toString() === '.git') continue;
        const path = Buffer.concat([Buffer.from(`${this.root}/`), name]);
        const stat = lstatSync(path);
        const shown = name.toString('latin1');
        if (stat.isDirectory()) visit(path, Buffer.concat([name, Buffer.from('/')]));
        else if (stat.isSymbolicLink()) found.set(shown, `link ${readlinkSync(path)}`);
        else if (stat.isFile()) found.set(shown, `${stat.mode & 0o100 ? 'x' : '-'} ${readFileSync(path).toString('latin1')}`);
      }
    };
    visit(Buffer.from(this.root), Buffer.alloc(0));
    return found;
  }

  async repository(): Promise<Repository> {
    const repository = await findRepository(this.runner(), this.root);
    if (!repository) throw new Error(`no repository at ${this.root}`);
    return repository;
  }

  runner() {
    const outside = { GIT_DIR: '/nowhere', GIT_INDEX_FILE: 'broken' };
    return createGit({ environment: { PATH: process.env['PATH'], HOME: this.home, GIT_CONFIG_NOSYSTEM: '1', ...outside } });
  }

  async worktree(options: Partial<Worktree> = {}): Promise<Worktree> {
    return { ...createWorktree(await worktreeOptions(this)), ...options };
  }

  /** As the server opens one: nothing of another that was here under the same name counts. */
  async opened(): Promise<Worktree> {
    return openWorktree(await worktreeOptions(this));
  }
}

const worktreeOptions = async (user: Scratch): Promise<WorktreeOptions> => ({
  git: user.runner(),
  repository: await user.repository(),
  stateDirectory: join(user.home, 'state'),
  redact: (text) => text.replaceAll('hunter2', '[redacted]'),
  random: (bytes) => randomBytes(bytes),
});

export function directory(): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'piton-checkpoints-')));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** A repository with one commit of a few files. */
export function scratch(...initOptions: string[]): Scratch {
  if (initOptions.length === 0) return copyOf('first', fill);
  const made = initialized(initOptions);
  fill(made);
  return made;
}

function fill(made: Scratch): void {
  made.write('README.md', 'read me\n');
  made.write('src/main.ts', 'one\ntwo\nthree\n');
  made.write('src/deep/er/leaf.ts', 'leaf\n');
  made.write('run.sh', '#!/bin/sh\n', 0o755);
  made.write('.gitignore', 'ignored/\n*.log\n');
  made.commit('first');
}

export function emptyScratch(...initOptions: string[]): Scratch {
  return initOptions.length === 0 ? copyOf('empty', () => {}) : initialized(initOptions);
}

function initialized(options: readonly string[]): Scratch {
  const home = directory();
  const made = new Scratch(home, join(home, 'repository'));
  mkdirSync(made.root);
  made.git('init', '--quiet', '--initial-branch=main', ...options);
  return made;
}

/**
 * Repositories of which each is made once in a run of the tests: three starts of git and some thirty files are most of what a short
 * test costs. Workers look for those of others; the run removes them.
 */
const TEMPLATES = process.env['PITON_TEST_TEMPLATES'] ?? mkdtempSync(join(tmpdir(), 'piton-templates-'));

function copyOf(name: string, prepare: (made: Scratch) => void): Scratch {
  const template = join(TEMPLATES, `checkpoints-${name}`);
  if (!existsSync(template)) makeTemplate(template, prepare);
  const home = directory();
  const made = new Scratch(home, join(home, 'repository'));
  cpSync(template, made.root, { recursive: true, verbatimSymlinks: true });
  // Its index knows the files by inode and time, and those are new.
  if (existsSync(made.path('.git/index'))) made.git('update-index', '-q', '--refresh');
  return made;
}

/** Whole or absent: another worker may make the same. */
function makeTemplate(template: string, prepare: (made: Scratch) => void): void {
  mkdirSync(TEMPLATES, { recursive: true });
  const home = realpathSync(mkdtempSync(`${template}-`));
  const made = new Scratch(home, join(home, 'repository'));
  mkdirSync(made.root);
  made.git('init', '--quiet', '--initial-branch=main');
  prepare(made);
  try {
    renameSync(made.root, template);
  } catch (error) {
    if (!existsSync(template)) throw error;
  }
  rmSync(home, { recursive: true, force: true });
}
