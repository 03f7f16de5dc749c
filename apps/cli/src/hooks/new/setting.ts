import { join } from 'node:path';
import { applyEdits, modify } from 'jsonc-parser';
import { Failure } from '../../failure.ts';
import { saveSettings } from '../../settings/edit.ts';
import { readSettings, type SettingsFile } from '../../settings/files.ts';
import type { Wish } from './plan.ts';

const fileOf = ({ base, root }: Wish): SettingsFile => ({ scope: root === null ? 'user' : 'project', path: join(base, 'settings.json') });

export function settingExists(wish: Wish): boolean {
  const { hooks } = readSettings(fileOf(wish)).values;
  return Array.isArray(hooks) && hooks.some((each) => (each as { readonly name?: unknown } | null)?.name === wish.name);
}

/** At the end of the list; comments, order and everything else stay. */
export function addSetting(wish: Wish, entry: Readonly<Record<string, unknown>>): void {
  const file = fileOf(wish);
  const before = readSettings(file);
  const { hooks } = before.values;
  if (hooks !== undefined && !Array.isArray(hooks))
    throw new Failure('"hooks" is no list in these settings', { where: file.path, remedy: 'correct it there' });
  const text = before.text?.trim() ? before.text : '{}\n';
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: text.includes('\r\n') ? '\r\n' : '\n' };
  const at = hooks === undefined ? ['hooks'] : ['hooks', hooks.length];
  const edits = modify(text, at, hooks === undefined ? [entry] : entry, { formattingOptions, isArrayInsertion: hooks !== undefined });
  saveSettings(file, before, applyEdits(text, edits));
}
