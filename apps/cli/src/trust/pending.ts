import { shellWord } from '@piton/contracts';
import type { Places } from '@piton/contracts/places';
import { createRegistry, type Permission, type Trustable, type TrustPorts, trustable } from '@piton/hooks';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { READING } from '../hooks/in-force.ts';

export interface ProjectHook {
  /** The project directory it belongs to. */
  readonly root: string;
  readonly hook: Trustable;
}

export const trustPorts = (places: Places): TrustPorts => ({ trustDir: places.trust, ...READING });

/** All hooks of the projects around the working directory. */
export function projectHooks(context: Context, places: Places): ProjectHook[] {
  const registry = createRegistry({ config: places.config, trustDir: places.trust, ...READING });
  return registry.projectRoots(context.cwd).flatMap((root) => trustable(trustPorts(places), root).map((hook) => ({ root, hook })));
}

/** Untrusted or changed, and without a problem that prevents trust. */
export const isPending = ({ hook }: ProjectHook): boolean => hook.trusted !== 'yes' && hook.problem === undefined;

/** Lacks a permission that is about to be granted. */
export const lacksPermission = ({ hook }: ProjectHook, may: readonly Permission[]): boolean =>
  hook.problem === undefined && may.some((each) => !hook.may.includes(each));

/** By ID, by name, or by a suffix of the ID that only one has. */
export function chooseHooks(all: readonly ProjectHook[], names: readonly string[]): ProjectHook[] {
  return names.map((name) => {
    const exact = all.filter(({ hook }) => hook.id === name);
    const loose = all.filter(({ hook }) => hook.name === name || hook.id.endsWith(`/${name}`) || hook.id.endsWith(`:${name}`));
    const found = exact.length > 0 ? exact : loose;
    const [only] = found;
    if (only && found.length === 1) return only;
    if (only)
      throw new Failure(`${JSON.stringify(name)} matches more than one hook`, {
        where: found.map(({ hook }) => hook.id).join(', '),
        remedy: 'use the full ID',
      });
    throw new Failure(`no hook of this project is named ${JSON.stringify(name)}`, {
      remedy:
        all.length > 0 ? `available: ${all.map(({ hook }) => shellWord(hook.id)).join(', ')}` : 'add executables to .piton/hooks/<event>/',
    });
  });
}
