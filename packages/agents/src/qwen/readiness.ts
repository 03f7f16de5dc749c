import type { ConfigFile, Readiness, ReadinessPlace } from '@piton/contracts';
import { fieldsOf } from '../shared/json-fields.ts';
import { objectIn } from '../shared/jsonc/jsonc-text.ts';
import { isTrusted, trustFolder } from '../shared/trusted-folders.ts';

/** In the user's own folder, whichever level is asked about. */
function userFile(name: string, { scope, env }: Pick<ReadinessPlace, 'scope' | 'env'>): ConfigFile {
  const folder = env.QWEN_HOME?.replace(/[\\/]+$/, '') || `${scope === 'project' && env.HOME ? `${env.HOME}/` : ''}.qwen`;
  return { path: `${folder}/${name}`, label: `~/.qwen/${name}` };
}

/** Folder trust is off unless somebody turned it on; then an untrusted folder runs no hook at all. */
export const readiness: Readiness = {
  asks: true,
  files: (scope, env) => [userFile('settings.json', { scope, env }), userFile('trustedFolders.json', { scope, env })],
  judge(facts) {
    const settings = objectIn(facts.texts[userFile('settings.json', facts).path]);
    if (settings.disableAllHooks === true)
      return {
        runs: false,
        why: 'all hooks are switched off in the settings',
        remedy: 'take disableAllHooks out of ~/.qwen/settings.json',
      };
    if (fieldsOf(fieldsOf(settings.security).folderTrust).enabled !== true) return { runs: true };
    const { project } = facts;
    const file = userFile('trustedFolders.json', facts);
    const trusted = isTrusted(objectIn(facts.texts[file.path]), project);
    if (trusted === true) return { runs: true };
    const remedy = `in Qwen Code, started in ${project}: /trust`;
    if (trusted === false) return { runs: false, why: `you told Qwen Code not to trust ${project}`, remedy };
    return {
      runs: false,
      why: `Qwen Code does not trust ${project} yet, and runs no hooks there`,
      remedy,
      consent: {
        question: `Trust ${project} in Qwen Code? It will then run hooks, commands and settings of that folder, not only Piton`,
        file,
        edit: (text) => trustFolder(text, project),
      },
    };
  },
};
