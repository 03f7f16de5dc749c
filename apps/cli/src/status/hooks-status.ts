import type { Places } from '@piton/contracts/places';
import type { Context } from '../context.ts';
import { hooksHere } from '../hooks/in-force.ts';
import { settingsFiles } from '../settings/files.ts';

export interface HooksStatus {
  readonly ready: number;
  /** Their trusted copies run. The files in the project differ. */
  readonly changed: readonly string[];
  readonly untrusted: readonly string[];
  /** Files and directories of hooks with problems. `doctor` says which. */
  readonly broken: readonly string[];
}

export function hooksStatus(context: Context, places: Places): HooksStatus {
  const { hooks: decide, subscriptions, problems } = hooksHere(context, places);
  const hooks = [...decide, ...subscriptions];
  const settings = new Set(settingsFiles(context).map(({ path }) => path));
  return {
    ready: hooks.filter(
      (hook) => hook.enabled && hook.builtIn === undefined && (hook.status.kind === 'ready' || hook.status.kind === 'changed'),
    ).length,
    changed: hooks.filter((hook) => hook.status.kind === 'changed').map((hook) => hook.id),
    untrusted: hooks.filter((hook) => hook.status.kind === 'not-trusted').map((hook) => hook.id),
    broken: [...new Set(problems.map(({ path }) => path))].filter((path) => !settings.has(path)),
  };
}
