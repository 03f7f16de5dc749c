import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The first version that was released: the line of the changelog came with the commit that cut it. */
const RELEASED = '## 0.1.0 (';

/** Which commit is "the older Piton". Null where the history does not have it. */
export function olderCommit(): string | null {
  if (process.env.PITON_OLDER_COMMIT) return process.env.PITON_OLDER_COMMIT;
  const commits = git('log', `-S${RELEASED}`, '--format=%H', '--', 'CHANGELOG.md');
  return commits.at(-1) ?? null;
}

function git(...args: string[]): string[] {
  try {
    return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      .split('\n')
      .filter(Boolean);
  } catch {
    return []; // no repository: an archive of the sources
  }
}

/** The package as that commit builds it, with the forwarder of this machine. It stays in the cache: commits do not change. */
export function olderPackage(commit: string): string {
  const kept = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'piton', 'older', `${commit}-${process.arch}`);
  if (!existsSync(kept)) {
    mkdirSync(dirname(kept), { recursive: true });
    const tree = realpathSync(mkdtempSync(join(tmpdir(), 'piton-older-')));
    try {
      renameOrKeep(build(commit, tree, `${kept}.${process.pid}`), kept);
    } finally {
      rmSync(tree, { recursive: true, force: true });
    }
  }
  return join(kept, readdirSync(kept).find((name) => name.endsWith('.tgz')) ?? '');
}

const PACK = `
const [stage, out] = process.argv.slice(1);
const { buildForwarder } = await import(process.env.TREE + '/scripts/forwarder.mjs');
const { stageCli } = await import(process.env.TREE + '/scripts/package/cli.mjs');
const { packStage } = await import(process.env.TREE + '/scripts/package/staging.mjs');
stageCli(stage, { [process.platform + '-' + process.arch]: buildForwarder() });
packStage(stage, out);
`;

function build(commit: string, tree: string, out: string): string {
  execFileSync('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', commit, tree], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  linkModules(tree);
  const env = { ...process.env, TREE: pathToFileURL(tree).href };
  const node = (...args: string[]) => execFileSync(process.execPath, args, { cwd: tree, env, stdio: ['ignore', 'ignore', 'inherit'] });
  node('scripts/build.mjs');
  node('--input-type=module', '-e', PACK, join(tree, 'stage'), out);
  return out;
}

/** What others wrote, as it is installed here; our own packages of that tree. */
export function linkModules(tree: string): void {
  const [from, to] = [join(ROOT, 'node_modules'), join(tree, 'node_modules')];
  mkdirSync(join(to, '@piton'), { recursive: true });
  for (const name of readdirSync(from)) if (name !== '@piton') symlinkSync(join(from, name), join(to, name));
  for (const room of ['packages', 'apps', '.'].flatMap((folder) =>
    readdirSync(join(tree, folder)).map((name) => join(tree, folder, name)),
  )) {
    const name = nameIn(room);
    if (name?.startsWith('@piton/')) symlinkSync(room, join(to, '@piton', basename(name)));
  }
}

function nameIn(room: string): string | undefined {
  const file = join(room, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { name?: string }).name : undefined;
}

/** Another run may have been faster. */
function renameOrKeep(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
    rmSync(from, { recursive: true, force: true });
  }
}
