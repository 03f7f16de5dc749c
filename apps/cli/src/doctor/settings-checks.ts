import { dirname } from 'node:path';
import { ownsLocalSettings } from '@piton/checkpoints';
import { createGit, visitRepository } from '@piton/git';
import type { Problem } from '@piton/hooks';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { hooksHere } from '../hooks/in-force.ts';
import { gitHere } from '../programs.ts';
import { readSettings, type SettingsFile, settingsFiles } from '../settings/files.ts';
import { type Check, type Finding, problem } from './finding.ts';

/** A broken entry is reported twice: for the file, and for the hook that does not run because of it. */
function isSameProblem(ofHook: Problem, ofFile: Problem): boolean {
  const [, why] = ofHook.problem.split(' does not run: ');
  return why !== undefined && ofHook.path === ofFile.path && ofFile.problem.includes(why);
}

/** An unreadable file has a finding of its own. Everything else about it only follows from that. */
function isReadable(file: SettingsFile): boolean {
  try {
    readSettings(file);
    return true;
  } catch {
    return false;
  }
}

/** The registry's problems come first: it knows the hooks in a file, and what was probably meant. */
export const settingsCheck: Check = async ({ context, places }) => {
  const files = settingsFiles(context);
  const known = hooksHere(context, places).problems.filter(({ path }) => files.some((file) => file.path === path && isReadable(file)));
  const reported = known
    .filter((each) => !known.some((other) => other !== each && isSameProblem(each, other)))
    .map((each) => problem('settings.problem', { what: each.problem, where: each.path, remedy: each.remedy }));
  // zod is slow to load, and no other check needs it.
  const { checkSettings } = await import('../settings/check.ts');
  const rest = files
    .filter((file) => !reported.some(({ where }) => where === file.path))
    .flatMap((file): Finding[] => {
      try {
        return checkSettings(readSettings(file).values, file.scope).map(({ what }) =>
          problem('settings.problem', { what, where: file.path, remedy: 'fix it. Available settings: piton schema settings' }),
        );
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        return [
          problem('settings.problem', { what: error.message, where: error.where ?? file.path, remedy: error.remedy ?? 'fix the file' }),
        ];
      }
    });
  return [...reported, ...rest, ...(await notYours(context, files))];
};

/** A local file that may have come with the repository has no effect on what only the user may decide. */
async function notYours(context: Context, files: readonly SettingsFile[]): Promise<Finding[]> {
  const local = files.find((file) => file.scope === 'local' && isReadable(file));
  const { strategy, identity } = (local && (readSettings(local).values.checkpoints as { strategy?: unknown; identity?: unknown })) ?? {};
  if (local === undefined || (strategy !== 'auto-commit' && identity === undefined)) return [];
  const root = dirname(dirname(local.path));
  if (await visitRepository(createGit(gitHere(context)), root, {}, (git) => ownsLocalSettings(git, root))) return [];
  const what = 'git does not ignore this file, so it may not be yours: checkpoints.strategy and checkpoints.identity have no effect';
  return [problem('settings.problem', { what, where: local.path, remedy: 'add settings.local.json to .piton/.gitignore' })];
}
