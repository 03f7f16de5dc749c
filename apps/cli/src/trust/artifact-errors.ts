import type { LintFinding } from '@piton/artifacts';
import type { Context } from '../context.ts';
import type { HookPlaces } from '../hooks/in-force.ts';
import { lintFolder } from '../lint/lint-folder.ts';
import { targetsHere } from '../lint/targets.ts';

/** Errors in this project's artifacts. Nobody can trust an artifact that has one. */
export const artifactErrors = (context: Context, places: HookPlaces): LintFinding[] =>
  targetsHere(context, places)
    .filter(({ kind, path }) => kind === 'artifact' && !path.startsWith(`${places.config}/`))
    .flatMap(({ path }) => lintFolder(path))
    .filter(({ severity }) => severity === 'error');
