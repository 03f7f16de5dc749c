import { applyEdits, modify } from 'jsonc-parser';
import { Failure } from '../failure.ts';
import { writeConfig } from '../install/config-file.ts';
import { readSettings, type SettingsContent, type SettingsFile } from './files.ts';

/** Sets one key in place: comments, order and everything else stay. `undefined` takes it out. */
export function editSettings(file: SettingsFile, key: string, value: unknown): { readonly before: SettingsContent; readonly text: string } {
  const before = readSettings(file);
  const text = before.text?.trim() ? before.text : '{}\n';
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: text.includes('\r\n') ? '\r\n' : '\n' };
  try {
    return { before, text: applyEdits(text, modify(text, key.split('.'), value, { formattingOptions })) };
  } catch {
    throw new Failure(`${key} cannot be set there: something that is no object stands in the way`, { where: file.path });
  }
}

export function saveSettings(file: SettingsFile, before: SettingsContent, text: string): void {
  const modes = file.scope === 'user' ? { file: 0o600, directory: 0o700 } : { file: 0o644, directory: 0o755 };
  writeConfig(file.path, text, before.bytes, modes);
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
