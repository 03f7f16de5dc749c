// Finds the system's PostgreSQL, or gets Debian's package of it, and starts throw-away servers with it: for tests, CI and demonstrations.
// A server runs as an ordinary user (PostgreSQL refuses root), answers on a unix socket alone, and ends with whoever started it.
import { spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const OLDEST = 15;
const PROGRAMS = ['postgres', 'initdb', 'pg_isready'];
const isRoot = process.getuid?.() === 0;
// Root's home is closed to the ordinary user as whom it runs.
const CACHE = isRoot ? '/var/cache/piton/postgresql' : join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'piton', 'postgresql');

const versionOf = (directory) => {
  const { stdout } = spawnSync(join(directory, 'postgres'), ['--version'], { encoding: 'utf8' });
  return Number(/ (\d+)/.exec(stdout ?? '')?.[1] ?? 0);
};
const debianFolders = (root) => {
  const folder = join(root, 'usr', 'lib', 'postgresql');
  return existsSync(folder) ? readdirSync(folder).map((version) => join(folder, version, 'bin')) : [];
};

export function postgresHere() {
  const places = [...debianFolders('/'), ...(process.env.PATH ?? '').split(delimiter), ...debianFolders(CACHE)];
  const found = places.filter((place) => place !== '' && PROGRAMS.every((program) => existsSync(join(place, program))));
  return found.find((place) => versionOf(place) >= OLDEST);
}

export function providePostgres() {
  return postgresHere() ?? (process.platform === 'linux' && (unpack() || install()) ? postgresHere() : undefined);
}

const run = (command, args, cwd) => spawnSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

function newestPackage() {
  const search = () => run('apt-cache', ['search', '--names-only', '^postgresql-[0-9]+$']).stdout ?? '';
  let names = search();
  if (names === '' && isRoot && run('apt-get', ['update', '-qq']).status === 0) names = search();
  const versions = [...names.matchAll(/^postgresql-(\d+)/gm)].map(([, version]) => Number(version)).filter((version) => version >= OLDEST);
  return versions.length === 0 ? undefined : `postgresql-${Math.max(...versions)}`;
}

/** Changes nothing in the system. Enough where the libraries that it needs are there. */
function unpack() {
  const name = newestPackage();
  if (name === undefined) return false;
  mkdirSync(dirname(CACHE), { recursive: true });
  const aside = mkdtempSync(`${CACHE}-`);
  try {
    // The client's package has pg_isready.
    if (run('apt-get', ['download', name, name.replace('-', '-client-')], aside).status !== 0) return false;
    const archives = readdirSync(aside).filter((file) => file.endsWith('.deb'));
    if (!archives.every((archive) => run('dpkg-deb', ['-x', archive, 'tree'], aside).status === 0)) return false;
    if (!debianFolders(join(aside, 'tree')).some((place) => versionOf(place) >= OLDEST)) return false;
    rmSync(CACHE, { recursive: true, force: true });
    renameSync(join(aside, 'tree'), CACHE);
    return true;
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

function install() {
  const name = isRoot ? newestPackage() : undefined;
  return name !== undefined && run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name]).status === 0;
}

const EASY = { fsync: 'off', listen_addresses: '', max_connections: '60', shared_buffers: '64MB', log_min_messages: 'fatal' };

/** As root it becomes the user `nobody`; as anybody else it stays who it is. */
const asOrdinary = (...command) => {
  const rights = isRoot ? ['--reuid=65534', '--regid=65534', '--clear-groups'] : [];
  return ['setpriv', [...rights, '--pdeathsig=INT', ...command]];
};

export async function startPostgres({ settings = {} } = {}) {
  const bin = postgresHere();
  if (bin === undefined) throw new Error('no PostgreSQL: run node scripts/postgres.mjs');
  // The path of a socket has to be short. A folder in a home may be closed to `nobody`.
  const directory = mkdtempSync(join(tmpdir(), 'piton-pg-'));
  if (isRoot) chownSync(directory, 65534, 65534);
  const data = join(directory, 'data');
  const [setpriv, init] = asOrdinary(
    join(bin, 'initdb'),
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
  );
  const made = spawnSync(setpriv, init, { cwd: directory, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr || made.error}`);
  const options = Object.entries({ ...EASY, ...settings, unix_socket_directories: directory }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  let server;
  const exited = () => server.exitCode !== null || server.signalCode !== null;
  const ended = async () => {
    while (!exited()) await sleep(20);
  };
  const answers = () => spawnSync(join(bin, 'pg_isready'), ['-q', '-h', directory]).status === 0;
  const start = async () => {
    for (let attempt = 0; ; attempt++) {
      let said = '';
      server = spawn(...asOrdinary(join(bin, 'postgres'), '-D', data, ...options), { cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] });
      server.stderr.on('data', (text) => {
        said += text;
      });
      for (let waited = 0; waited < 60_000 && !exited(); waited += 50) {
        if (answers()) return;
        await sleep(50);
      }
      // Processes of one that was killed may still hold its memory.
      if (attempt === 20 || !exited()) throw new Error(`PostgreSQL does not start: ${said}`);
      await sleep(200);
    }
  };
  const end = async (signal) => {
    server.kill(signal);
    await ended();
  };
  await start();
  return {
    version: String(versionOf(bin)),
    url: (database = 'postgres', user = 'postgres') => `postgres://${user}@/${database}?host=${encodeURIComponent(directory)}`,
    get pid() {
      return server.pid;
    },
    kill: () => end('SIGKILL'),
    start,
    async remove() {
      await end('SIGINT');
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const bin = providePostgres();
  console.log(
    bin === undefined ? 'PostgreSQL could not be had: tests of the record of a team are skipped' : `PostgreSQL ${versionOf(bin)} in ${bin}`,
  );
}
