import { normalize } from 'node:path';
import type { ConfigFile, Readiness, ReadinessFacts, RunVerdict } from '@piton/contracts';
import { tomlValue } from '../shared/toml/toml-edit.ts';
import { userFile } from './install.ts';

/** Grok Build keeps what a person trusts in its own directory, whichever level is asked about. */
function ownFile(name: string, { scope, env }: Pick<ReadinessFacts, 'scope' | 'env'>): ConfigFile {
  const file = userFile(name, env);
  return scope === 'project' && !env.GROK_HOME && env.HOME ? { ...file, path: `${env.HOME}/${file.path}` } : file;
}

const FOLDERS = 'trusted_folders.toml';
const CONFIG = 'config.toml';

/** The hooks of the user always run. Those of a repository are skipped without a word until its folder is trusted. */
export const readiness: Readiness = {
  files: (scope, env) => [ownFile(FOLDERS, { scope, env }), ownFile(CONFIG, { scope, env })],
  judge: (facts) => (facts.scope === 'user' ? { runs: true } : inFolder(facts)),
};

function inFolder(facts: ReadinessFacts): RunVerdict {
  const { env, project, texts } = facts;
  const config = texts[ownFile(CONFIG, facts).path] ?? '';
  if (env.GROK_FOLDER_TRUST === '0' || tomlValue(config, ['folder_trust', 'enabled']) === 'false')
    return { runs: true, note: 'trust in folders is switched off in Grok Build' };
  const folders = texts[ownFile(FOLDERS, facts).path] ?? '';
  if (parentsOf(project).some((folder) => tomlValue(folders, ['folders', folder, 'trusted']) === 'true')) return { runs: true };
  return {
    runs: false,
    why: `Grok Build does not trust ${project} yet, and skips the hooks of its repository without a word`,
    remedy: `start grok in ${project} and type /hooks-trust; a headless run takes --trust`,
  };
}

/** Trust covers the folders below. */
function parentsOf(folder: string): string[] {
  const parts = normalize(folder)
    .replace(/[\\/]+$/, '')
    .split('/');
  return parts.map((_, at) => parts.slice(0, parts.length - at).join('/') || '/');
}
