import type { ConfigFile, JsonObject, Readiness } from '@piton/contracts';
import { getNodeValue } from 'jsonc-parser/lib/esm/main.js';
import { isObject } from '../shared/json-fields.ts';
import { parseText } from '../shared/jsonc/jsonc-text.ts';
import { installer } from './install.ts';

/** Both are read, the first that is there; an event in it hides the same event of the settings. */
const hooksFiles = (scope: 'user' | 'project'): ConfigFile[] =>
  ['.factory/hooks.json', '.factory/hooks/hooks.json'].map((path) => ({ path, label: `${scope === 'user' ? '~/' : ''}${path}` }));

function fieldsIn(text: string | null | undefined): JsonObject {
  const parsed = parseText(text ?? '');
  const value: unknown = parsed.ok ? getNodeValue(parsed.root) : undefined;
  return isObject(value) ? value : {};
}

/** Nothing has to be trusted for `droid exec`; the terminal program asks once for each folder. */
export const readiness: Readiness = {
  files: (scope, env) => [...hooksFiles(scope), ...installer.configFiles(scope, env)],

  judge({ scope, env, texts, installed }) {
    const [settings] = installer.configFiles(scope, env);
    const { hooks } = fieldsIn(texts[settings.path]);
    const off = isObject(hooks) && hooks.hooksDisabled === true;
    if (off)
      return { runs: false, why: `hooks are switched off in ${settings.label}`, remedy: 'take "hooksDisabled" out of "hooks" there' };
    const other = hooksFiles(scope).find(({ path }) => texts[path] != null);
    const said = fieldsIn(other && texts[other.path]);
    const hidden = installed.filter(({ registration }) => Object.hasOwn(said, registration.nativeEvent));
    if (other === undefined || hidden.length === 0)
      return { runs: true, note: 'in its terminal program Droid runs hooks only in folders that you trust' };
    const names = hidden.map(({ registration }) => registration.nativeEvent).join(', ');
    return {
      runs: false,
      why: `${other.label} has hooks of its own for ${names}, and Droid then does not look at those in ${settings.label}`,
      remedy: `move them from ${other.label} to "hooks" in ${settings.label}`,
    };
  },
};
