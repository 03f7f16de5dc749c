import { isAbsolute } from 'node:path';
import type { ConfigFile, Readiness, ReadinessPlace } from '@piton/contracts';
import { getNodeValue } from 'jsonc-parser/lib/esm/main.js';
import { memberOf, parseText } from '../shared/jsonc/jsonc-text.ts';
import { installer } from './install.ts';

const SWITCH = 'disableAllHooks';

/** The settings that Claude Code reads, the ones that win first. */
function settingsFiles(env: ReadinessPlace['env']): ConfigFile[] {
  const [user] = installer.configFiles('user', env);
  const inProject = (name: string): ConfigFile => ({ path: `./.claude/${name}`, label: `.claude/${name}` });
  return [inProject('settings.local.json'), inProject('settings.json'), isAbsolute(user.path) ? user : { ...user, path: `~/${user.path}` }];
}

/** Claude Code runs what is registered at once, unless all hooks are switched off. */
export const readiness: Readiness = {
  files: (_scope, env) => settingsFiles(env),
  judge({ env, texts }) {
    const decides = settingsFiles(env).find(({ path }) => switchIn(texts[path] ?? null) !== undefined);
    if (decides === undefined || switchIn(texts[decides.path] ?? null) === false) return { runs: true };
    return {
      runs: false,
      why: `all hooks are switched off in ${decides.label}`,
      remedy: `take "${SWITCH}" out of ${decides.label}`,
    };
  },
};

function switchIn(text: string | null): boolean | undefined {
  const parsed = text === null ? undefined : parseText(text.replace(/^\uFEFF/, ''));
  const value = parsed?.ok && parsed.root.type === 'object' ? memberOf(parsed.root, SWITCH) : undefined;
  const said: unknown = value && getNodeValue(value);
  return typeof said === 'boolean' ? said : undefined;
}
