import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Places } from '@piton/contracts/places';
import { createRepository, GitError } from '@piton/git';
import type { Context } from '../context.ts';
import { Failure, reasonOf } from '../failure.ts';
import { removeTree } from '../files/remove-tree.ts';
import { notePlaces } from '../install/noted-places.ts';
import { makePlaces } from '../locations.ts';
import { gitHere } from '../programs.ts';
import { installRuntime, planRuntime } from '../runtime/installation.ts';
import { runtimeParts } from '../runtime/parts.ts';
import { stopServer } from '../server/server-process.ts';
import { writeDemoHooks } from './hooks.ts';

/** A temporary home, repository and Piton. Nothing in it uses the real HOME. */
export interface DemoEnvironment {
  readonly root: string;
  readonly home: string;
  readonly repository: string;
  readonly places: Places;
  readonly context: Context;
}

export function createDemoEnvironment(context: Context, hooks: string | undefined): DemoEnvironment {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'piton-demo-')));
  const home = join(root, 'home');
  const repository = join(root, 'repository');
  const env = { PATH: context.env.PATH, LANG: context.env.LANG, HOME: home, PITON_HOME: join(root, 'piton'), GIT_CONFIG_NOSYSTEM: '1' };
  try {
    mkdirSync(home);
    createDemoRepository(repository, { env, cwd: context.cwd });
    const inside: Context = { ...context, env, cwd: repository };
    const places = makePlaces(inside);
    notePlaces(inside, places);
    writeDemoHooks(join(places.config, 'hooks'), hooks);
    installRuntime(places, planRuntime(undefined, runtimeParts(context.distribution), context.version));
    return { root, home, repository, places, context: inside };
  } catch (error) {
    removeTree(root);
    throw error;
  }
}

function createDemoRepository(repository: string, place: Pick<Context, 'env' | 'cwd'>): void {
  mkdirSync(join(repository, 'build'), { recursive: true });
  writeFileSync(join(repository, 'README.md'), '# A temporary repository\n');
  const commit = { name: 'Piton demo', email: 'demo@example.invalid', message: 'Initial commit' };
  const failed = createRepository(gitHere(place), repository, commit);
  if (failed === undefined) return;
  const reason = reasonOf(new GitError(failed.args, failed.result));
  throw new Failure(`cannot create a repository: ${reason}`, { where: repository, remedy: 'install git' });
}

/** Stops the server and removes everything, including the sockets, which are elsewhere. */
export async function removeDemoEnvironment(demo: DemoEnvironment, keep: boolean): Promise<void> {
  await stopServer(demo.places, 30_000);
  removeTree(demo.places.sockets);
  if (!keep) removeTree(demo.root);
}
