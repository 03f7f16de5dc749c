import { setMember } from '@piton/agents/jsonc';
import { Failure } from '../failure.ts';
import { type Modes, removeConfig, writeConfig } from '../install/config-file.ts';
import { readSettings, type SettingsContent, type SettingsFile } from './files.ts';

/** Sets one key in place: comments, order and everything else stay. `undefined` removes it; null is a file that is removed. */
export function editSettings(
  file: SettingsFile,
  key: string,
  value: unknown,
): { readonly before: SettingsContent; readonly text: string | null } {
  const before = readSettings(file);
  const result = setMember(before.text ?? '', key.split('.'), value);
  if (!result.ok) throw new Failure(`cannot set ${key}: ${result.error}`, { where: file.path });
  return { before, text: value === undefined && holdsOnly(before, key) ? null : result.text };
}

/** Is the file as `settings set` makes it for this key alone? Then it goes with it. */
function holdsOnly({ text, values }: SettingsContent, key: string): boolean {
  const made = setMember('', key.split('.'), valueAt(values, key));
  return text !== null && made.ok && made.text === text;
}

export const settingsModes = ({ scope }: SettingsFile): Modes =>
  scope === 'user' ? { file: 0o600, directory: 0o700 } : { file: 0o644, directory: 0o755 };

export function saveSettings(file: SettingsFile, before: SettingsContent, text: string | null): void {
  if (text === null) return removeConfig(file.path, []);
  writeConfig(file.path, text, before.bytes, settingsModes(file));
}

export function valueAt(values: unknown, key: string): unknown {
  return key
    .split('.')
    .reduce<unknown>((at, part) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[part] : undefined), values);
}

/** `true`, `3` and `{"a":1}` are JSON; anything else is text. */
export function parseValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
