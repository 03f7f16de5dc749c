import { join } from 'node:path';
import { appendElement, setMember } from '@piton/agents/jsonc';
import { Failure } from '../../failure.ts';
import { type Change, fileChange } from '../../install/change.ts';
import { saveSettings, settingsModes } from '../../settings/edit.ts';
import { readSettings, type SettingsContent, type SettingsFile } from '../../settings/files.ts';
import type { NewHookRequest } from './plan.ts';

const fileOf = ({ base, root }: NewHookRequest): SettingsFile => ({
  scope: root === null ? 'user' : 'project',
  path: join(base, 'settings.json'),
});

export function settingExists(request: NewHookRequest): boolean {
  const { hooks } = readSettings(fileOf(request)).values;
  return Array.isArray(hooks) && hooks.some((each) => (each as { readonly name?: unknown } | null)?.name === request.name);
}

interface SettingEdit {
  readonly file: SettingsFile;
  readonly before: SettingsContent;
  readonly text: string;
}

/** Appends to the list. Comments, order and everything else stay. */
function planSetting(request: NewHookRequest, entry: Readonly<Record<string, unknown>>): SettingEdit {
  const file = fileOf(request);
  const before = readSettings(file);
  const { hooks } = before.values;
  if (hooks !== undefined && !Array.isArray(hooks))
    throw new Failure('"hooks" is not a list in these settings', { where: file.path, remedy: 'fix it there' });
  const text = before.text ?? '';
  const result = hooks === undefined ? setMember(text, ['hooks'], [entry]) : appendElement(text, 'hooks', entry);
  if (!result.ok) throw new Failure(`cannot write the hook: ${result.error}`, { where: file.path, remedy: 'fix it there' });
  return { file, before, text: result.text };
}

export function addSetting(request: NewHookRequest, entry: Readonly<Record<string, unknown>>): void {
  const { file, before, text } = planSetting(request, entry);
  saveSettings(file, before, text);
}

export function settingChange(request: NewHookRequest, entry: Readonly<Record<string, unknown>>): Change {
  const { file, before, text } = planSetting(request, entry);
  return fileChange(
    file.path,
    before.bytes,
    text,
    `the hook ${request.name}`,
    before.bytes === null ? settingsModes(file).file : undefined,
  );
}
