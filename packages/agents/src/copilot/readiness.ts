import { normalize } from 'node:path';
import type { ConfigFile, JsonObject, Readiness, ReadinessFacts, ReadinessPlace, RunVerdict } from '@piton/contracts';
import { getNodeValue } from 'jsonc-parser/lib/esm/main.js';
import { isObject } from '../shared/json-fields.ts';
import { parseText } from '../shared/jsonc/jsonc-text.ts';
import { installer, userFile } from './install.ts';

type Environment = ReadinessPlace['env'];

/** Copilot CLI keeps what a person trusts in its own state, whichever level is asked about. */
function stateFile(scope: ReadinessPlace['scope'], env: Environment): ConfigFile {
  const file = userFile('config.json', env);
  const home = scope === 'project' && !env.COPILOT_HOME ? env.HOME : undefined;
  return home ? { ...file, path: `${home}/${file.path}` } : file;
}

/** The hooks of a repository run only in a trusted folder: elsewhere they are skipped without a word. */
export const readiness: Readiness = {
  files: (scope, env) => [installer.configFiles(scope, env)[0], stateFile(scope, env)],
  judge(facts) {
    const { scope, env } = facts;
    const [own] = installer.configFiles(scope, env);
    return voided(facts.texts[own.path] ?? null, own.label) ?? (scope === 'user' ? { runs: true } : inFolder(facts));
  },
};

/** We edit JSON with comments, and Copilot CLI reads plain JSON. */
function voided(text: string | null, label: string): RunVerdict | undefined {
  if (text === null) return undefined;
  const settings = plainJson(text);
  if (settings === undefined)
    return {
      runs: false,
      why: `${label} is not plain JSON, so that Copilot CLI runs nothing of it`,
      remedy: `take the comments and the commas before closing brackets out of ${label}`,
    };
  if (settings.disableAllHooks === true)
    return { runs: false, why: `all hooks are switched off in ${label}`, remedy: `take "disableAllHooks" out of ${label}` };
  return undefined;
}

function inFolder({ scope, env, project, texts }: ReadinessFacts): RunVerdict {
  const state = stateFile(scope, env);
  const parsed = parseText(texts[state.path] ?? '');
  const known: unknown = parsed.ok ? getNodeValue(parsed.root) : undefined;
  if (isObject(known) && trustedIn(known).some((folder) => covers(folder, project))) return { runs: true };
  return {
    runs: false,
    why: `Copilot CLI does not trust ${project} yet, and skips the hooks of its repository without a word`,
    remedy: `start copilot in ${project} once and trust the folder; a headless run takes --trust-folder`,
  };
}

/** The second name is that of older versions, which is still read. */
const trustedIn = ({ trustedFolders, trusted_folders }: JsonObject): string[] =>
  [trustedFolders, trusted_folders].flat().filter((folder) => typeof folder === 'string');

function covers(folder: string, project: string): boolean {
  const parent = withSlash(folder);
  return withSlash(project).startsWith(parent);
}
const withSlash = (path: string): string => `${normalize(path).replace(/[\\/]+$/, '')}/`;

function plainJson(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
