import { posix } from 'node:path';
import type { ConfigFile, ConfigResult, JsonObject, Readiness } from '@piton/contracts';
import { isObject } from '../shared/json-fields.ts';
import { agentFile } from './install.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const trustFile = (env: Environment): ConfigFile => agentFile('trust.json', env);
const settingsFile = (env: Environment): ConfigFile => agentFile('settings.json', env);

/** pi loads a project's extensions only where it is trusted, and headless it skips them without a word. */
export const readiness: Readiness = {
  asks: true,
  files: (scope, env) => (scope === 'user' ? [] : [trustFile(env), settingsFile(env)]),
  judge({ scope, project, env, texts }) {
    if (scope === 'user') return { runs: true };
    const saved = nearestDecision(objectIn(texts[trustFile(env).path]), project);
    const usual = objectIn(texts[settingsFile(env).path]).defaultProjectTrust;
    if (saved ?? usual === 'always') return { runs: true };
    return {
      runs: false,
      why: saved === false ? `pi was told not to trust ${project}` : `pi does not trust ${project} yet, and skips its extensions`,
      remedy: 'run pi in that directory and say /trust, or run it with --approve',
      consent: {
        question: `Let pi trust ${project}? It then loads all extensions, skills and settings of that directory.`,
        file: trustFile(env),
        edit: (text) => trusting(text, project),
      },
    };
  },
};

function objectIn(text: string | null | undefined): JsonObject {
  try {
    const value: unknown = JSON.parse((text ?? '{}').replace(/^\uFEFF/, ''));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Of the directory itself or the closest one above it. */
function nearestDecision(decisions: JsonObject, directory: string): boolean | undefined {
  const own = decisions[directory];
  if (typeof own === 'boolean') return own;
  const above = posix.dirname(directory);
  return above === directory ? undefined : nearestDecision(decisions, above);
}

/** Written as pi writes it: one object, sorted. */
function trusting(text: string | null, project: string): ConfigResult {
  const before = objectIn(text);
  if (text !== null && text.trim() !== '' && Object.keys(before).length === 0 && !/^\s*\{\s*\}\s*$/.test(text))
    return { ok: false, error: 'trust.json is not a JSON object: mend it, then run this again' };
  const entries = Object.entries({ ...before, [project]: true }).sort(([a], [b]) => (a < b ? -1 : 1));
  return { ok: true, edit: { text: `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`, added: [], removed: [] } };
}
