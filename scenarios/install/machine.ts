import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One command of a person, inside. */
export interface Step {
  readonly run: readonly string[];
  readonly cwd?: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** All that lies on its PATH, beside Node and what is installed. npm's commands begin with `#!/usr/bin/env node`. */
const PROGRAMS = ['sh', 'git', 'env'];

/** npm, wherever this Node has it, to be run by another Node. */
const NPM = realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim());

export interface NpmPlace {
  readonly node: string;
  readonly registry: string;
  /** An empty directory: cache, configuration and home of this call. */
  readonly home: string;
}

/** npm with nothing of this machine: its own home, cache and configuration, and that registry alone. */
export function npm({ node, registry, home }: NpmPlace, args: readonly string[], cwd = home): Promise<Ran> {
  mkdirSync(home, { recursive: true });
  const env = {
    PATH: `${dirname(node)}:/usr/bin:/bin`,
    HOME: home,
    LANG: 'C.UTF-8',
    PITON_ALLOW_UNDER_AGENT: '1',
    npm_config_registry: registry,
    npm_config_cache: join(home, 'npm-cache'),
    npm_config_globalconfig: join(home, 'globalrc'),
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  };
  return new Promise((resolve) => {
    const child = spawn(node, [NPM, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.on('close', (code) => resolve({ code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() }));
  });
}

export interface Machine {
  readonly bwrap: string;
  readonly node: string;
  /** Where npm installed the package globally: on this machine it is `/opt/npm`. */
  readonly prefix: string;
  /** The home of the person, writable. */
  readonly home: string;
}

/**
 * A machine with Node, git, a shell and the package: no compiler, no npm, no network, no other process. All steps run in one
 * namespace, as servers outlive the command that started them.
 */
export function runInside({ bwrap, node, prefix, home }: Machine, steps: readonly Step[]): Ran[] {
  const [order, results] = [join(home, '.steps.json'), join(home, '.results.json')];
  writeFileSync(order, JSON.stringify(steps));
  cpSync(fileURLToPath(new URL('./steps.mjs', import.meta.url)), join(home, '.steps.mjs'));
  const programs = PROGRAMS.map((name) => [realpathSync(`/usr/bin/${name}`), `/usr/bin/${name}`]);
  const args = [
    ...['--unshare-all', '--die-with-parent', '--clearenv', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'],
    ...[
      '--ro-bind',
      '/usr/lib',
      '/usr/lib',
      '--ro-bind-try',
      '/usr/lib64',
      '/usr/lib64',
      '--ro-bind-try',
      '/usr/share/git-core',
      '/usr/share/git-core',
    ],
    ...['--symlink', 'usr/lib', '/lib', '--symlink', 'usr/lib64', '/lib64', '--symlink', 'usr/bin', '/bin'],
    ...programs.flatMap(([from = '', to = '']) => ['--ro-bind', from, to]),
    ...['--ro-bind', node, '/opt/node/bin/node', '--ro-bind', prefix, '/opt/npm', '--bind', home, '/home/person'],
    ...['--setenv', 'PATH', '/opt/npm/bin:/opt/node/bin:/usr/bin', '--setenv', 'HOME', '/home/person', '--setenv', 'LANG', 'C.UTF-8'],
    ...['--setenv', 'PITON_ALLOW_UNDER_AGENT', '1', '--chdir', '/home/person'],
    ...['/opt/node/bin/node', '.steps.mjs'],
  ];
  const { status, stderr } = spawnSync(bwrap, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the machine could not be set up: ${stderr}`);
  const ran = JSON.parse(readFileSync(results, 'utf8')) as Ran[];
  for (const file of [order, results, join(home, '.steps.mjs')]) rmSync(file);
  return ran;
}
