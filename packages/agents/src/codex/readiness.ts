import type { ConfigFile, ConfigResult, JsonObject, Readiness, ReadinessFacts, RunVerdict } from '@piton/contracts';
import { registrationOf } from '../shared/command-line.ts';
import { isObject, textOf } from '../shared/json-fields.ts';
import { setTomlText, tomlValue } from '../shared/toml/toml-edit.ts';
import { installer, userFile } from './install.ts';

/** One hook as Codex's own `app-server` lists it. */
interface ListedHook {
  readonly nativeEvent: string;
  readonly key: string;
  readonly hash: string;
  readonly enabled: boolean;
  readonly trusted: boolean;
}

/** Codex keeps what a person trusts in its own configuration, whichever level is asked about. */
function stateFile({ scope, env }: Pick<ReadinessFacts, 'scope' | 'env'>): ConfigFile {
  const file = userFile('config.toml', env);
  return scope === 'project' && !env.CODEX_HOME && env.HOME ? { ...file, path: `${env.HOME}/${file.path}` } : file;
}

const REVIEW = 'start codex, type /hooks and trust them there';

/**
 * Codex skips a hook silently until its very definition is trusted: a hash in the user's `config.toml`, under a key that
 * counts places. Key and hash come from Codex itself; they are written only after a yes.
 */
export const readiness: Readiness = {
  asks: true,
  files: (scope, env) => [stateFile({ scope, env })],

  probe: ({ project }) => ({
    argv: ['codex', 'app-server'],
    stdin: [
      { id: 0, method: 'initialize', params: { clientInfo: { name: 'piton', version: '1' } } },
      { method: 'initialized' },
      { id: 1, method: 'hooks/list', params: { cwds: [project] } },
    ]
      .map((message) => `${JSON.stringify(message)}\n`)
      .join(''),
    until: /^\{"id":1,.*\}$/m,
  }),

  judge(facts) {
    const config = facts.texts[stateFile(facts).path] ?? '';
    if (tomlValue(config, ['features', 'hooks']) === 'false')
      return { runs: false, why: 'hooks are switched off in its config.toml', remedy: 'take hooks = false out of [features] there' };
    if (facts.scope === 'project' && tomlValue(config, ['projects', facts.project, 'trust_level']) !== 'trusted')
      return {
        runs: false,
        why: 'Codex reads nothing of a project that is not trusted',
        remedy: `start codex in ${facts.project} once and trust it, then run this again`,
      };
    const reply = replyIn(facts.probed);
    return reply === undefined ? judgeByConfig(facts, config) : judgeByList(facts, reply);
  },
};

function judgeByList(facts: ReadinessFacts, reply: JsonObject): RunVerdict {
  const places = Array.isArray(reply.data) ? reply.data.filter(isObject) : [];
  const listed = places.flatMap((place) => hooksIn(place, facts.scope));
  const missing = facts.installed.filter(({ registration }) => !listed.some((hook) => hook.nativeEvent === registration.nativeEvent));
  if (missing.length > 0) {
    const said = places.flatMap((place) => [place.errors, place.warnings].flat()).map(messageOf);
    const file = installer.configFiles(facts.scope, facts.env)[0].label;
    const why = [`Codex does not load ${missing.length} of its hooks from ${file}`, ...said].join('; ');
    return { runs: false, why, remedy: `mend ${file}, then run this again` };
  }
  const off = listed.filter((hook) => !hook.enabled);
  if (off.length > 0)
    return { runs: false, why: `${numbered(off)} switched off in Codex`, remedy: 'start codex, type /hooks and switch them on' };
  const untrusted = listed.filter((hook) => !hook.trusted);
  if (untrusted.length === 0) return { runs: true };
  const file = stateFile(facts);
  return {
    runs: false,
    why: `${numbered(untrusted)} not trusted in Codex, which skips such hooks without a word`,
    remedy: REVIEW,
    consent: {
      question: `Trust ${untrusted.length === 1 ? 'this hook' : `these ${untrusted.length} hooks`} of Piton's in Codex? Their hashes go to ${file.label}.`,
      file,
      edit: (text) => trustIn(text ?? '', untrusted),
    },
  };
}

function trustIn(text: string, hooks: readonly ListedHook[]): ConfigResult {
  let trusted = text;
  for (const { key, hash } of hooks) {
    const edit = setTomlText(trusted, ['hooks', 'state', key], 'trusted_hash', hash);
    if (!edit.ok) return { ok: false, error: `${edit.error}: ${REVIEW}` };
    trusted = edit.text;
  }
  return { ok: true, edit: { text: trusted, added: [], removed: [] } };
}

/** Without Codex's word: is there a hash for each of our events? Whether it is the right one, only Codex knows. */
function judgeByConfig({ scope, installed, project, home, env }: ReadinessFacts, config: string): RunVerdict {
  const { path } = installer.configFiles(scope, env)[0];
  const file = path.startsWith('/') ? path : `${scope === 'user' ? home : project}/${path}`;
  const isTrusted = (nativeEvent: string): boolean => {
    const label = nativeEvent.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
    return Array.from({ length: 20 }, (_, group) => `${file}:${label}:${group}:0`).some(
      (key) => tomlValue(config, ['hooks', 'state', key, 'trusted_hash']) !== undefined,
    );
  };
  if (installed.every(({ registration }) => isTrusted(registration.nativeEvent)))
    return { runs: true, note: 'codex could not be asked; its config.toml says that they were trusted' };
  return { runs: false, why: 'codex could not be asked, and its config.toml does not say that its hooks are trusted', remedy: REVIEW };
}

function replyIn(probed: string | null): JsonObject | undefined {
  for (const line of probed?.split('\n') ?? []) {
    const message = parse(line);
    if (isObject(message) && message.id === 1 && isObject(message.result)) return message.result;
  }
  return undefined;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function hooksIn(place: JsonObject, scope: 'user' | 'project'): ListedHook[] {
  const hooks = Array.isArray(place.hooks) ? place.hooks.filter(isObject) : [];
  return hooks.flatMap((hook) => {
    const [command, key, hash] = [textOf(hook, 'command'), textOf(hook, 'key'), textOf(hook, 'currentHash')];
    const registration = command === undefined ? undefined : registrationOf({ shell: command });
    if (registration?.agent !== 'codex' || registration.scope !== scope || key === undefined || hash === undefined) return [];
    const trusted = hook.trustStatus === 'trusted' || hook.trustStatus === 'managed';
    return [{ nativeEvent: registration.nativeEvent, key, hash, enabled: hook.enabled !== false, trusted }];
  });
}

const messageOf = (said: unknown): string => (isObject(said) ? (textOf(said, 'message') ?? JSON.stringify(said)) : String(said));
const numbered = (hooks: readonly unknown[]): string => (hooks.length === 1 ? '1 hook is' : `${hooks.length} hooks are`);
