import type { ConfigFile, JsonObject, Readiness, ReadinessFacts, ReadinessPlace, RunVerdict } from '@piton/contracts';
import { fieldsOf } from '../shared/json-fields.ts';
import { objectIn } from '../shared/jsonc/jsonc-text.ts';
import { isTrusted, trustFolder } from '../shared/trusted-folders.ts';

type Scope = ReadinessPlace['scope'];

/** Where the user's own settings lie, whichever level is asked about. */
function userFile(name: string, scope: Scope, env: ReadinessPlace['env']): ConfigFile {
  const home = env.GEMINI_CLI_HOME || (scope === 'project' ? env.HOME : undefined);
  return { path: `${home ? `${home.replace(/[\\/]+$/, '')}/` : ''}.gemini/${name}`, label: `~/.gemini/${name}` };
}
const settingsFile = (scope: Scope, env: ReadinessPlace['env']) => userFile('settings.json', scope, env);
function foldersFile(scope: Scope, env: ReadinessPlace['env']): ConfigFile {
  const moved = env.GEMINI_CLI_TRUSTED_FOLDERS_PATH;
  return moved ? { path: moved, label: moved } : userFile('trustedFolders.json', scope, env);
}

/** In a folder that is not trusted Gemini CLI runs no hook of any settings, and headless not even itself. */
export const readiness: Readiness = {
  asks: true,
  files: (scope, env) => [settingsFile(scope, env), foldersFile(scope, env)],
  judge(facts) {
    const { scope, env, project } = facts;
    const settings = objectIn(facts.texts[settingsFile(scope, env).path]);
    const off = switchedOff(settings);
    if (off !== undefined) return off;
    if (env.GEMINI_RESTRICTED_MODE === 'true' || env.GEMINI_CLI_TRUST_WORKSPACE === 'false')
      return no('a variable takes trust away from every folder', 'unset GEMINI_RESTRICTED_MODE and GEMINI_CLI_TRUST_WORKSPACE');
    if (env.GEMINI_CLI_TRUST_WORKSPACE === 'true') return { runs: true, note: 'trusted by GEMINI_CLI_TRUST_WORKSPACE' };
    if (fieldsOf(fieldsOf(settings.security).folderTrust).enabled === false) return { runs: true };
    return byFolder(facts, project);
  },
};

function switchedOff(settings: JsonObject): RunVerdict | undefined {
  const { enabled, disabled } = fieldsOf(settings.hooksConfig);
  if (enabled === false)
    return no('all hooks are switched off in the settings', 'set hooksConfig.enabled to true in ~/.gemini/settings.json');
  if (Array.isArray(disabled) && disabled.includes('piton'))
    return no('the hook "piton" is switched off in the settings', 'in Gemini CLI: /hooks enable piton');
  return undefined;
}

function byFolder(facts: ReadinessFacts, project: string): RunVerdict {
  const file = foldersFile(facts.scope, facts.env);
  const trusted = isTrusted(objectIn(facts.texts[file.path]), project);
  if (trusted === true) return { runs: true };
  const remedy = `in Gemini CLI, started there: /permissions trust ${project}; a headless run takes --skip-trust`;
  if (trusted === false) return no(`you told Gemini CLI not to trust ${project}`, remedy);
  return {
    ...no(`Gemini CLI does not trust ${project} yet, and runs no hooks there`, remedy),
    consent: {
      question: `Trust ${project} in Gemini CLI? It will then run hooks, commands and settings of that folder, not only Piton`,
      file,
      edit: (text) => trustFolder(text, project),
    },
  };
}

const no = (why: string, remedy: string): Extract<RunVerdict, { runs: false }> => ({ runs: false, why, remedy });
