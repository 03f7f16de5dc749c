import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

/** Where everything lies. The C forwarder computes the same from where it lies itself; a test compares both. */
export interface Places {
  /** What Piton keeps: runtime, journal, store, trust. */
  readonly home: string;
  /** What people write: settings and user hooks. */
  readonly config: string;
  /** Names this home in these namespaces: containers that share a HOME share no server. */
  readonly hash: string;
  /** Journal, lock and pulse of this environment. */
  readonly environment: string;
  readonly journal: string;
  readonly sockets: string;
  readonly hookSocket: string;
  readonly cliSocket: string;
  readonly store: string;
  readonly trust: string;
  readonly logs: string;
  readonly runtime: string;
  readonly current: string;
  readonly forwarder: string;
}

export const FORWARDER_NAME = process.platform === 'win32' ? 'piton-forward.exe' : 'piton-forward';

type Environment = Readonly<Record<string, string | undefined>>;

/** PITON_HOME moves everything; otherwise the platform's state and config directories. */
export function homeDirectories(env: Environment): { home: string; config: string } | { error: string } {
  const moved = env.PITON_HOME;
  // Relative to what? The agent, the server and the person each have another working directory.
  if (moved && !isAbsolute(moved)) return { error: `PITON_HOME is ${JSON.stringify(moved)}: it must be an absolute path` };
  if (moved) return { home: join(moved, 'state'), config: join(moved, 'config') };
  const user = env.HOME || safeHomedir();
  if (!user) return { error: 'no HOME and no PITON_HOME: set one of them' };
  return {
    home: join(env.XDG_STATE_HOME || join(user, '.local', 'state'), 'piton'),
    config: join(env.XDG_CONFIG_HOME || join(user, '.config'), 'piton'),
  };
}

/** `piton init` wrote down where the settings are: they cannot be found from the home alone. */
export function configOf(home: string, env: Environment): string {
  try {
    const { config } = JSON.parse(readFileSync(join(home, 'place.json'), 'utf8')) as { config?: string };
    if (config) return config;
  } catch {
    // not installed by `piton init`: the platform's default
  }
  const found = homeDirectories(env);
  return 'error' in found ? join(home, 'config') : found.config;
}

function safeHomedir(): string {
  try {
    return homedir();
  } catch {
    return '';
  }
}

/** `home` must exist: its real path goes into the hash. */
export function placesOf(home: string, config: string): Places {
  const real = realpathSync(home);
  const hash = environmentHash(real);
  const environment = join(real, 'env', hash);
  const sockets = join(socketRoot(), hash);
  const runtime = join(real, 'runtime');
  return {
    home: real,
    config,
    hash,
    environment,
    journal: join(environment, 'journal'),
    sockets,
    hookSocket: join(sockets, 'hook.sock'),
    cliSocket: join(sockets, 'cli.sock'),
    store: join(real, 'piton.db'),
    trust: join(real, 'trust'),
    logs: join(real, 'logs'),
    runtime,
    current: join(runtime, 'current'),
    forwarder: join(runtime, 'current', FORWARDER_NAME),
  };
}

/** FNV-1a over the home and the three namespaces that decide what a path, a user and a socket mean. */
function environmentHash(home: string): string {
  return textHash([home, ...['mnt', 'user', 'net'].map(namespaceOf)].join('\0'));
}

/** FNV-1a, which the forwarder computes as well. */
export function textHash(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  return hash.toString(16).padStart(16, '0');
}

function namespaceOf(name: string): string {
  try {
    return readlinkSync(`/proc/self/ns/${name}`);
  } catch {
    return '-'; // not Linux
  }
}

/** Not TMPDIR: a GUI and a shell must find the same place. */
function socketRoot(): string {
  const uid = process.geteuid?.() ?? 0;
  const run = `/run/user/${uid}`;
  try {
    const stat = lstatSync(run);
    if (stat.isDirectory() && stat.uid === uid) return join(run, 'piton');
  } catch {
    // no systemd session
  }
  return `/tmp/piton-${uid}`;
}

/** One by one: where the kernel says ENOENT to every attempt, as in /proc, Node's own recursive mkdir never ends. */
function makeEach(path: string): void {
  const missing: string[] = [];
  for (let at = path; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.push(at);
  for (const each of missing.reverse()) {
    try {
      mkdirSync(each, { mode: 0o700 });
    } catch (error) {
      // Another process may have made it in the meantime.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** A directory that is ours alone, or the reason why it is not. */
export function makePrivate(path: string): string | undefined {
  try {
    makeEach(path);
    const stat = lstatSync(path);
    const uid = process.geteuid?.();
    if (!stat.isDirectory()) return `${path} is not a directory`;
    if (uid !== undefined && stat.uid !== uid) return `${path} belongs to another user`;
    if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0) return `${path} can be read by others: chmod 700 it`;
    return undefined;
  } catch (error) {
    return `${path}: ${(error as Error).message}`;
  }
}
